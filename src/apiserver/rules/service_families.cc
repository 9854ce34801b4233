// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/service_families.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <map>
#include <set>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/service_parts.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;
using Families = std::vector<std::string_view>;

const FieldPath kFamilyPolicy("spec.ipFamilyPolicy");

std::string_view other_family(std::string_view family) {
  return family == "IPv4" ? "IPv6" : "IPv4";
}

bool contains(const Families& families, std::string_view family) {
  return std::find(families.begin(), families.end(), family) != families.end();
}

JsonArray& make_list(JsonFields& spec, std::string_view key) {
  if (find_array(spec, key) == nullptr) spec[key] = JsonArray();
  return spec[key].as_array();
}

bool unselective_headless(const ServiceSpec& spec) {
  return spec.text("clusterIP") == kNoClusterIp && object_at(spec.fields(), "selector").empty();
}

// Without a policy: the one it had, or one stack, or both for headless Services without selector,
// whose endpoints somebody else decides.
void default_policy(JsonFields& service, const JsonFields* old) {
  const bool dual = unselective_headless(ServiceSpec(service));
  JsonFields& spec = make_object(service, "spec");
  if (has(spec, "ipFamilyPolicy")) return;
  if (old != nullptr && has(object_at(*old, "spec"), "ipFamilyPolicy")) {
    copy_member(spec, object_at(*old, "spec"), "ipFamilyPolicy");
  } else {
    spec["ipFamilyPolicy"] = dual ? "RequireDualStack" : "SingleStack";
  }
}

class Completion {
 public:
  Completion(JsonFields& service, const JsonFields* old, const Families& configured)
      : service_(service), old_(old), configured_(configured) {}

  std::vector<FieldError> run() {
    default_policy(service_, old_);
    check_cluster_ips(errors_, service_, old_);
    if (!errors_.empty()) return errors_.take();
    if (old_ != nullptr) check_reduction();
    check_policy();
    infer_from_ips();
    if (!errors_.empty()) return errors_.take();
    if (unselective_headless(ServiceSpec(service_))) {
      fill_families(true);
      return {};
    }
    check_configured();
    if (errors_.empty()) fill_families(false);
    return errors_.take();
  }

 private:
  JsonFields& spec() { return make_object(service_, "spec"); }
  std::string_view policy() const { return ServiceSpec(service_).text("ipFamilyPolicy"); }
  bool single() const { return policy() == "SingleStack"; }

  // One stack is enough reason to let the second address go; without it, letting go is a mistake.
  void check_reduction() {
    const ServiceSpec before(*old_);
    for (const std::string_view key : {"clusterIPs", "ipFamilies"}) {
      JsonArray* const list = find_array(spec(), key);
      const std::size_t size = list == nullptr ? 0 : list->size();
      const bool same_list = same_member(spec(), before.fields(), key);
      if (single() && same_list && size > 1) list->resize(1);
      if (!single() && size > 0 && size < array_at(before.fields(), key).size())
        errors_.invalid(kFamilyPolicy, policy(),
                        key == "clusterIPs"
                            ? "must be 'SingleStack' to release the secondary cluster IP"
                            : "must be 'SingleStack' to release the secondary IP family");
    }
  }

  void check_policy() {
    const ServiceSpec view(service_);
    if (!single()) return;
    if (view.cluster_ips().size() == 2)
      errors_.invalid(kFamilyPolicy, policy(),
                      "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs "
                      "are specified");
    if (view.ip_families().size() == 2)
      errors_.invalid(kFamilyPolicy, policy(),
                      "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families "
                      "are specified");
  }

  void infer_from_ips() {
    const std::size_t given = ServiceSpec(service_).ip_families().size();
    const auto ips = ServiceSpec(service_).cluster_ips();
    for (std::size_t i = 0; i < ips.size() && ips[i] != kNoClusterIp; ++i) {
      if (i < given) continue;
      const auto family = family_of(ips[i]);
      const std::string_view name = family == IpFamily::V6 ? "IPv6" : "IPv4";
      if (contains(configured_, name)) {
        make_list(spec(), "ipFamilies").emplace_back(json::string(name));
      } else {
        errors_.invalid(FieldPath("spec.clusterIPs")[i], value_at(spec(), "clusterIPs"),
                        std::string(name) + " is not configured on this cluster");
      }
    }
  }

  void check_configured() {
    if (policy() == "RequireDualStack" && configured_.size() < 2)
      errors_.invalid(kFamilyPolicy, policy(),
                      "this cluster is not configured for dual-stack services");
    const auto families = ServiceSpec(service_).ip_families();
    for (std::size_t i = 0; i < families.size(); ++i)
      if (!contains(configured_, families[i]))
        errors_.invalid(FieldPath("spec.ipFamilies")[i], families[i],
                        "not configured on this cluster");
  }

