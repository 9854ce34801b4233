// SPDX-License-Identifier: Apache-2.0
// The files of a server beside its database: certificates, tokens, and the kubeconfigs that let
// clients in. Whatever holds a secret is readable by its owner only.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authentication.h"
#include "base/result.h"
#include "net/certificates.h"

namespace proxima::apiserver {

// A whole new file or the old one, never something in between.
Status write_private_file(const std::string& path, std::string_view text);

struct ServerIdentity {
  std::string authority_pem;
  net::CertificateAndKey certificate;
  Tokens tokens;
};

class DataDirectory {
 public:
  // Made when missing, for its owner alone.
  static Result<DataDirectory> open(const std::string& path);

  std::string admin_kubeconfig() const { return path_ + "/kubeconfig"; }
  std::string reader_kubeconfig() const { return path_ + "/kubeconfig-readonly"; }

  // What the server shows and accepts: made at the first start and kept. A certificate that ends
  // soon, or does not cover `names`, is replaced; the authority that clients trust stays.
  Result<ServerIdentity> identity(const std::vector<std::string>& names,
                                  std::chrono::system_clock::time_point now);

 private:
  explicit DataDirectory(std::string path) : path_(std::move(path)) {}
  std::string pki(std::string_view name) const { return path_ + "/pki/" + std::string(name); }
  Result<net::CertificateAndKey> authority();
  Result<net::CertificateAndKey> certificate(const net::CertificateAndKey& authority,
                                             const std::vector<std::string>& names,
                                             std::chrono::system_clock::time_point now);
  Result<std::string> token(std::string_view name);

  std::string path_;
};

struct Kubeconfig {
  std::string server;  // "https://127.0.0.1:6443"
  std::string authority_pem;
  std::string user;
  std::string token;
};
std::string kubeconfig_text(const Kubeconfig& config);

}  // namespace proxima::apiserver
