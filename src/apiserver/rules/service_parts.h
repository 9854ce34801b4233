// SPDX-License-Identifier: Apache-2.0
// Questions about a Service that defaults, allocation and validation all ask.
#pragma once

#include <string_view>
#include <vector>

#include "apiserver/object_rules.h"
#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

inline constexpr std::string_view kNoClusterIp = "None";

// A view of a Service's spec; borrows it.
class ServiceSpec {
 public:
  explicit ServiceSpec(const JsonFields& service) : fields_(object_at(service, "spec")) {}

  const JsonFields& fields() const { return fields_; }
  std::string_view text(std::string_view key) const { return text_at(fields_, key); }
  std::string_view type() const { return text("type"); }
  bool is(std::string_view wanted) const { return type() == wanted; }
  std::vector<std::string_view> cluster_ips() const { return texts_at(fields_, "clusterIPs"); }
  std::vector<std::string_view> ip_families() const { return texts_at(fields_, "ipFamilies"); }
  const JsonArray& ports() const { return array_at(fields_, "ports"); }

  // By its list of addresses, as validation sees it.
  bool headless() const;
  bool needs_cluster_ip() const { return !is("ExternalName"); }
  bool externally_accessible() const;
  bool needs_health_check() const {
    return is("LoadBalancer") && text("externalTrafficPolicy") == "Local";
  }
  // Not 0, in the order of the ports.
  std::vector<std::int64_t> node_ports() const;

 private:
  const JsonFields& fields_;
};

// clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy: what they may be, each and together. `old` is
// null on create.
void check_cluster_ips(FieldErrors& errors, const JsonFields& service, const JsonFields* old);
// What may become of them.
void check_cluster_ip_changes(FieldErrors& errors, const JsonFields& service,
                              const JsonFields& old);
// The ports: each, and no two alike.
void check_service_ports(FieldErrors& errors, const JsonFields& service);
void check_port_uniqueness(FieldErrors& errors, const JsonFields& service);
// topologyKeys by its historical rules, and trafficPolicy beside it: fields that upstream has not.
void check_topology_fields(FieldErrors& errors, const JsonFields& service);
void check_load_balancer_status(FieldErrors& errors, const JsonFields& service,
                                const JsonFields& old);

void apply_service_defaults(JsonFields& service);
void prepare_service_create(JsonFields& service);
void prepare_service_update(Subresource subresource, JsonFields& service, const JsonFields& old);
void warn_service(std::vector<std::string>& warnings, const JsonFields& service,
                  const JsonFields* old);

}  // namespace proxima::apiserver::rules
