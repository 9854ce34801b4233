// SPDX-License-Identifier: Apache-2.0
#include "cli/service_choice.h"

#include <algorithm>

#include "cli/near_match.h"
#include "core/model/selector.h"

namespace proxima::cli {
namespace {

using model::ServiceIndex;
using model::Snapshot;

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

bool is_kind(std::string_view text) {
  return text == "service" || text == "services" || text == "svc";
}

bool matches_selector(const Snapshot& snapshot, const model::Service& service,
                      const model::Selector& selector) {
  const auto labels = Snapshot::part(snapshot.labels, service.labels);
  return selector.matches([&](std::string_view key) -> std::optional<std::string_view> {
    const NameId value = model::label_value(labels, snapshot.names.find(key));
    if (!value) return std::nullopt;
    return snapshot.names[value];
  });
}

// The namespace that a reference without one is looked for in; none: everywhere.
std::optional<std::string> namespace_of(const ServiceReference& wanted, const ScopeOptions& scope) {
  if (wanted.ns) return wanted.ns;
  return scope.all_namespaces ? std::nullopt : scope.ns;
}

Error unknown_service(const Snapshot& snapshot, const std::string& shown,
                      const ServiceReference& wanted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < snapshot.services.size(); ++i)
    names.push_back(full_name(snapshot, ServiceIndex(i)));
  auto near = near_matches(shown, names);
  if (near.empty()) near = near_matches(wanted.name, names);
  return {ErrorCode::NotFound, "service \"" + shown + "\" not found" + did_you_mean(near)};
}

Result<std::vector<ServiceIndex>> services_named(const Snapshot& snapshot,
                                                 const ScopeOptions& scope,
                                                 const std::string& text) {
  auto parsed = parse_service_reference(text);
  if (!parsed) return std::move(parsed).error();
  const ServiceReference& wanted = *parsed;
  const auto ns = namespace_of(wanted, scope);
  std::vector<ServiceIndex> found;
  if (ns) {
    if (const auto service = snapshot.find_service(*ns, wanted.name)) found.push_back(service);
  } else {
    for (std::size_t i = 0; i < snapshot.services.size(); ++i) {
      if (snapshot.names[snapshot.services[i].name] == wanted.name) found.emplace_back(i);
    }
  }
  if (!found.empty()) return found;
  return unknown_service(snapshot, ns ? *ns + "/" + wanted.name : wanted.name, wanted);
}

template <class Object, class Name>
std::vector<std::string> names_of(const std::vector<Object>& objects, Name name) {
  std::vector<std::string> names;
  for (const Object& object : objects) names.emplace_back(name(object));
  return names;
}

}  // namespace

Result<ServiceReference> parse_service_reference(std::string_view text) {
  auto parts = parts_of(text);
  if (parts.size() > 1 && is_kind(parts.front())) parts.erase(parts.begin());
  const bool any_empty =
      std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  if (any_empty || parts.size() > 2) {
    return Error{ErrorCode::InvalidInput, "\"" + std::string(text) +
                                              "\" is not a service: write NAME, NAMESPACE/NAME or "
                                              "service/NAMESPACE/NAME"};
  }
  if (parts.size() == 1) return ServiceReference{std::nullopt, std::string(parts[0])};
  return ServiceReference{std::string(parts[0]), std::string(parts[1])};
}

std::string full_name(const Snapshot& snapshot, ServiceIndex service) {
  const model::Service& object = snapshot.services[service.value()];
  std::string out(snapshot.namespace_name(object.ns));
  return out.append("/").append(snapshot.names[object.name]);
}

Result<std::vector<ServiceIndex>> choose_services(const Snapshot& snapshot,
                                                  const ScopeOptions& scope,
                                                  const std::vector<std::string>& names) {
  std::vector<ServiceIndex> chosen;
  for (const std::string& name : names) {
    auto found = services_named(snapshot, scope, name);
    if (!found) return std::move(found).error();
    chosen.insert(chosen.end(), found->begin(), found->end());
  }
  if (!names.empty()) {
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }
  PROXIMA_TRY(const auto selector, model::Selector::parse(scope.selector), "--selector");
  for (std::size_t i = 0; i < snapshot.services.size(); ++i) {
    const model::Service& service = snapshot.services[i];
    const bool in_scope =
        scope.all_namespaces || !scope.ns || snapshot.namespace_name(service.ns) == *scope.ns;
    if (in_scope && matches_selector(snapshot, service, selector)) chosen.emplace_back(i);
  }
  return chosen;
}

Result<ServiceIndex> choose_service(const Snapshot& snapshot, const ScopeOptions& scope,
                                    const std::string& name) {
  auto found = services_named(snapshot, scope, name);
  if (!found) return std::move(found).error();
  if (found->size() == 1) return found->front();
  std::string names;
  for (const ServiceIndex service : *found)
    names += (names.empty() ? "" : ", ") + full_name(snapshot, service);
  return Error{ErrorCode::InvalidInput,
               "service \"" + name + "\" is in several namespaces: " + names};
}

Result<model::NodeIndex> choose_node(const Snapshot& snapshot, const std::string& name) {
  if (const auto node = snapshot.find_node(name)) return node;
  const auto names =
      names_of(snapshot.nodes, [&](const auto& n) { return snapshot.names[n.name]; });
  return Error{ErrorCode::NotFound,
               "node \"" + name + "\" not found" + did_you_mean(near_matches(name, names))};
}

Result<model::ZoneIndex> choose_zone(const Snapshot& snapshot, const std::string& name) {
  if (const auto zone = snapshot.find_zone(name)) return zone;
  const auto names =
      names_of(snapshot.zones, [&](const auto& z) { return snapshot.names[z.name]; });
  std::string known;
  for (const std::string& zone : names) known += (known.empty() ? "" : ", ") + zone;
  return Error{ErrorCode::NotFound, "zone \"" + name + "\" not found; the zones are " +
                                        (known.empty() ? "none" : known)};
}

}  // namespace proxima::cli
