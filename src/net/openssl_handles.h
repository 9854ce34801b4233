// SPDX-License-Identifier: Apache-2.0
// OpenSSL's objects with an owner that frees them.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace proxima::net {

template <auto Free>
struct OpensslFree {
  template <class T>
  void operator()(T* it) const {
    Free(it);
  }
};

using BioPtr = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using CertificatePtr = std::unique_ptr<X509, OpensslFree<X509_free>>;
using ExtensionPtr = std::unique_ptr<X509_EXTENSION, OpensslFree<X509_EXTENSION_free>>;
using NumberPtr = std::unique_ptr<BIGNUM, OpensslFree<BN_free>>;

// Reads from `pem`, which has to outlive it.
inline BioPtr reader_of(const std::string& pem) {
  return BioPtr(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

// For readers of PEM: a key that is encrypted is refused, never asked for on the terminal.
inline int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) {
  return -1;
}

}  // namespace proxima::net
