// SPDX-License-Identifier: Apache-2.0
#include "conformance/hints_question.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "conformance/field_reader.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;

// The API allows 8 hints of a kind; a list that is longer comes from no cluster.
constexpr std::size_t kMaxHints = 8;
constexpr std::size_t kMaxZones = std::numeric_limits<std::uint16_t>::max();

using Sliced = std::pair<const json::object*, policy::SliceState>;

class Reading {
 public:
  Result<HintsQuestion> read(const json::object& object) {
    const std::vector<Sliced> slices = sorted_slices(object);
    collect_zones(object, slices);
    for (const json::value& item : fields_.list(object, "nodes")) {
      add_node(fields_.as_object(item, "nodes"));
    }
    std::vector<std::size_t> ends;
    for (const auto& [slice, state] : slices) {
      for (const json::value& item : fields_.list(*slice, "endpoints")) {
        add_endpoint(fields_.as_object(item, "endpoints"));
      }
      ends.push_back(question_.endpoints.size());
    }
    if (fields_.error()) return *fields_.error();
    lay_out(slices, ends);
    return std::move(question_);
  }

 private:
  std::vector<Sliced> sorted_slices(const json::object& object) {
    std::vector<Sliced> slices;
    for (const json::value& item : fields_.list(object, "slices")) {
      const json::object& slice = fields_.as_object(item, "slices");
      slices.emplace_back(&slice, state(slice));
    }
    const auto by_name = [&](const Sliced& a, const Sliced& b) {
      return fields_.text(*a.first, "name") < fields_.text(*b.first, "name");
    };
    const auto unchanged = std::stable_partition(slices.begin(), slices.end(), [](auto& slice) {
      return slice.second != policy::SliceState::Unchanged;
    });
    std::stable_sort(unchanged, slices.end(), by_name);
    return slices;
  }

  policy::SliceState state(const json::object& slice) {
    const std::string_view text = fields_.text(slice, "state");
    if (text == "create") return policy::SliceState::Create;
    if (text == "update") return policy::SliceState::Update;
    if (text != "unchanged") fields_.fail("state", "none of create, update, unchanged");
    return policy::SliceState::Unchanged;
  }

  // Indices must follow the names, because ties between zones are broken by index.
  void collect_zones(const json::object& object, const std::vector<Sliced>& slices) {
    for (const json::value& item : fields_.list(object, "nodes")) {
      zones_[fields_.text(fields_.as_object(item, "nodes"), "zone")] = {};
    }
    for (const auto& [slice, state] : slices) {
      for (const json::value& item : fields_.list(*slice, "endpoints")) {
        const json::object& endpoint = fields_.as_object(item, "endpoints");
        zones_[fields_.text(endpoint, "zone")] = {};
        for (const json::value& hint : fields_.list(endpoint, "forZones")) {
          zones_[fields_.as_text(hint, "forZones")] = {};
        }
      }
    }
    if (zones_.size() >= kMaxZones) {
      fields_.fail("zones", "too many");
      return;
    }
    for (auto& [name, index] : zones_) {
      index = model::ZoneIndex(question_.zones.size());
      question_.zones.push_back(question_.names.intern(name));
    }
  }

  // No zone is no zone, also when it is written as "".
  model::ZoneIndex zone(const json::object& object) {
    const std::string_view name = fields_.text(object, "zone");
    return name.empty() ? model::ZoneIndex() : zones_[name];
  }

  void add_node(const json::object& object) {
    model::Node node;
    node.name = question_.names.intern(fields_.text(object, "name"));
    node.zone = zone(object);
    node.ready = fields_.flag(object, "ready");
    node.control_plane = fields_.flag(object, "controlPlane");
    if (const auto text = fields_.text(object, "allocatableCpu"); !text.empty()) {
      const Result<Quantity> cpu = Quantity::parse(text);
      if (cpu) node.cpu = *cpu;
      if (!cpu) fields_.fail("allocatableCpu", cpu.error().message);
    }
    question_.nodes.push_back(node);
  }

  void add_endpoint(const json::object& object) {
    model::Endpoint endpoint;
    endpoint.zone = zone(object);
    endpoint.ready = fields_.condition(object, "ready");
    endpoint.hints = static_cast<std::uint32_t>(question_.hints.size());
    for (const json::value& hint : hints(object, "forZones")) {
      const auto index = zones_[fields_.as_text(hint, "forZones")];
      question_.hints.push_back(static_cast<std::uint32_t>(index.value()));
      ++endpoint.zone_hint_count;
    }
    // Which node does not matter here, only that there is one.
    endpoint.node_hint_count = static_cast<std::uint8_t>(hints(object, "forNodes").size());
    question_.hints.resize(question_.hints.size() + endpoint.node_hint_count);
    question_.endpoints.push_back(endpoint);
  }

  const json::array& hints(const json::object& object, std::string_view key) {
    static const json::array kNone;
    const json::array& list = fields_.list(object, key);
    if (list.size() <= kMaxHints) return list;
    fields_.fail(key, "more than 8 hints");
    return kNone;
  }

  // Only now: the endpoints do not move any more.
  void lay_out(const std::vector<Sliced>& slices, const std::vector<std::size_t>& ends) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const auto endpoints = std::span(question_.endpoints).subspan(begin, ends[i] - begin);
      question_.slices.push_back({.endpoints = endpoints, .state = slices[i].second});
      question_.slice_names.push_back(fields_.text(*slices[i].first, "name"));
      begin = ends[i];
    }
  }

  FieldReader fields_;
  std::map<std::string_view, model::ZoneIndex> zones_;
  HintsQuestion question_;
};

}  // namespace

policy::AutoInput HintsQuestion::input(const policy::CpuRatios& ratios,
                                       policy::AutoOptions options) const {
  policy::AutoInput input;
  input.slices = slices;
  input.hints = hints;
  input.ratios = &ratios;
  input.options = options;
  return input;
}

Result<HintsQuestion> read_hints_question(const json::object& object) {
  return Reading().read(object);
}

}  // namespace proxima::conformance
