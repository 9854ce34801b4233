// SPDX-License-Identifier: Apache-2.0
#include "apiserver/data_directory.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "apiserver/base64_url.h"
#include "apiserver/private_files.h"
#include "apiserver/secret_bytes.h"

namespace proxima::apiserver {
namespace {

constexpr std::chrono::hours kYear{24 * 365};
constexpr std::chrono::hours kAuthorityLife = 10 * kYear;
constexpr std::chrono::hours kCertificateLife = kYear;
constexpr std::chrono::hours kRenewBefore{24 * 60};

Error system_error(const std::string& path) {
  return {ErrorCode::Denied, path + ": " + std::strerror(errno)};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// nullopt: not there.
Result<std::optional<std::string>> read_file(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return std::optional<std::string>();
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  if (!in) return system_error(path);
  return std::optional<std::string>(out.str());
}

// Both files or neither.
Result<std::optional<net::CertificateAndKey>> read_pair(const std::string& certificate,
                                                        const std::string& key) {
  PROXIMA_TRY(auto certificate_pem, read_file(certificate), "read");
  PROXIMA_TRY(auto key_pem, read_file(key), "read");
  if (!certificate_pem || !key_pem) return std::optional<net::CertificateAndKey>();
  return std::optional(net::CertificateAndKey{std::move(*certificate_pem), std::move(*key_pem)});
}

Status write_pair(const net::CertificateAndKey& pair, const std::string& certificate,
                  const std::string& key) {
  auto done = write_private_file(key, pair.key_pem);
  return done ? write_private_file(certificate, pair.certificate_pem) : done;
}

}  // namespace

Status write_private_file(const std::string& path, std::string_view text) {
  const std::string part = path + ".part";
  auto file = create_private_file(part);
  if (!file) return std::move(file).error();
  Status done = Unit{};
  if (!write_all(file->number(), text) || ::fsync(file->number()) != 0) done = system_error(part);
  file->close();
  if (done && ::rename(part.c_str(), path.c_str()) != 0) done = system_error(path);
  if (!done) ::unlink(part.c_str());
  return done;
}

Result<DataDirectory> DataDirectory::open(const std::string& path) {
  auto made = make_private_folder(path);
  if (made) made = make_private_folder(path + "/pki");
  if (!made) return std::move(made).error();
  return DataDirectory(path);
}

Result<net::CertificateAndKey> DataDirectory::authority() {
  PROXIMA_TRY(auto present, read_pair(pki("ca.crt"), pki("ca.key")), "certificate authority");
  if (present) return std::move(*present);
  PROXIMA_TRY(auto made,
              net::make_authority({.common_name = "proxima-ca", .valid_for = kAuthorityLife}),
              "certificate authority");
  auto written = write_pair(made, pki("ca.crt"), pki("ca.key"));
  if (!written) return std::move(written).error();
  return made;
}

Result<net::CertificateAndKey> DataDirectory::certificate(
    const net::CertificateAndKey& authority, const std::vector<std::string>& names,
    std::chrono::system_clock::time_point now) {
  PROXIMA_TRY(auto present, read_pair(pki("apiserver.crt"), pki("apiserver.key")), "certificate");
  if (present && net::covers(present->certificate_pem, authority.certificate_pem, names)) {
    const auto end = net::valid_until(present->certificate_pem);
    if (end && *end > now + kRenewBefore) return std::move(*present);
  }
  PROXIMA_TRY(auto made,
              net::make_server_certificate(authority, {.common_name = "proxima-apiserver",
                                                       .names = names,
                                                       .valid_for = kCertificateLife}),
              "certificate");
  auto written = write_pair(made, pki("apiserver.crt"), pki("apiserver.key"));
  if (!written) return std::move(written).error();
  return made;
}

Result<std::string> DataDirectory::token(std::string_view name) {
  PROXIMA_TRY(auto present, read_file(pki(name)), "token");
  if (present && present->size() > 20) {
    if (present->back() == '\n') present->pop_back();
    return std::move(*present);
  }
  std::string made = make_token();
  auto written = write_private_file(pki(name), made + "\n");
  if (!written) return std::move(written).error();
  return made;
}

Result<ServerIdentity> DataDirectory::identity(const std::vector<std::string>& names,
                                               std::chrono::system_clock::time_point now) {
  ServerIdentity out;
  PROXIMA_TRY(const net::CertificateAndKey signer, authority(), path_);
  out.authority_pem = signer.certificate_pem;
  PROXIMA_TRY(out.certificate, certificate(signer, names, now), path_);
  PROXIMA_TRY(out.tokens.admin, token("admin.token"), path_);
  PROXIMA_TRY(out.tokens.reader, token("readonly.token"), path_);
  return out;
}

std::string kubeconfig_text(const Kubeconfig& config) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: proxima\nclusters:\n- name: proxima\n"
         "  cluster:\n    server: " +
         config.server +
         "\n    certificate-authority-data: " + base64_encode(config.authority_pem) +
         "\ncontexts:\n- name: proxima\n  context:\n    cluster: proxima\n    user: " +
         config.user + "\nusers:\n- name: " + config.user +
         "\n  user:\n    token: " + config.token + "\n";
}

}  // namespace proxima::apiserver
