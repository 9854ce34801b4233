// SPDX-License-Identifier: Apache-2.0
#include "simulation/steady_services.h"

#include <algorithm>

#include "simulation/cluster_objects.h"
#include "simulation/cluster_world.h"
#include "simulation/delivery.h"

namespace proxima::simulation {

void SteadyServices::note(const StoreChange& change) {
  withdrawn_.clear();
  if (is_hostile(change.key)) return;
  if (change.kind == "endpointslices") note_endpoints(change.version);
  if (change.kind == "services") note_service(change);
}

void SteadyServices::note_endpoints(std::uint64_t version) {
  struct Said {
    Precedence precedence;
    bool ready = false;
  };
  std::map<Endpoint, Said> said;
  for (const auto& [key, slice] : store_.all("endpointslices")) {
    if (is_hostile(key)) continue;
    const std::string service =
        metadata_text(slice.object, "namespace") + "/" + label(slice.object, kServiceName);
    for (const json::value& one : usable_endpoints(slice.object)) {
      const json::object& endpoint = one.as_object();
      if (is_of_hostile_pod(endpoint)) continue;
      const Said now{precedence_of(slice.object, endpoint), endpoint_is_ready(endpoint)};
      for (const json::value& address : list(endpoint, "addresses")) {
        const auto [known, is_new] =
            said.try_emplace({service, std::string(address.as_string())}, now);
        if (!is_new && known->second.precedence < now.precedence) known->second = now;
      }
    }
  }
  std::map<Endpoint, Moment> serving;
  for (const auto& [endpoint, now] : said) {
    if (!now.ready) continue;
    const auto before = serving_since_.find(endpoint);
    serving[endpoint] =
        before == serving_since_.end() ? Moment{scheduler_.now(), version} : before->second;
  }
  for (const auto& [endpoint, moment] : serving_since_)
    if (!serving.contains(endpoint)) withdrawn_.push_back(endpoint);
  serving_since_ = std::move(serving);
}

void SteadyServices::note_service(const StoreChange& change) {
  const json::object* service = store_.find("services", change.key);
  if (service == nullptr || !service->contains("spec")) {
    services_.erase(change.key);
    return;
  }
  const auto found = services_.find(change.key);
  if (found != services_.end() && found->second.spec == service->at("spec")) return;
  services_.insert_or_assign(
      change.key, Unchanged{service->at("spec"), Moment{scheduler_.now(), change.version}});
}

bool SteadyServices::has_served_since(const std::string& service, const std::string& address,
                                      Time time) const {
  const auto found = serving_since_.find({service, address});
  return found != serving_since_.end() && found->second.since + kOldestView <= time;
}

bool SteadyServices::is_steady(const std::string& key, IpFamily family, const IsOld& is_old) const {
  const auto service = services_.find(key);
  if (service == services_.end()) return false;
  return std::any_of(serving_since_.begin(), serving_since_.end(), [&](const auto& one) {
    const auto& [endpoint, began] = one;
    if (endpoint.first != key || !is_old(service->second.moment, began)) return false;
    const auto address = IpAddress::parse(endpoint.second);
    return address && address->family() == family;
  });
}

void SteadyServices::before_transaction(const ModelKernel& kernel, const Process& process,
                                        IpFamily family) {
  const Time now = scheduler_.now();
  const Time since = now - (process.started() + kYoung > now ? kOldestView : kOldestReplay);
  const IsOld is_long_ago = [since](const Moment& service, const Moment& endpoint) {
    return service.since <= since && endpoint.since <= since;
  };
  const auto has_been_read = [&](const char* kind, const Moment& moment) {
    if (moment.since + kOldestThought > now) return false;  // cheaper, and mostly enough
    const Time read = network_.knows_since(process.name(), kind, moment.version);
    return read <= now - kOldestThought;
  };
  const IsOld is_read = [&](const Moment& service, const Moment& endpoint) {
    return has_been_read("services", service) && has_been_read("endpointslices", endpoint);
  };
  delivered_.clear();
  for (const auto& [key, unchanged] : services_) {
    const bool is_known = is_steady(key, family, is_read);
    const bool is_old = is_steady(key, family, is_long_ago);
    if (!is_known && !is_old) continue;
    const json::object& service = *store_.find("services", key);
    for (const IpAddress& address : cluster_addresses(service)) {
      if (address.family() != family || !is_delivered(kernel, service, address)) continue;
      delivered_.insert(key);
      held_as_read_ += is_known ? 1 : 0;
      held_for_long_ += is_old ? 1 : 0;
    }
  }
}

std::string SteadyServices::after_transaction(const ModelKernel& kernel, IpFamily family) const {
  for (const std::string& key : delivered_) {
    const json::object& service = *store_.find("services", key);
    for (const IpAddress& address : cluster_addresses(service))
      if (address.family() == family && !is_delivered(kernel, service, address))
        return kernel.node() + ": Service " + key + " at " + address.text() +
               " loses its route, though an endpoint has served for long";
  }
  return "";
}

}  // namespace proxima::simulation
