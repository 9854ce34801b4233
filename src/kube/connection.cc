// SPDX-License-Identifier: Apache-2.0
#include "kube/connection.h"

#include <algorithm>

#include "base/ascii.h"
#include "kube/config_file.h"

namespace proxima::kube {
namespace {

constexpr std::size_t kMaxConfigFiles = 64;

// What an entry is called in messages: "FILE: cluster NAME".
template <class Entry>
std::string place(const FromFile<Entry>& found, const char* kind, const std::string& name) {
  return found.file + ": " + kind + " " + name;
}

// The files that KUBECONFIG names, each once.
std::vector<std::string> listed_files(std::string_view list) {
  std::vector<std::string> files;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    const std::string file(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end())
      files.push_back(file);
  }
  return files;
}

std::vector<std::string> default_files(const Environment& environment) {
  const std::string_view listed = variable(environment, "KUBECONFIG");
  if (!listed.empty()) return listed_files(listed);
  const std::string_view home = variable(environment, "HOME");
  if (home.empty()) return {};
  return {std::string(home) + "/.kube/config"};
}

// Files that are not there are skipped; nullopt when none is.
Result<std::optional<Kubeconfig>> read_files(const std::vector<std::string>& files) {
  if (files.size() > kMaxConfigFiles) return invalid_input("KUBECONFIG: more than 64 files");
  std::optional<Kubeconfig> merged;
  for (const std::string& file : files) {
    auto text = read_config_file(file);
    if (!text && text.error().code == ErrorCode::NotFound) continue;
    if (!text) return std::move(text).error();
    auto config = parse_kubeconfig(*text, file);
    if (!config) return std::move(config).error();
    if (!merged) merged.emplace();
    merge_kubeconfig(*merged, std::move(config).value());
  }
  return merged;
}

bool is_empty(const Kubeconfig& config) {
  return config.clusters.empty() && config.users.empty() && config.contexts.empty();
}

// As client-go: a server without a scheme is "https" when anything about TLS is said.
std::string with_scheme(const ClusterEntry& cluster, const UserEntry& user) {
  if (cluster.server.find("://") != std::string::npos) return cluster.server;
  const bool tls = !cluster.ca_file.empty() || !cluster.ca_pem.empty() ||
                   cluster.insecure_skip_tls_verify || !user.certificate_file.empty() ||
                   !user.certificate_pem.empty();
  return (tls ? "https://" : "http://") + cluster.server;
}

Status check_cluster(const ClusterEntry& cluster) {
  if (cluster.server.empty()) return invalid_input("server: is empty");
  const std::string& proxy = cluster.proxy_url;
  // The URL is not quoted: it may hold a password.
  if (!proxy.empty() && !proxy.starts_with("http://") && !proxy.starts_with("https://") &&
      !proxy.starts_with("socks5://"))
    return invalid_input("proxy-url: unsupported scheme, must be http, https, or socks5");
  if (!cluster.ca_file.empty() && !cluster.ca_pem.empty())
    return invalid_input("certificate-authority and certificate-authority-data are both specified");
  if (cluster.insecure_skip_tls_verify && !(cluster.ca_file.empty() && cluster.ca_pem.empty()))
    return invalid_input(
        "insecure-skip-tls-verify: specifying a root certificates file with the insecure flag is "
        "not allowed");
  return Unit{};
}

Status check_exec(const ExecEntry& exec) {
  if (exec.command.empty()) return invalid_input("exec.command: must be specified");
  if (exec.api_version.empty()) return invalid_input("exec.apiVersion: must be specified");
  if (exec.api_version != "client.authentication.k8s.io/v1" &&
      exec.api_version != "client.authentication.k8s.io/v1beta1")
    return invalid_input("exec.apiVersion: neither client.authentication.k8s.io/v1 nor v1beta1");
  for (const auto& [name, value] : exec.environment)
    if (name.empty()) return invalid_input("exec.env: a variable has no name");
  if (!exec.interactive_mode)
    return invalid_input("exec.interactiveMode: must be Never, IfAvailable or Always");
  return Unit{};
}

Status check_certificate(const UserEntry& user) {
  const bool file = !user.certificate_file.empty();
  const bool data = !user.certificate_pem.empty();
  if (!file && !data) return Unit{};
  if (file && data)
    return invalid_input("client-certificate and client-certificate-data are both specified");
  if (!user.key_file.empty() && !user.key_pem.empty())
    return invalid_input("client-key and client-key-data are both specified");
  if (user.key_file.empty() && user.key_pem.empty())
    return invalid_input(
        "client-key or client-key-data must be specified beside a client certificate");
  return Unit{};
}

Status check_user(const UserEntry& user) {
  const bool basic = !user.username.empty() || !user.password.empty();
  if (basic && !user.token.empty())
    return invalid_input("more than one authentication method: token and basicAuth");
  if (!user.auth_provider.empty())
    return Error{ErrorCode::Unsupported,
                 "auth-provider: no longer supported; use an exec credential plugin"};
  const Impersonation& as = user.impersonation;
  if (as.user.empty() && !(as.uid.empty() && as.groups.empty() && as.extra.empty()))
    return invalid_input("as: uid, groups or user-extra without impersonating a user");
  PROXIMA_TRY(Unit{}, check_certificate(user), "client certificate");
  return user.exec ? check_exec(*user.exec) : Status(Unit{});
}

template <class Entry>
Result<FromFile<Entry>> referenced(const std::map<std::string, FromFile<Entry>>& entries,
                                   const char* kind, const std::string& name) {
  if (name.empty()) return invalid_input(std::string(kind) + ": is empty");
  const auto found = entries.find(name);
  if (found == entries.end())
    return invalid_input(std::string(kind) + ": there is no \"" + name + "\"");
  return found->second;
}

void add_warnings(Connection& connection) {
  if (connection.cluster.insecure_skip_tls_verify)
    connection.warnings.push_back(connection.origin +
                                  ": insecure-skip-tls-verify is set, so anybody between here and "
                                  "the API server can read and change everything");
  if (connection.cluster.server.starts_with("http://"))
    connection.warnings.push_back(connection.origin +
                                  ": the server's URL is plain http: credentials are not sent");
}

std::string host_and_port(std::string_view host, std::string_view port) {
  const bool v6 = host.find(':') != std::string_view::npos;
  return (v6 ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::string(port);
}

std::string own_namespace(const Environment& environment, const std::string& folder) {
  const std::string_view named = variable(environment, "POD_NAMESPACE");
  if (!named.empty()) return std::string(named);
  const auto text = read_config_file(folder + "/namespace");
  const std::string ns = std::string(text ? trimmed(*text) : std::string_view());
  return ns.empty() ? "default" : ns;
}

}  // namespace

Result<Connection> choose_context(const Kubeconfig& config, const std::string& name) {
  const std::string& wanted = name.empty() ? config.current_context : name;
  if (wanted.empty())
    return invalid_input(config.files +
                         ": current-context: is empty; name a context with --context");
  const auto found = config.contexts.find(wanted);
  if (found == config.contexts.end())
    return invalid_input(config.files + (name.empty() ? ": current-context" : ": --context") +
                         ": context \"" + wanted + "\" does not exist");
  const ContextEntry& context = found->second.entry;
  const std::string here = place(found->second, "context", wanted);
  PROXIMA_TRY(const auto cluster, referenced(config.clusters, "cluster", context.cluster), here);
  PROXIMA_TRY(const auto user, referenced(config.users, "user", context.user), here);
  PROXIMA_TRY(Unit{}, check_cluster(cluster.entry), place(cluster, "cluster", context.cluster));
  PROXIMA_TRY(Unit{}, check_user(user.entry), place(user, "user", context.user));

  Connection connection{
      cluster.entry, user.entry, context.ns.empty() ? "default" : context.ns, here, {}};
  connection.cluster.server = with_scheme(cluster.entry, user.entry);
  if (connection.cluster.server.starts_with("http://")) {
    connection.user = {};
    connection.user.impersonation = user.entry.impersonation;
  }
  add_warnings(connection);
  return connection;
}

Result<Connection> in_cluster_connection(const Environment& environment,
                                         const std::string& service_account_folder) {
  const std::string_view host = variable(environment, "KUBERNETES_SERVICE_HOST");
  const std::string_view port = variable(environment, "KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty())
    return Error{ErrorCode::NotFound,
                 "not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be "
                 "defined"};
  Connection connection;
  connection.origin = "service account";
  connection.cluster.server = "https://" + host_and_port(host, port);
  connection.user.token_file = service_account_folder + "/token";
  PROXIMA_TRY(const std::string token, read_config_file(connection.user.token_file),
              connection.origin);
  // Unlike client-go, which goes on with the system's authorities: those never sign a cluster.
  connection.cluster.ca_file = service_account_folder + "/ca.crt";
  PROXIMA_TRY(const std::string ca, read_config_file(connection.cluster.ca_file),
              connection.origin);
  connection.ns = own_namespace(environment, service_account_folder);
  return connection;
}

Result<Connection> find_connection(const ConnectionOptions& options) {
  if (!options.kubeconfig.empty()) {
    PROXIMA_TRY(const std::string text, read_config_file(options.kubeconfig), "--kubeconfig");
    auto config = parse_kubeconfig(text, options.kubeconfig);
    if (!config) return std::move(config).error();
    return choose_context(*config, options.context);
  }
  const std::vector<std::string> files = default_files(options.environment);
  auto config = read_files(files);
  if (!config) return std::move(config).error();
  if (*config && !is_empty(**config)) return choose_context(**config, options.context);
  if (!options.context.empty())
    return invalid_input("--context: there is no kubeconfig that could have it");
  auto inside = in_cluster_connection(options.environment, options.service_account_folder);
  if (inside || inside.error().code != ErrorCode::NotFound) return inside;
  return Error{ErrorCode::NotFound,
               "no cluster is configured: give --kubeconfig, set KUBECONFIG, or run in a Pod (" +
                   inside.error().message + ")"};
}

}  // namespace proxima::kube
