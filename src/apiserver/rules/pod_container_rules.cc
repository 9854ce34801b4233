// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>
#include <string>

#include "apiserver/rules/name_rules.h"
#include "apiserver/rules/pod_parts.h"
#include "apiserver/rules/resource_rules.h"
#include "apiserver/rules/shared_fields.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kPullPolicies[] = {"Always", "IfNotPresent", "Never"};
constexpr std::string_view kMessagePolicies[] = {"File", "FallbackToLogsOnError"};
constexpr std::string_view kContainerRestartPolicies[] = {"Always"};

using Names = std::set<std::string_view>;

void check_port_name(FieldErrors& errors, std::string_view name, const FieldPath& path,
                     Names& names) {
  if (name.empty()) return;
  const Faults faults = port_name_faults(name);
  errors.invalid_each(path, name, faults);
  if (faults.empty() && !names.insert(name).second) errors.duplicate(path, name);
}

void check_ports(FieldErrors& errors, const JsonArray& ports, const FieldPath& path) {
  Names names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const JsonFields& port = object_of(ports[i]);
    check_port_name(errors, text_at(port, "name"), path[i] / "name", names);
    const std::int64_t number = number_at(port, "containerPort");
    if (number == 0) errors.required(path[i] / "containerPort");
    for (const std::string& fault : port_number_faults(number))
      if (number != 0) errors.invalid(path[i] / "containerPort", number, fault);
    const std::int64_t host = number_at(port, "hostPort");
    for (const std::string& fault : port_number_faults(host))
      if (host != 0) errors.invalid(path[i] / "hostPort", host, fault);
    errors.one_of(path[i] / "protocol", text_at(port, "protocol"), kProtocols);
  }
}

bool is_printable(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != '='; });
}

void check_env(FieldErrors& errors, const JsonArray& variables, const FieldPath& path) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const JsonFields& variable = object_of(variables[i]);
    const std::string_view name = text_at(variable, "name");
    if (name.empty()) {
      errors.required(path[i] / "name");
    } else if (!is_printable(name)) {
      errors.invalid(path[i] / "name", name,
                     "a valid environment variable name must consist only of printable ASCII "
                     "characters other than '='");
    }
    if (has(variable, "valueFrom") && !text_at(variable, "value").empty())
      errors.invalid(path[i] / "valueFrom", "", "may not be specified when `value` is not empty");
  }
}

void check_mounts(FieldErrors& errors, const JsonFields& container, const Names& volumes,
                  const FieldPath& path) {
  const JsonArray& mounts = array_at(container, "volumeMounts");
  Names paths;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const JsonFields& mount = object_of(mounts[i]);
    const std::string_view name = text_at(mount, "name");
    if (name.empty()) errors.required(path[i] / "name");
    if (!volumes.contains(name))
      errors.append(
          {{FieldErrorType::NotFound, (path[i] / "name").text(), boost::json::string(name), ""}});
    const std::string_view target = text_at(mount, "mountPath");
    if (target.empty()) errors.required(path[i] / "mountPath");
    if (!paths.insert(target).second)
      errors.invalid(path[i] / "mountPath", target, "must be unique");
  }
}

void check_container(FieldErrors& errors, const JsonFields& container, const Names& volumes,
                     const FieldPath& path) {
  const std::string_view name = text_at(container, "name");
  if (name.empty()) {
    errors.required(path / "name");
  } else {
    errors.invalid_each(path / "name", name, dns_label_faults(name));
  }
  if (text_at(container, "image").empty()) errors.required(path / "image");
  errors.one_of(path / "terminationMessagePolicy", text_at(container, "terminationMessagePolicy"),
                kMessagePolicies);
  check_ports(errors, array_at(container, "ports"), path / "ports");
  check_env(errors, array_at(container, "env"), path / "env");
  check_mounts(errors, container, volumes, path / "volumeMounts");
  errors.one_of(path / "imagePullPolicy", text_at(container, "imagePullPolicy"), kPullPolicies);
  check_container_resources(errors, object_at(container, "resources"), path / "resources");
}

