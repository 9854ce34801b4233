// SPDX-License-Identifier: Apache-2.0
#include "apiserver/service_allocation.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>

#include "apiserver/rules/address_pool.h"
#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/service_families.h"
#include "apiserver/rules/service_parts.h"
#include "base/split_mix.h"

namespace proxima::apiserver {

using namespace rules;  // what this file is the face of

namespace {

namespace json = boost::json;

// The first address belongs to the Service through which Pods reach the API.
constexpr std::uint64_t kApiNumber = 0;

bool is_api_service(const JsonFields& service) {
  const JsonFields& metadata = object_at(service, "metadata");
  return text_at(metadata, "namespace") == "default" && text_at(metadata, "name") == "kubernetes";
}

// Everything that one call gives away, until it is certain.
struct Gains {
  std::map<IpFamily, std::set<std::uint64_t>> addresses;
  std::set<std::uint64_t> ports;
};

class Allocator final : public ServiceAllocator {
 public:
  Allocator(std::vector<AddressPool> pools, const AllocationRanges& ranges)
      : pools_(std::move(pools)),
        first_port_(ranges.first_node_port),
        ports_(static_cast<std::uint64_t>(ranges.last_node_port) - ranges.first_node_port + 1,
               port_band(static_cast<std::uint64_t>(ranges.last_node_port) -
                         ranges.first_node_port + 1)),
        random_(ranges.seed) {}

  void adopt(const JsonFields& service) override {
    for (const auto& [pool, number] : addresses_of(service)) pool->numbers().take(number);
    for (const std::uint64_t port : ports_of(service)) ports_.take(port);
  }

  std::vector<FieldError> allocate(JsonFields& service, const JsonFields* old,
                                   bool dry_run) override {
    JsonFields attempt = service;
    if (old != nullptr) keep_allocated(attempt, *old);
    sync_cluster_ips(attempt, old);
    std::vector<FieldError> refused = complete_families(attempt, old, families());
    if (!refused.empty()) return refused;
    errors_ = {};
    gains_ = {};
    dry_run_ = dry_run;
    if (!keeps_preferred_families(attempt, old)) give_addresses(attempt, old);
    if (errors_.empty()) give_ports(attempt, old);
    if (errors_.empty()) give_health_check(attempt, old);
    if (!errors_.empty()) return errors_.take();
    service = std::move(attempt);
    if (!dry_run) keep_gains();
    return {};
  }

  void release(const JsonFields& before, const JsonFields* after) override {
    const auto kept_addresses = after == nullptr ? Addresses() : addresses_of(*after);
    for (const auto& address : addresses_of(before))
      if (std::find(kept_addresses.begin(), kept_addresses.end(), address) == kept_addresses.end())
        address.first->numbers().release(address.second);
    const auto kept_ports = after == nullptr ? std::set<std::uint64_t>() : ports_of(*after);
    for (const std::uint64_t port : ports_of(before))
      if (!kept_ports.contains(port)) ports_.release(port);
  }

 private:
  using Addresses = std::vector<std::pair<AddressPool*, std::uint64_t>>;

  // A thirty-second, but 16 at least and 128 at most, as upstream keeps for those who ask.
  static std::uint64_t port_band(std::uint64_t size) {
    return size <= 16 ? 0 : std::clamp<std::uint64_t>(size / 32, 16, 128);
  }

  std::vector<std::string_view> families() const {
    std::vector<std::string_view> out;
    for (const AddressPool& pool : pools_) out.push_back(to_text(pool.family()));
    return out;
  }

  AddressPool* pool_of(IpFamily family) {
    const auto found = std::find_if(pools_.begin(), pools_.end(), [&](const AddressPool& pool) {
      return pool.family() == family;
    });
    return found == pools_.end() ? nullptr : &*found;
  }

  Addresses addresses_of(const JsonFields& service) {
    Addresses out;
    for (const std::string_view ip : ServiceSpec(service).cluster_ips()) {
      const auto address = parse_ip(ip);
      AddressPool* const pool = address ? pool_of(address->family()) : nullptr;
      const auto number = pool == nullptr ? std::nullopt : pool->number_of(*address);
      if (number) out.emplace_back(pool, *number);
    }
    return out;
  }

  std::set<std::uint64_t> ports_of(const JsonFields& service) const {
    std::set<std::uint64_t> out;
    const auto add = [&](std::int64_t port) {
      if (const auto number = port_number(port)) out.insert(*number);
    };
    for (const std::int64_t port : ServiceSpec(service).node_ports()) add(port);
    add(number_at(object_at(service, "spec"), "healthCheckNodePort"));
    return out;
  }

  std::optional<std::uint64_t> port_number(std::int64_t port) const {
    const std::int64_t offset = port - first_port_;
    if (offset < 0 || static_cast<std::uint64_t>(offset) >= ports_.size()) return std::nullopt;
    return static_cast<std::uint64_t>(offset);
  }

