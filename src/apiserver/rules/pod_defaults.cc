// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/rules/pod_parts.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

// The tag of an image's name; "latest" when it has neither tag nor digest.
std::string_view image_tag(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return {};
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool tagged =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return tagged ? image.substr(colon + 1) : "latest";
}

template <class Apply>
void each_object(JsonFields& owner, std::string_view key, Apply apply) {
  if (JsonArray* const list = find_array(owner, key))
    for (json::value& item : *list)
      if (item.is_object()) apply(item.get_object());
}

void default_handler(JsonFields& handler) {
  if (JsonFields* const get = find_object(handler, "httpGet")) {
    default_text(*get, "path", "/");
    default_text(*get, "scheme", "HTTP");
  }
  if (JsonFields* const grpc = find_object(handler, "grpc")) default_value(*grpc, "service", "");
}

void default_number(JsonFields& object, std::string_view key, std::int64_t value) {
  if (number_at(object, key) == 0) object[key] = value;
}

void default_probe(JsonFields& probe) {
  default_number(probe, "timeoutSeconds", 1);
  default_number(probe, "periodSeconds", 10);
  default_number(probe, "successThreshold", 1);
  default_number(probe, "failureThreshold", 3);
  default_handler(probe);
}

void default_env(JsonFields& variable) {
  JsonFields* const from = find_object(variable, "valueFrom");
  if (from == nullptr) return;
  if (JsonFields* const field = find_object(*from, "fieldRef"))
    default_text(*field, "apiVersion", "v1");
}

// Who limits a resource and does not say what it needs needs the limit.
void default_requests(JsonFields& container) {
  JsonFields* const resources = find_object(container, "resources");
  if (resources == nullptr || object_at(*resources, "limits").empty()) return;
  const JsonFields limits = object_at(*resources, "limits");
  JsonFields& requests = make_object(*resources, "requests");
  for (const auto& limit : limits)
    if (!requests.contains(limit.key())) requests[limit.key()] = limit.value();
}

void default_host_ports(JsonFields& container) {
  each_object(container, "ports", [](JsonFields& port) {
    default_number(port, "hostPort", number_at(port, "containerPort"));
  });
}

void default_items(JsonFields& source) {
  each_object(source, "items", [](JsonFields& item) {
    if (JsonFields* const field = find_object(item, "fieldRef"))
      default_text(*field, "apiVersion", "v1");
  });
}

void default_projection(JsonFields& source) {
  if (JsonFields* const api = find_object(source, "downwardAPI")) default_items(*api);
  if (JsonFields* const token = find_object(source, "serviceAccountToken"))
    default_value(*token, "expirationSeconds", 3600);
}

bool has_source(const JsonFields& volume) {
  return std::any_of(volume.begin(), volume.end(), [](const auto& member) {
    return member.key() != "name" && !member.value().is_null();
  });
}

void default_spec(JsonFields& spec) {
  default_text(spec, "dnsPolicy", "ClusterFirst");
  default_text(spec, "restartPolicy", "Always");
  default_value(spec, "securityContext", JsonFields());
  default_value(spec, "terminationGracePeriodSeconds", 30);
  if (number_at(spec, "terminationGracePeriodSeconds") < 0)
    spec["terminationGracePeriodSeconds"] = 1;
  default_text(spec, "schedulerName", "default-scheduler");
  default_value(spec, "enableServiceLinks", true);
  // The old name of the service account is kept in step with the new one.
  const std::string account(text_at(spec, "serviceAccountName"));
  const std::string old_account(text_at(spec, "serviceAccount"));
  if (!account.empty()) {
    spec["serviceAccount"] = account;
  } else if (!old_account.empty()) {
    spec["serviceAccountName"] = old_account;
  }
}

}  // namespace

void default_container(JsonFields& container) {
  default_text(container, "imagePullPolicy",
               image_tag(text_at(container, "image")) == "latest" ? "Always" : "IfNotPresent");
  default_text(container, "terminationMessagePath", "/dev/termination-log");
  default_text(container, "terminationMessagePolicy", "File");
  each_object(container, "ports", [](JsonFields& port) { default_text(port, "protocol", "TCP"); });
  each_object(container, "env", default_env);
  for (const std::string_view key : {"livenessProbe", "readinessProbe", "startupProbe"})
    if (JsonFields* const probe = find_object(container, key)) default_probe(*probe);
  if (JsonFields* const lifecycle = find_object(container, "lifecycle"))
    for (const std::string_view key : {"postStart", "preStop"})
      if (JsonFields* const handler = find_object(*lifecycle, key)) default_handler(*handler);
}

void default_volume(JsonFields& volume) {
  constexpr std::int64_t kReadable = 0644;
  if (!has_source(volume)) volume["emptyDir"] = JsonFields();
  for (const std::string_view key : {"secret", "configMap", "downwardAPI", "projected"})
    if (JsonFields* const source = find_object(volume, key)) {
      default_value(*source, "defaultMode", kReadable);
      default_items(*source);
      each_object(*source, "sources", default_projection);
    }
  if (JsonFields* const path = find_object(volume, "hostPath")) default_value(*path, "type", "");
}

void apply_pod_defaults(JsonFields& pod) {
  JsonFields& spec = make_object(pod, "spec");
  const bool host_network = flag_at(spec, "hostNetwork");
  for (const std::string_view key : {"containers", "initContainers"})
    each_object(spec, key, [&](JsonFields& container) {
      default_requests(container);
      if (host_network) default_host_ports(container);
      default_container(container);
    });
  each_object(spec, "ephemeralContainers", default_container);
  each_object(spec, "volumes", default_volume);
  default_spec(spec);
}

}  // namespace proxima::apiserver::rules