std::size_t handler_count(const JsonFields& probe) {
  std::size_t count = 0;
  for (const std::string_view key : {"exec", "httpGet", "tcpSocket", "grpc"})
    if (has(probe, key)) ++count;
  return count;
}

void check_probe(FieldErrors& errors, const JsonFields& container, std::string_view key,
                 const FieldPath& parent) {
  if (!has(container, key)) return;
  const JsonFields& probe = object_at(container, key);
  const FieldPath path = parent / key;
  if (handler_count(probe) == 0) errors.required(path, "must specify a handler type");
  for (const std::string_view field : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                       "successThreshold", "failureThreshold"})
    if (number_at(probe, field) < 0)
      errors.invalid(path / field, number_at(probe, field), "must be greater than or equal to 0");
  if (key != "readinessProbe" && number_at(probe, "successThreshold") > 1)
    errors.invalid(path / "successThreshold", number_at(probe, "successThreshold"), "must be 1");
}

void check_host_ports(FieldErrors& errors, const JsonArray& containers, const FieldPath& path) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const JsonArray& ports = array_at(object_of(containers[i]), "ports");
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const JsonFields& port = object_of(ports[j]);
      const std::int64_t number = number_at(port, "hostPort");
      if (number == 0) continue;
      std::string key(text_at(port, "protocol"));
      key.append("/").append(text_at(port, "hostIP")).append("/").append(std::to_string(number));
      if (!seen.insert(key).second) errors.duplicate((path[i] / "ports")[j] / "hostPort", key);
    }
  }
}

void check_init_container(FieldErrors& errors, const JsonFields& container, const FieldPath& path) {
  const auto policy = find_text(container, "restartPolicy");
  if (policy && *policy != "Always")
    errors.not_supported(path / "restartPolicy", *policy, kContainerRestartPolicies);
  if (policy == "Always") return;
  for (const std::string_view key :
       {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"})
    if (has(container, key))
      errors.forbidden(path / key,
                       "may not be set for init containers without restartPolicy=Always");
}

Names volume_names(const JsonFields& spec) {
  Names out;
  for (const boost::json::value& volume : array_at(spec, "volumes"))
    out.insert(text_at(object_of(volume), "name"));
  return out;
}

}  // namespace

void check_containers(FieldErrors& errors, const JsonFields& spec) {
  const Names volumes = volume_names(spec);
  const FieldPath path("spec.containers");
  const JsonArray& containers = array_at(spec, "containers");
  Names names;
  if (containers.empty()) errors.required(path);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const JsonFields& container = object_of(containers[i]);
    check_container(errors, container, volumes, path[i]);
    const std::string_view name = text_at(container, "name");
    if (!names.insert(name).second) errors.duplicate(path[i] / "name", name);
    for (const std::string_view key : {"livenessProbe", "readinessProbe", "startupProbe"})
      check_probe(errors, container, key, path[i]);
  }
  check_host_ports(errors, containers, path);
  const FieldPath init_path("spec.initContainers");
  const JsonArray& init = array_at(spec, "initContainers");
  for (std::size_t i = 0; i < init.size(); ++i) {
    const JsonFields& container = object_of(init[i]);
    check_container(errors, container, volumes, init_path[i]);
    const std::string_view name = text_at(container, "name");
    if (!names.insert(name).second) errors.duplicate(init_path[i] / "name", name);
    check_init_container(errors, container, init_path[i]);
  }
}

void check_volumes(FieldErrors& errors, const JsonFields& spec) {
  const FieldPath path("spec.volumes");
  const JsonArray& volumes = array_at(spec, "volumes");
  Names names;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const JsonFields& volume = object_of(volumes[i]);
    const std::string_view name = text_at(volume, "name");
    std::size_t sources = 0;
    for (const auto& member : volume)
      if (member.key() != "name" && !member.value().is_null() && ++sources == 2)
        errors.forbidden(path[i] / member.key(), "may not specify more than 1 volume type");
    if (name.empty()) {
      errors.required(path[i] / "name");
      continue;
    }
    errors.invalid_each(path[i] / "name", name, dns_label_faults(name));
    if (!names.insert(name).second) errors.duplicate(path[i] / "name", name);
  }
}

}  // namespace proxima::apiserver::rules
