// SPDX-License-Identifier: Apache-2.0
#include "kube/credentials.h"

#include <mutex>
#include <optional>

#include "base/ascii.h"
#include "kube/base64.h"
#include "kube/exec_credentials.h"
#include "kube/rotating_file.h"

namespace proxima::kube {
namespace {

// A value that stands in the configuration, or a file that it names.
class TextSource {
 public:
  TextSource(std::string value, const std::string& path, Clock& clock) : value_(std::move(value)) {
    if (!path.empty()) file_.emplace(path, clock);
  }

  // Empty: there is neither.
  Result<std::string> current() { return file_ ? file_->text() : Result<std::string>(value_); }
  // The value until the file can be read.
  Result<std::string> file_before_value() {
    auto text = current();
    return text || value_.empty() ? std::move(text) : Result<std::string>(value_);
  }
  const std::string& value() const { return value_; }
  const RotatingFile* file() const { return file_ ? &*file_ : nullptr; }
  void look_again() {
    if (file_) file_->look_again();
  }

 private:
  std::string value_;
  std::optional<RotatingFile> file_;
};

// What stands in the configuration or in files.
class WrittenCredentials final : public CredentialSource {
 public:
  WrittenCredentials(const UserEntry& user, Clock& clock)
      : token_(user.token, user.token_file, clock),
        certificate_(user.certificate_pem,
                     user.certificate_pem.empty() ? user.certificate_file : "", clock),
        key_(user.key_pem, user.key_pem.empty() ? user.key_file : "", clock),
        has_certificate_(!user.certificate_pem.empty() || !user.certificate_file.empty()) {
    if (!user.username.empty() || !user.password.empty())
      basic_ = "Basic " + base64_encode(user.username + ":" + user.password);
  }

  Result<Credentials> current(const net::Cancellation&) override {
    const std::lock_guard guard(mutex_);
    Credentials credentials;
    PROXIMA_TRY(credentials.authorization, authorization(), "credentials");
    if (!has_certificate_) return credentials;
    PROXIMA_TRY(credentials.certificate_pem, certificate_.current(), "client-certificate");
    PROXIMA_TRY(credentials.key_pem, key_.current(), "client-key");
    return credentials;
  }

  void refuse(const Credentials&) override {
    const std::lock_guard guard(mutex_);
    token_.look_again();
    certificate_.look_again();
    key_.look_again();
  }

 private:
  Result<std::string> authorization() {
    if (token_.value().empty() && token_.file() == nullptr) return basic_;
    PROXIMA_TRY(std::string token, token_.file_before_value(), "tokenFile");
    token = std::string(trimmed(token));
    if (token.empty() && token_.file() != nullptr)
      return Error{ErrorCode::InvalidInput, token_.file()->path() + ": holds no token"};
    // A line end inside would add headers of its own to every request.
    if (token.find_first_of("\r\n") != std::string::npos)
      return Error{ErrorCode::InvalidInput, "token: has several lines"};
    return "Bearer " + token;
  }

  std::mutex mutex_;
  std::string basic_;
  TextSource token_;
  TextSource certificate_;
  TextSource key_;
  bool has_certificate_;
};

bool is_written(const UserEntry& user) {
  return !user.token.empty() || !user.token_file.empty() || !user.username.empty() ||
         !user.password.empty() || !user.certificate_file.empty() || !user.certificate_pem.empty();
}

}  // namespace

std::unique_ptr<CredentialSource> make_credential_source(const Connection& connection,
                                                         const Environment& environment,
                                                         Clock& clock) {
  if (connection.user.exec && !is_written(connection.user))
    return make_exec_credentials(*connection.user.exec, connection.cluster, environment, clock);
  return std::make_unique<WrittenCredentials>(connection.user, clock);
}

}  // namespace proxima::kube
