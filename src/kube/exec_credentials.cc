// SPDX-License-Identifier: Apache-2.0
#include "kube/exec_credentials.h"

#include <unistd.h>

#include <boost/json.hpp>
#include <mutex>

#include "kube/base64.h"
#include "kube/config_file.h"
#include "kube/json_member.h"
#include "kube/run_program.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kSilentTimeout{60};
constexpr std::chrono::minutes kInteractiveTimeout{5};  // a person logs in

// A hint is shown on a terminal, which its control characters must not reach.
std::string without_controls(const std::string& text) {
  std::string shown;
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x20 ? c != 0x7f : c == '\n' || c == '\t') shown += c;
  return shown;
}

// Empty when missing or not a string.
json::object cluster_info(const ClusterEntry& cluster, const std::string& ca_pem) {
  json::object info{{"server", cluster.server}};
  if (!cluster.tls_server_name.empty()) info["tls-server-name"] = cluster.tls_server_name;
  if (cluster.insecure_skip_tls_verify) info["insecure-skip-tls-verify"] = true;
  if (!ca_pem.empty()) info["certificate-authority-data"] = base64_encode(ca_pem);
  if (!cluster.proxy_url.empty()) info["proxy-url"] = cluster.proxy_url;
  if (cluster.disable_compression) info["disable-compression"] = true;
  json::error_code error;
  json::value config = json::parse(cluster.exec_config, error);
  info["config"] = error ? json::value(nullptr) : std::move(config);
  return info;
}

class ExecCredentials final : public CredentialSource {
 public:
  ExecCredentials(ExecEntry exec, ClusterEntry cluster, Environment environment, Clock& clock)
      : exec_(std::move(exec)),
        cluster_(std::move(cluster)),
        environment_(std::move(environment)),
        clock_(clock) {
    for (const auto& [name, value] : exec_.environment) environment_[name] = value;
  }

  Result<Credentials> current(const net::Cancellation& cancellation) override {
    const std::lock_guard guard(mutex_);
    if (kept_ && !(kept_->expires && clock_.wall_now() > *kept_->expires))
      return kept_->credentials;
    PROXIMA_TRY(kept_, ask(cancellation), "getting credentials");
    return kept_->credentials;
  }

  void refuse(const Credentials& refused) override {
    const std::lock_guard guard(mutex_);
    // Another thread may have fetched newer ones already.
    if (kept_ && kept_->credentials == refused) kept_.reset();
  }

 private:
  Result<bool> interactive() const {
    const bool terminal = ::isatty(STDIN_FILENO) == 1;
    if (exec_.interactive_mode == InteractiveMode::Always && !terminal)
      return Error{ErrorCode::Denied,
                   "exec plugin cannot support interactive mode: standard input is not a terminal"};
    return terminal && exec_.interactive_mode != InteractiveMode::Never;
  }

  Result<Program> program() const {
    PROXIMA_TRY(const bool asks, interactive(), exec_.command);
    std::string ca_pem = cluster_.ca_pem;
    if (exec_.provide_cluster_info && ca_pem.empty() && !cluster_.ca_file.empty()) {
      PROXIMA_TRY(ca_pem, read_config_file(cluster_.ca_file), "certificate-authority");
    }
    Program program{exec_.command, exec_.arguments, environment_};
    program.environment["KUBERNETES_EXEC_INFO"] = exec_info(exec_, cluster_, ca_pem, asks);
    program.terminal = asks ? Terminal::Inherited : Terminal::None;
    program.timeout = asks ? std::chrono::milliseconds(kInteractiveTimeout)
                           : std::chrono::milliseconds(kSilentTimeout);
    return program;
  }

  Result<ExecAnswer> ask(const net::Cancellation& cancellation) const {
    PROXIMA_TRY(const Program wanted, program(), "exec");
    auto result = run_program(wanted, cancellation);
    if (!result) {
      Error error = std::move(result).error();
      if (error.code == ErrorCode::NotFound && !exec_.install_hint.empty())
        error.message += "\n\n" + without_controls(exec_.install_hint);
      return error;
    }
    if (result->exit_code != 0)
      return Error{ErrorCode::Denied, "exec: executable " + exec_.command +
                                          " failed with exit code " +
                                          std::to_string(result->exit_code)};
    return parse_exec_answer(result->output, exec_.api_version);
  }

  std::mutex mutex_;  // held while the program runs: it may ask the user, and must ask once
  ExecEntry exec_;
  ClusterEntry cluster_;
  Environment environment_;
  Clock& clock_;
  std::optional<ExecAnswer> kept_;
};

Error refused(std::string message) { return {ErrorCode::Denied, std::move(message)}; }

Result<ExecAnswer> read_status(const json::object& status) {
  ExecAnswer answer;
  const std::string token = text_member(status, "token");
  answer.credentials.certificate_pem = text_member(status, "clientCertificateData");
  answer.credentials.key_pem = text_member(status, "clientKeyData");
  const bool certificate = !answer.credentials.certificate_pem.empty();
  const bool key = !answer.credentials.key_pem.empty();
  if (token.empty() && !certificate && !key)
    return refused("exec plugin didn't return a token or cert/key pair");
  if (certificate != key) return refused("exec plugin returned only certificate or key, not both");
  if (token.find_first_of("\r\n") != std::string::npos)
    return refused("exec plugin returned a token of several lines");
  if (!token.empty()) answer.credentials.authorization = "Bearer " + token;
  const std::string expires = text_member(status, "expirationTimestamp");
  if (!expires.empty()) {
    PROXIMA_TRY(answer.expires, parse_time(expires), "exec plugin: status.expirationTimestamp");
  }
  return answer;
}

}  // namespace

std::string exec_info(const ExecEntry& exec, const ClusterEntry& cluster, const std::string& ca_pem,
                      bool interactive) {
  json::object spec;
  if (exec.provide_cluster_info) spec["cluster"] = cluster_info(cluster, ca_pem);
  spec["interactive"] = interactive;
  return json::serialize(json::object{
      {"kind", "ExecCredential"}, {"apiVersion", exec.api_version}, {"spec", std::move(spec)}});
}

Result<ExecAnswer> parse_exec_answer(std::string_view text, std::string_view api_version) {
  json::error_code error;
  const json::value document = json::parse(text, error);
  if (error || !document.is_object()) return refused("decoding stdout: not a JSON object");
  const json::object& answer = document.get_object();
  if (text_member(answer, "kind") != "ExecCredential")
    return refused("decoding stdout: kind: not ExecCredential");
  const std::string version = text_member(answer, "apiVersion");
  if (version != api_version)
    return refused("exec plugin is configured to use API version " + std::string(api_version) +
                   ", plugin returned another version");
  const json::value* status = answer.if_contains("status");
  if (status == nullptr || !status->is_object())
    return refused("exec plugin didn't return a status field");
  return read_status(status->get_object());
}

std::unique_ptr<CredentialSource> make_exec_credentials(ExecEntry exec, ClusterEntry cluster,
                                                        Environment environment, Clock& clock) {
  return std::make_unique<ExecCredentials>(std::move(exec), std::move(cluster),
                                           std::move(environment), clock);
}

}  // namespace proxima::kube
