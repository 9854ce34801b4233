// SPDX-License-Identifier: Apache-2.0
#include "kube/kubeconfig.h"

#include <filesystem>

#include "kube/base64.h"
#include "wire/json_object.h"
#include "wire/yaml_documents.h"

namespace proxima::kube {
namespace {

using wire::JsonObject;

std::string text_of(const JsonObject& object, std::string_view key) {
  return std::string(object.text(key).value_or(std::string_view()));
}

std::string data_of(const JsonObject& object, std::string_view key) {
  auto bytes = base64_decode(object.text(key).value_or(std::string_view()));
  if (!bytes) object.report(key, "not base64");
  return std::move(bytes).value_or(std::string());
}

std::vector<std::string> texts_of(const JsonObject& object, std::string_view key) {
  std::vector<std::string> texts;
  object.each_text(key,
                   [&](std::string_view text, const wire::JsonPath&) { texts.emplace_back(text); });
  return texts;
}

// Reads one file. What is wrong goes to the log, which knows the place.
class FileReader {
 public:
  FileReader(std::string file, wire::ProblemLog& log)
      : file_(std::move(file)),
        folder_(std::filesystem::absolute(file_).parent_path()),
        log_(&log) {}

  Kubeconfig read(const JsonObject& top) {
    Kubeconfig config;
    config.files = file_;
    config.current_context = text_of(top, "current-context");
    read_entries(top, "clusters", "cluster", config.clusters,
                 [this](const JsonObject& entry) { return cluster(entry); });
    read_entries(top, "users", "user", config.users,
                 [this](const JsonObject& entry) { return user(entry); });
    read_entries(top, "contexts", "context", config.contexts, [](const JsonObject& entry) {
      return ContextEntry{text_of(entry, "cluster"), text_of(entry, "user"),
                          text_of(entry, "namespace")};
    });
    return config;
  }

 private:
  template <class Entry, class Read>
  void read_entries(const JsonObject& top, std::string_view list, std::string_view kind,
                    std::map<std::string, FromFile<Entry>>& into, Read read) {
    top.each_object(list, [&](const JsonObject& named) {
      const std::string name = text_of(named, "name");
      log_->enter_object(kind, {}, name);
      FromFile<Entry> entry{file_, read(named.child(kind))};
      if (!into.emplace(name, std::move(entry)).second)
        named.report("name", "stands in the list twice");
      log_->enter_object({}, {}, {});
    });
  }

  std::string path(const JsonObject& object, std::string_view key) const {
    return resolved(text_of(object, key));
  }
  std::string resolved(const std::string& path) const {
    if (path.empty()) return path;
    return (folder_ / path).lexically_normal().string();
  }

  ClusterEntry cluster(const JsonObject& object) const {
    ClusterEntry entry;
    entry.server = text_of(object, "server");
    entry.tls_server_name = text_of(object, "tls-server-name");
    entry.ca_file = path(object, "certificate-authority");
    entry.ca_pem = data_of(object, "certificate-authority-data");
    entry.proxy_url = text_of(object, "proxy-url");
    entry.insecure_skip_tls_verify = object.boolean("insecure-skip-tls-verify").value_or(false);
    entry.disable_compression = object.boolean("disable-compression").value_or(false);
    object.each_object("extensions", [&](const JsonObject& extension) {
      if (text_of(extension, "name") != "client.authentication.k8s.io/exec") return;
      if (const auto config = extension.find("extension"))
        entry.exec_config = simdjson::minify(*config);
    });
    return entry;
  }

  UserEntry user(const JsonObject& object) const {
    UserEntry entry;
    entry.token = text_of(object, "token");
    entry.token_file = path(object, "tokenFile");
    entry.certificate_file = path(object, "client-certificate");
    entry.certificate_pem = data_of(object, "client-certificate-data");
    entry.key_file = path(object, "client-key");
    entry.key_pem = data_of(object, "client-key-data");
    entry.username = text_of(object, "username");
    entry.password = text_of(object, "password");
    if (object.has("exec")) entry.exec = exec(object.child("exec"));
    if (object.has("auth-provider"))
      entry.auth_provider = text_of(object.child("auth-provider"), "name");
    entry.impersonation = impersonation(object);
    return entry;
  }

  ExecEntry exec(const JsonObject& object) const {
    ExecEntry entry;
    entry.api_version = text_of(object, "apiVersion");
    entry.command = text_of(object, "command");
    if (entry.command.find('/') != std::string::npos) entry.command = resolved(entry.command);
    entry.arguments = texts_of(object, "args");
    object.each_object("env", [&](const JsonObject& variable) {
      entry.environment.emplace_back(text_of(variable, "name"), text_of(variable, "value"));
    });
    entry.install_hint = text_of(object, "installHint");
    entry.provide_cluster_info = object.boolean("provideClusterInfo").value_or(false);
    entry.interactive_mode =
        interactive_mode(text_of(object, "interactiveMode"), entry.api_version);
    return entry;
  }

  // v1 wants it said; the older version has a default.
  static std::optional<InteractiveMode> interactive_mode(const std::string& mode,
                                                         std::string_view version) {
    if (mode == "Never") return InteractiveMode::Never;
    if (mode == "Always") return InteractiveMode::Always;
    const bool has_default = version == "client.authentication.k8s.io/v1beta1";
    if (mode == "IfAvailable" || (mode.empty() && has_default)) return InteractiveMode::IfAvailable;
    return std::nullopt;
  }

  static Impersonation impersonation(const JsonObject& object) {
    Impersonation as{
        text_of(object, "as"), text_of(object, "as-uid"), texts_of(object, "as-groups"), {}};
    const auto extra = object.find("as-user-extra");
    simdjson::dom::object members;
    if (!extra || extra->get(members) != simdjson::SUCCESS) return as;
    const JsonObject lists = object.child("as-user-extra");
    for (const auto member : members)
      as.extra[std::string(member.key)] = texts_of(lists, member.key);
    return as;
  }

  std::string file_;
  std::filesystem::path folder_;
  wire::ProblemLog* log_;
};

// Which document the file is: kubectl reads the first and lets the rest be.
Result<std::optional<std::string>> first_document(std::string_view text) {
  wire::YamlDocuments documents(wire::take_yaml_part(text), 1);
  return documents.next();
}

std::optional<std::string> wrong_kind(const JsonObject& top) {
  const std::string kind = text_of(top, "kind");
  const std::string version = text_of(top, "apiVersion");
  if (!kind.empty() && kind != "Config") return "kind: not Config";
  if (!version.empty() && version != "v1") return "apiVersion: not v1";
  return std::nullopt;
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& file) {
  PROXIMA_TRY(const std::optional<std::string> json, first_document(text), file);
  if (!json || *json == "null") return Kubeconfig{.files = file};
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(*json).get(object) != simdjson::SUCCESS)
    return invalid_input(file + ": not a mapping");
  wire::ProblemLog log;
  log.enter_file(file);
  const JsonObject top(object, log);
  if (const auto wrong = wrong_kind(top)) return invalid_input(file + ": " + *wrong);
  Kubeconfig config = FileReader(file, log).read(top);
  if (!log.problems().empty()) return invalid_input(wire::to_text(log.problems().front()));
  return config;
}

void merge_kubeconfig(Kubeconfig& config, Kubeconfig other) {
  config.files += (config.files.empty() || other.files.empty() ? "" : ":") + other.files;
  config.clusters.merge(other.clusters);
  config.users.merge(other.users);
  config.contexts.merge(other.contexts);
  if (config.current_context.empty()) config.current_context = std::move(other.current_context);
}

}  // namespace proxima::kube
