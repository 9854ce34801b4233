// SPDX-License-Identifier: Apache-2.0
// Answers what becomes of the slices of one Service with our code: one JSON object a line in, one a
// line out, as `oracle reconcile` does with upstream's, so that both can be asked the same.
#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kube/cache.h"
#include "kube/record_reader.h"
#include "slices/pack_family.h"
#include "slices/render_slice.h"
#include "wire/padded_text.h"

namespace proxima {
namespace {

namespace json = boost::json;
using slices::SliceRef;

template <class Record>
Ref<const Record> read(const json::value& object, std::string_view kind) {
  kube::RecordReader<Record> reader(kind, [&](const wire::Problem& problem) {
    std::cerr << kind << ": " << problem.field << ": " << problem.message << '\n';
  });
  const wire::PaddedText text(json::serialize(object));
  return reader.object(text.text()).record;
}

// In the order of names, as the caches have them.
template <class Record>
std::vector<Ref<const Record>> read_all(const json::value& list, std::string_view kind) {
  std::vector<Ref<const Record>> all;
  for (const json::value& object : list.as_array()) all.push_back(read<Record>(object, kind));
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a->key() < b->key(); });
  return all;
}

class Answer {
 public:
  explicit Answer(const json::object& question)
      : service_(read<kube::ServiceRecord>(question.at("service"), "Service")),
        pods_(read_all<kube::PodRecord>(question.at("pods"), "Pod")),
        most_(question.at("maxEndpointsPerSlice").to_number<std::size_t>()) {
    nodes_.replace(read_all<kube::NodeRecord>(question.at("nodes"), "Node"));
    for (const auto& slice :
         read_all<kube::EndpointSliceRecord>(question.at("slices"), "EndpointSlice"))
      slices_[std::string(slice->meta.name.view())] = slice;
  }

  std::string text() {
    const auto families = slices::address_families(*service_);
    for (const kube::AddressType family : families) pack(family);
    const std::size_t before = slices_.size();
    std::erase_if(slices_, [&](const auto& entry) {
      const kube::AddressType type = entry.second->address_type;
      return std::find(families.begin(), families.end(), type) == families.end();
    });
    deletes_ += before - slices_.size();
    return written();
  }

 private:
  void pack(kube::AddressType family) {
    std::vector<SliceRef> present;
    for (const auto& [name, slice] : slices_)
      if (slice->address_type == family) present.push_back(slice);
    auto draft = slices::pack_family({.service = *service_,
                                      .family = family,
                                      .pods = pods_,
                                      .nodes = nodes_.snapshot(),
                                      .slices = present,
                                      .max_endpoints_per_slice = most_});
    slices::recycle_slices(*service_, draft);
    problems_.insert(draft.problems.begin(), draft.problems.end());
    for (slices::SliceDraft& created : draft.creates) {
      std::string name =
          std::string(created.value.generate_name.view()) + "ours-" + std::to_string(creates_++);
      while (slices_.contains(name)) name += 'x';
      created.value.meta.name = Text(name);
      put(created);
    }
    for (const slices::SliceDraft& updated : draft.updates) put(updated);
    updates_ += draft.updates.size();
    for (const SliceRef& slice : draft.deletes) slices_.erase(std::string(slice->meta.name.view()));
    deletes_ += draft.deletes.size();
  }

  void put(const slices::SliceDraft& draft) {
    slices_[std::string(draft.value.meta.name.view())] =
        SliceRef(new kube::EndpointSliceRecord(draft.value));
  }

  std::string written() const {
    json::object answer{{"creates", creates_}, {"updates", updates_}, {"deletes", deletes_}};
    answer["problems"] = json::array(problems_.begin(), problems_.end());
    json::array& all = answer["slices"].emplace_array();
    // Through the text that would be written, so that it is compared as well.
    for (const auto& [name, slice] : slices_)
      all.push_back(json::parse(slices::render_slice({.value = *slice, .before = {}})));
    return json::serialize(answer);
  }

  Ref<const kube::ServiceRecord> service_;
  std::vector<slices::PodRef> pods_;
  kube::Cache<kube::NodeRecord> nodes_;
  std::map<std::string, SliceRef> slices_;
  std::size_t most_;
  std::size_t creates_ = 0, updates_ = 0, deletes_ = 0;
  std::set<std::string> problems_;
};

}  // namespace
}  // namespace proxima

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const boost::json::value question = boost::json::parse(line);
    std::cout << proxima::Answer(question.as_object()).text() << '\n' << std::flush;
  }
}
