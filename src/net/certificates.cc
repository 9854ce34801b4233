// SPDX-License-Identifier: Apache-2.0
#include "net/certificates.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/ip_address.h"
#include "net/openssl_handles.h"

namespace proxima::net {

namespace {

// A clock that is a little late must not take a new certificate for one of the future.
constexpr std::chrono::minutes kBackdated{5};

Error certificate_error(std::string_view what) {
  ERR_clear_error();
  return {ErrorCode::InvalidInput, "certificate: " + std::string(what)};
}

CertificatePtr read_certificate(const std::string& pem) {
  const BioPtr bio = reader_of(pem);
  CertificatePtr certificate(PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  return certificate;
}

KeyPtr read_key(const std::string& pem) {
  const BioPtr bio = reader_of(pem);
  KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  return key;
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_ctrl(bio, BIO_CTRL_INFO, 0, static_cast<void*>(&data));
  return {data, static_cast<std::size_t>(size)};
}

CertificateAndKey to_pem(X509* certificate, EVP_PKEY* key) {
  const BioPtr certificate_text(BIO_new(BIO_s_mem()));
  const BioPtr key_text(BIO_new(BIO_s_secmem()));
  PROXIMA_CHECK(PEM_write_bio_X509(certificate_text.get(), certificate) == 1);
  PROXIMA_CHECK(PEM_write_bio_PKCS8PrivateKey(key_text.get(), key, nullptr, nullptr, 0, nullptr,
                                              nullptr) == 1);
  return {text_of(certificate_text.get()), text_of(key_text.get())};
}

void set_name(X509_NAME* name, const CertificateRequest& request) {
  const auto add = [&](const char* field, const std::string& value) {
    if (value.empty()) return;
    X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(value.data()),
                               static_cast<int>(value.size()), -1, 0);
  };
  add("O", request.organization);
  add("CN", request.common_name);
}

void set_serial(X509* certificate) {
  constexpr int kBits = 159;  // at most 20 bytes with the sign (RFC 5280)
  const NumberPtr number(BN_new());
  PROXIMA_CHECK(BN_rand(number.get(), kBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  PROXIMA_CHECK(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr);
}

void set_validity(X509* certificate, std::chrono::hours valid_for) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t begin = std::chrono::system_clock::to_time_t(now - kBackdated);
  const std::time_t end = std::chrono::system_clock::to_time_t(now + valid_for);
  ASN1_TIME_set(X509_getm_notBefore(certificate), begin);
  ASN1_TIME_set(X509_getm_notAfter(certificate), end);
}

bool add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// A comma would start another name of OpenSSL's little language.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find_first_of(",:;\"\\ \n\r\t") == std::string::npos;
}

Result<std::string> alternative_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto address = IpAddress::parse(name);
    if (!address && !is_plain_name(name))
      return certificate_error("\"" + name + "\" is not a name");
    if (!text.empty()) text += ",";
    text += address ? "IP:" + address->text() : "DNS:" + name;
  }
  return text;
}

struct Draft {
  CertificatePtr certificate;
  KeyPtr key;
};

Draft draft(const CertificateRequest& request) {
  Draft made{CertificatePtr(X509_new()),
             KeyPtr(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"))};
  PROXIMA_CHECK(made.certificate != nullptr && made.key != nullptr);
  X509* certificate = made.certificate.get();
  X509_set_version(certificate, X509_VERSION_3);
  set_serial(certificate);
  set_validity(certificate, request.valid_for);
  set_name(X509_get_subject_name(certificate), request);
  X509_set_pubkey(certificate, made.key.get());
  return made;
}

bool covers_name(X509* certificate, const std::string& name) {
  if (IpAddress::parse(name)) return X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
  return X509_check_host(certificate, name.data(), name.size(), 0, nullptr) == 1;
}

}  // namespace

Result<CertificateAndKey> make_authority(const CertificateRequest& request) {
  const Draft made = draft(request);
  X509* certificate = made.certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  const bool extended =
      add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE") &&
      add_extension(certificate, certificate, NID_key_usage,
                    "critical,digitalSignature,keyEncipherment,keyCertSign") &&
      add_extension(certificate, certificate, NID_subject_key_identifier, "hash");
  if (!extended || X509_sign(certificate, made.key.get(), EVP_sha256()) == 0) {
    return certificate_error("the authority cannot be made");
  }
  return to_pem(certificate, made.key.get());
}

Result<CertificateAndKey> make_server_certificate(const CertificateAndKey& authority,
                                                  const CertificateRequest& request) {
  const CertificatePtr issuer = read_certificate(authority.certificate_pem);
  const KeyPtr issuer_key = read_key(authority.key_pem);
  if (!issuer || !issuer_key) return certificate_error("the authority cannot be read");
  if (X509_check_private_key(issuer.get(), issuer_key.get()) != 1) {
    return certificate_error("the authority's key is not its own");
  }
  PROXIMA_TRY(const std::string names, alternative_names(request.names), "make a certificate");
  const Draft made = draft(request);
  X509* certificate = made.certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer.get()));
  const bool extended =
      add_extension(certificate, issuer.get(), NID_basic_constraints, "critical,CA:FALSE") &&
      add_extension(certificate, issuer.get(), NID_key_usage, "critical,digitalSignature") &&
      add_extension(certificate, issuer.get(), NID_ext_key_usage, "serverAuth,clientAuth") &&
      add_extension(certificate, issuer.get(), NID_authority_key_identifier, "keyid") &&
      (names.empty() || add_extension(certificate, issuer.get(), NID_subject_alt_name, names));
  if (!extended || X509_sign(certificate, issuer_key.get(), EVP_sha256()) == 0) {
    return certificate_error("it cannot be made");
  }
  return to_pem(certificate, made.key.get());
}

Result<std::chrono::system_clock::time_point> valid_until(const std::string& certificate_pem) {
  const CertificatePtr certificate = read_certificate(certificate_pem);
  std::tm parts{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &parts) != 1) {
    return certificate_error("it cannot be read");
  }
  return std::chrono::system_clock::from_time_t(timegm(&parts));
}

bool covers(const std::string& certificate_pem, const std::string& authority_pem,
            const std::vector<std::string>& names) {
  const CertificatePtr certificate = read_certificate(certificate_pem);
  const CertificatePtr authority = read_certificate(authority_pem);
  if (!certificate || !authority) return false;
  if (X509_verify(certificate.get(), X509_get0_pubkey(authority.get())) != 1) {
    ERR_clear_error();
    return false;
  }
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return covers_name(certificate.get(), name); });
}

}  // namespace proxima::net
