// SPDX-License-Identifier: Apache-2.0
#include "cli/sysdump_cluster.h"

#include <array>
#include <boost/json.hpp>

#include "cli/progress.h"
#include "kube/json_member.h"
#include "kube/list_pages.h"
#include "kube/object_client.h"
#include "sysdump/allowed_fields.h"

namespace proxima::cli {
namespace {

constexpr const char* kLeaseNamespace = "kube-system";
constexpr const char* kLeaseName = "proxima-controller";

constexpr std::array kListed = {kube::kNamespaces,     kube::kNodes, kube::kServices,
                                kube::kEndpointSlices, kube::kPods,  kube::kCoreEvents};

class Collection {
 public:
  Collection(kube::KubeApi& api, sysdump::SysdumpArchive& archive, Console& console)
      : api_(api),
        archive_(archive),
        console_(console),
        progress_(console, "Reading the cluster") {}

  // An error: nobody answers, and nobody will.
  Status take_version() {
    const auto answer = api_.send({.path = "/version"}, {});
    if (!answer) return answer.error();
    boost::system::error_code broken;
    const boost::json::value version = boost::json::parse(answer->body, broken);
    if (!broken && version.is_object())
      archive_.set_kubernetes(kube::text_member(version.get_object(), "gitVersion"));
    return Unit{};
  }

  void take_list(const kube::Resource& resource, const std::string& ns) {
    sysdump::ObjectFile file(sysdump::allowed_kind(resource.plural));
    kube::ListPages pages(api_, resource, resource.namespaced ? ns : "");
    for (;;) {
      const auto page = pages.next({});
      if (!page) return miss(resource, page.error().message);
      if (!*page) break;
      bytes_ += (*page)->size();
      progress_.update(bytes_, 0);
      if (const Status added = file.add_list(**page); !added)
        return miss(resource, added.error().message);
    }
    archive_.add_objects(resource.plural, std::move(file));
  }

  void take_object(const kube::ObjectRef& ref) {
    sysdump::ObjectFile file(sysdump::allowed_kind(ref.resource.plural));
    auto object = kube::ObjectClient(api_).get(ref, {});
    if (!object) {
      const std::string why = kube::to_error(object.error()).message;
      // No controller has ever run there, or it has a Lease of another name.
      if (kube::is_not_found(object.error()))
        return archive_.add_missing(std::string(ref.resource.plural), why);
      return miss(ref.resource, why);
    }
    if (const Status added = file.add_object(*object); !added)
      return miss(ref.resource, added.error().message);
    archive_.add_objects(ref.resource.plural, std::move(file));
  }

 private:
  void miss(const kube::Resource& resource, const std::string& why) {
    progress_.clear();
    console_.warning("the sysdump has no " + std::string(resource.plural) + ": " + why);
    archive_.add_missing(std::string(resource.plural), why);
  }

  kube::KubeApi& api_;
  sysdump::SysdumpArchive& archive_;
  Console& console_;
  ProgressLine progress_;
  std::size_t bytes_ = 0;
};

}  // namespace

void note_missing_cluster(const std::string& why, sysdump::SysdumpArchive& archive) {
  for (const sysdump::AllowedKind& kind : sysdump::allowed_kinds())
    archive.add_missing(std::string(kind.plural), why);
}

void collect_cluster(kube::KubeApi& api, const std::string& ns, sysdump::SysdumpArchive& archive,
                     Console& console) {
  Collection collection(api, archive, console);
  if (const Status reached = collection.take_version(); !reached) {
    console.warning("the sysdump has nothing of the cluster: " + reached.error().message);
    return note_missing_cluster(reached.error().message, archive);
  }
  for (const kube::Resource& resource : kListed) {
    // Who may read one namespace may rarely list them.
    if (!ns.empty() && resource.plural == kube::kNamespaces.plural) {
      collection.take_object({kube::kNamespaces, "", ns});
    } else {
      collection.take_list(resource, ns);
    }
  }
  collection.take_object({kube::kLeases, kLeaseNamespace, kLeaseName});
}

}  // namespace proxima::cli