  void refuse_ip(const JsonFields& service, std::string_view ip, const std::string& why) {
    errors_.invalid(FieldPath("spec.clusterIPs"),
                    value_at(object_at(service, "spec"), "clusterIPs"),
                    "failed to allocate IP " + std::string(ip) + ": " + why);
  }

  // Upstream words it otherwise when it only tries.
  std::string out_of_range(const IpAddress& address, const AddressPool& pool) const {
    if (!dry_run_) return "the provided network does not match the current range";
    return "the provided IP (" + address.text() +
           ") is not in the valid range. The range of valid IPs is " + pool.network_text();
  }

  void take_address(const JsonFields& service, std::string_view ip) {
    const auto address = parse_ip(ip);
    AddressPool* const pool = address ? pool_of(address->family()) : nullptr;
    if (pool == nullptr) return;
    const auto number = pool->number_of(*address);
    if (!number) return refuse_ip(service, ip, out_of_range(*address, *pool));
    const bool reserved = *number == kApiNumber && !is_api_service(service);
    if (reserved || pool->numbers().has(*number) ||
        gains_.addresses[pool->family()].contains(*number))
      return refuse_ip(service, ip, "provided IP is already allocated");
    gains_.addresses[pool->family()].insert(*number);
  }

  std::string next_address(const JsonFields& service, std::string_view family) {
    AddressPool* const pool = pool_of(family == "IPv6" ? IpFamily::V6 : IpFamily::V4);
    std::set<std::uint64_t> besides = gains_.addresses[pool->family()];
    besides.insert(kApiNumber);
    const auto number = pool->numbers().find_free(random_.next(), besides);
    if (!number) {
      errors_.internal(FieldPath(),
                       "failed to allocate a serviceIP for Service \"" +
                           std::string(text_at(object_at(service, "metadata"), "name")) +
                           "\": range is full");
      return {};
    }
    gains_.addresses[pool->family()].insert(*number);
    return pool->address_of(*number).text();
  }

  // Addresses from `first` on: given ones are taken, the others are chosen.
  void fill_addresses(JsonFields& service, std::size_t first) {
    const auto families = ServiceSpec(service).ip_families();
    JsonFields& spec = make_object(service, "spec");
    if (find_array(spec, "clusterIPs") == nullptr) spec["clusterIPs"] = JsonArray();
    for (std::size_t i = first; i < families.size() && errors_.empty(); ++i) {
      JsonArray& ips = spec["clusterIPs"].as_array();
      if (i < ips.size()) {
        take_address(service, text_of(ips[i]));
      } else {
        ips.emplace_back(json::string(next_address(service, families[i])));
      }
    }
    const JsonArray& ips = array_at(spec, "clusterIPs");
    if (!ips.empty()) spec["clusterIP"] = ips.front();
  }

  void give_addresses(JsonFields& service, const JsonFields* old) {
    const ServiceSpec now(service);
    const auto ips = now.cluster_ips();
    if (!now.needs_cluster_ip() || (!ips.empty() && ips.front() == kNoClusterIp)) return;
    if (old == nullptr || !ServiceSpec(*old).needs_cluster_ip()) return fill_addresses(service, 0);
    const ServiceSpec before(*old);
    if (before.headless()) return;
    if (before.ip_families().size() == 1 && now.ip_families().size() == 2)
      fill_addresses(service, 1);
  }

  // nullopt: what is wrong is in errors_.
  std::optional<std::string> take_port(std::int64_t port) {
    const auto number = port_number(port);
    if (!number)
      return "provided port is not in the valid range. The range of valid ports is " +
             std::to_string(first_port_) + "-" +
             std::to_string(first_port_ + static_cast<std::int64_t>(ports_.size()) - 1);
    if (ports_.has(*number) || gains_.ports.contains(*number))
      return "provided port is already allocated";
    gains_.ports.insert(*number);
    return std::nullopt;
  }

  std::int64_t next_port(std::string_view what) {
    const auto number = ports_.find_free(random_.next(), gains_.ports);
    if (!number) {
      errors_.internal(FieldPath(),
                       "failed to allocate a " + std::string(what) + ": range is full");
      return 0;
    }
    gains_.ports.insert(*number);
    return first_port_ + static_cast<std::int64_t>(*number);
  }

  void refuse_port(std::size_t index, std::int64_t port, const std::string& why) {
    errors_.invalid(FieldPath("spec.ports")[index] / "nodePort", port, why);
  }

  static bool wants_ports(const ServiceSpec& spec) {
    return spec.is("NodePort") ||
           (spec.is("LoadBalancer") && flag_at(spec.fields(), "allocateLoadBalancerNodePorts"));
  }

  void give_ports(JsonFields& service, const JsonFields* old) {
    const ServiceSpec now(service);
    if (!now.is("NodePort") && !now.is("LoadBalancer")) return;
    const bool wanted = wants_ports(now);
    JsonArray* const ports = find_array(make_object(service, "spec"), "ports");
    if (ports == nullptr) return;
    if (old == nullptr) {
      give_new_ports(*ports, wanted);
    } else {
      give_changed_ports(*ports, wanted, ServiceSpec(*old).node_ports());
    }
  }