  void fill_families(bool any_cluster) {
    JsonArray& families = make_list(spec(), "ipFamilies");
    if (families.empty()) families.emplace_back(json::string(configured_.front()));
    const bool room = any_cluster || configured_.size() == 2;
    if (!single() && families.size() == 1 && room)
      families.emplace_back(json::string(other_family(text_of(families.front()))));
  }

  JsonFields& service_;
  const JsonFields* old_;
  const Families& configured_;
  FieldErrors errors_;
};

void keep_node_ports(JsonFields& spec, const JsonFields& old) {
  std::map<std::string_view, std::int64_t> by_name;
  std::set<std::int64_t> before;
  std::set<std::int64_t> used;
  for (const json::value& port : array_at(old, "ports")) {
    by_name[text_at(object_of(port), "name")] = number_at(object_of(port), "nodePort");
    before.insert(number_at(object_of(port), "nodePort"));
  }
  JsonArray* const ports = find_array(spec, "ports");
  if (ports == nullptr) return;
  for (const json::value& port : *ports)
    if (before.contains(number_at(object_of(port), "nodePort")))
      used.insert(number_at(object_of(port), "nodePort"));
  for (json::value& port : *ports) {
    if (number_at(object_of(port), "nodePort") != 0) continue;
    const auto known = by_name.find(text_at(object_of(port), "name"));
    if (known != by_name.end() && known->second != 0 && !used.contains(known->second))
      port.as_object()["nodePort"] = known->second;
  }
}

bool allocates_node_ports(const ServiceSpec& spec) {
  if (spec.is("NodePort")) return true;
  return spec.is("LoadBalancer") && (!has(spec.fields(), "allocateLoadBalancerNodePorts") ||
                                     flag_at(spec.fields(), "allocateLoadBalancerNodePorts"));
}

}  // namespace

void sync_cluster_ips(JsonFields& service, const JsonFields* old) {
  JsonFields& spec = make_object(service, "spec");
  const std::string ip(text_at(spec, "clusterIP"));
  const bool listed = !array_at(spec, "clusterIPs").empty();
  if (old == nullptr) {
    if (!ip.empty() && !listed) spec["clusterIPs"] = JsonArray{json::string(ip)};
    return;
  }
  const JsonFields& before = object_at(*old, "spec");
  const std::string_view old_ip = text_at(before, "clusterIP");
  if (!listed && ip == old_ip) copy_member(spec, before, "clusterIPs");
  if (ip == old_ip || !same_member(spec, before, "clusterIPs")) return;
  if (ip.empty()) {
    spec.erase("clusterIPs");
  } else {
    spec["clusterIPs"] = JsonArray{json::string(ip)};
  }
}

void keep_allocated(JsonFields& service, const JsonFields& old) {
  const ServiceSpec now(service);
  const ServiceSpec before(old);
  const bool keeps_ip = now.needs_cluster_ip() && before.needs_cluster_ip();
  const bool keeps_ports = allocates_node_ports(now) && allocates_node_ports(before);
  const bool keeps_check = now.needs_health_check() && before.needs_health_check();
  JsonFields& spec = make_object(service, "spec");
  if (keeps_ip && text_at(spec, "clusterIP").empty())
    copy_member(spec, before.fields(), "clusterIP");
  if (keeps_ip && array_at(spec, "clusterIPs").empty())
    copy_member(spec, before.fields(), "clusterIPs");
  if (keeps_ports) keep_node_ports(spec, before.fields());
  if (keeps_check && number_at(spec, "healthCheckNodePort") == 0)
    copy_member(spec, before.fields(), "healthCheckNodePort");
}

bool keeps_preferred_families(const JsonFields& service, const JsonFields* old) {
  if (old == nullptr) return false;
  const ServiceSpec now(service);
  const ServiceSpec before(*old);
  const auto prefers = [](const ServiceSpec& spec) {
    return spec.text("ipFamilyPolicy") == "PreferDualStack";
  };
  return now.type() == before.type() && now.needs_cluster_ip() && prefers(now) &&
         (prefers(before) || !has(before.fields(), "ipFamilyPolicy")) &&
         same_member(now.fields(), before.fields(), "clusterIPs") &&
         same_member(now.fields(), before.fields(), "ipFamilies");
}

std::vector<FieldError> complete_families(JsonFields& service, const JsonFields* old,
                                          const std::vector<std::string_view>& configured) {
  if (!ServiceSpec(service).needs_cluster_ip() || keeps_preferred_families(service, old)) return {};
  return Completion(service, old, configured).run();
}

}  // namespace proxima::apiserver::rules
