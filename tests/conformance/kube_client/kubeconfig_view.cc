// SPDX-License-Identifier: Apache-2.0
// Prints what find_connection() makes of KUBECONFIG and the flags, in kubectl's words, for
// kubeconfig_test.py to compare:
//
//   kubeconfig_view [--kubeconfig FILE] [--context NAME]
#include <boost/json.hpp>
#include <cstdlib>
#include <iostream>

#include "kube/base64.h"
#include "kube/connection.h"

namespace {

namespace json = boost::json;
using namespace proxima::kube;

void add(json::object& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json::object view(const ClusterEntry& cluster) {
  json::object object{{"server", cluster.server}};
  add(object, "tls-server-name", cluster.tls_server_name);
  add(object, "certificate-authority", cluster.ca_file);
  add(object, "certificate-authority-data", base64_encode(cluster.ca_pem));
  add(object, "proxy-url", cluster.proxy_url);
  if (cluster.insecure_skip_tls_verify) object["insecure-skip-tls-verify"] = true;
  if (cluster.disable_compression) object["disable-compression"] = true;
  return object;
}

json::object view(const ExecEntry& exec) {
  json::object object{{"apiVersion", exec.api_version}, {"command", exec.command}};
  object["args"] = exec.arguments.empty() ? json::value(nullptr) : json::value_from(exec.arguments);
  json::array environment;
  for (const auto& [name, value] : exec.environment)
    environment.push_back(json::object{{"name", name}, {"value", value}});
  object["env"] = environment.empty() ? json::value(nullptr) : json::value(environment);
  constexpr const char* kModes[] = {"Never", "IfAvailable", "Always"};
  object["interactiveMode"] = kModes[static_cast<int>(exec.interactive_mode.value())];
  object["provideClusterInfo"] = exec.provide_cluster_info;
  add(object, "installHint", exec.install_hint);
  return object;
}

json::object view(const UserEntry& user) {
  json::object object;
  add(object, "token", user.token);
  add(object, "tokenFile", user.token_file);
  add(object, "client-certificate", user.certificate_file);
  add(object, "client-certificate-data", base64_encode(user.certificate_pem));
  add(object, "client-key", user.key_file);
  add(object, "client-key-data", base64_encode(user.key_pem));
  add(object, "username", user.username);
  add(object, "password", user.password);
  if (user.exec) object["exec"] = view(*user.exec);
  add(object, "as", user.impersonation.user);
  add(object, "as-uid", user.impersonation.uid);
  if (!user.impersonation.groups.empty())
    object["as-groups"] = json::value_from(user.impersonation.groups);
  if (!user.impersonation.extra.empty())
    object["as-user-extra"] = json::value_from(user.impersonation.extra);
  return object;
}

ConnectionOptions options(int count, char** words) {
  ConnectionOptions wanted;
  for (const char* name : {"KUBECONFIG", "HOME"})
    if (const char* value = std::getenv(name)) wanted.environment[name] = value;
  for (int i = 1; i + 1 < count; i += 2)
    (std::string_view(words[i]) == "--context" ? wanted.context : wanted.kubeconfig) = words[i + 1];
  return wanted;
}

}  // namespace

int main(int count, char** words) {
  const auto connection = find_connection(options(count, words));
  if (!connection) {
    std::cerr << connection.error().message << '\n';
    return 1;
  }
  std::cout << json::serialize(json::object{{"cluster", view(connection->cluster)},
                                            {"user", view(connection->user)},
                                            {"namespace", connection->ns}})
            << '\n';
  return 0;
}