  // By the port's number, which several protocols may share: the node port that is asked for first.
  static std::map<std::int64_t, std::int64_t> requested_ports(const JsonArray& ports) {
    std::map<std::int64_t, std::int64_t> out;
    for (const json::value& port : ports)
      if (const std::int64_t asked = number_at(object_of(port), "nodePort"); asked != 0)
        out.emplace(number_at(object_of(port), "port"), asked);
    return out;
  }

  void give_new_ports(JsonArray& ports, bool wanted) {
    std::map<std::int64_t, std::int64_t> given;  // by the port's number
    auto requested = requested_ports(ports);
    for (std::size_t i = 0; i < ports.size() && errors_.empty(); ++i) {
      JsonFields& port = ports[i].as_object();
      const std::int64_t asked = number_at(port, "nodePort");
      if (asked == 0 && !wanted) continue;
      std::int64_t& shared = given[number_at(port, "port")];
      if (shared != 0 && asked == shared) continue;
      if (shared != 0 && asked == 0) {
        port["nodePort"] = shared;
        continue;
      }
      const std::int64_t number = shared != 0 ? asked : requested[number_at(port, "port")];
      if (number == 0) {
        shared = next_port("nodePort");
      } else if (const auto why = take_port(number)) {
        return refuse_port(i, number, *why);
      } else if (shared == 0) {
        shared = number;
      }
      port["nodePort"] = number == 0 ? shared : number;
    }
  }

  void give_changed_ports(JsonArray& ports, bool wanted, const std::vector<std::int64_t>& before) {
    std::set<std::int64_t> taken(before.begin(), before.end());
    for (std::size_t i = 0; i < ports.size() && errors_.empty(); ++i) {
      JsonFields& port = ports[i].as_object();
      const std::int64_t asked = number_at(port, "nodePort");
      if (asked == 0) {
        if (wanted) port["nodePort"] = next_port("nodePort");
      } else if (taken.insert(asked).second) {
        if (const auto why = take_port(asked)) return refuse_port(i, asked, *why);
      }
    }
  }

  void give_health_check(JsonFields& service, const JsonFields* old) {
    const bool needed = ServiceSpec(service).needs_health_check();
    const bool had = old != nullptr && ServiceSpec(*old).needs_health_check();
    if (!needed || had) return;
    JsonFields& spec = make_object(service, "spec");
    const std::int64_t asked = number_at(spec, "healthCheckNodePort");
    if (asked == 0) {
      spec["healthCheckNodePort"] = next_port("HealthCheck NodePort 0");
    } else if (const auto why = take_port(asked)) {
      errors_.internal(FieldPath(), "failed to allocate requested HealthCheck NodePort " +
                                        std::to_string(asked) + ": " + *why);
    }
  }

  void keep_gains() {
    for (const auto& [family, numbers] : gains_.addresses)
      for (const std::uint64_t number : numbers) pool_of(family)->numbers().take(number);
    for (const std::uint64_t port : gains_.ports) ports_.take(port);
  }

  std::vector<AddressPool> pools_;  // the primary family first
  std::int64_t first_port_;
  NumberPool ports_;
  SplitMix random_;
  // Of the call that is running.
  FieldErrors errors_;
  Gains gains_;
  bool dry_run_ = false;
};

Error bad_range(const std::string& why) { return {ErrorCode::InvalidInput, why}; }

}  // namespace

Result<std::unique_ptr<ServiceAllocator>> ServiceAllocator::create(const AllocationRanges& ranges) {
  std::vector<AddressPool> pools;
  for (const std::string& text : ranges.service_cidrs) {
    const auto network = parse_cidr(text);
    if (!network) return bad_range("not a network: " + text);
    if (network->width() - network->prefix < 2) return bad_range("too small for Services: " + text);
    for (const AddressPool& pool : pools)
      if (pool.family() == network->base.family())
        return bad_range("two networks of one family: " + text);
    pools.emplace_back(*network);
  }
  if (pools.empty()) return bad_range("no network for Services");
  if (ranges.first_node_port == 0 || ranges.first_node_port > ranges.last_node_port)
    return bad_range("no node ports between " + std::to_string(ranges.first_node_port) + " and " +
                     std::to_string(ranges.last_node_port));
  return std::unique_ptr<ServiceAllocator>(std::make_unique<Allocator>(std::move(pools), ranges));
}

StatusError allocation_refusal(std::string_view name, const std::vector<FieldError>& errors) {
  if (!errors.empty() && errors.front().type == FieldErrorType::InternalError)
    return internal_error(errors.front().detail);
  return invalid_object(resource_of(Kind::Service), name, errors);
}

}  // namespace proxima::apiserver
