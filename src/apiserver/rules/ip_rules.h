// SPDX-License-Identifier: Apache-2.0
// Addresses and networks in objects: which texts are refused, which are only warned about.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/rules/field_errors.h"
#include "base/ip_address.h"

namespace proxima::apiserver::rules {

struct IpNetwork {
  IpAddress base;  // host bits as written
  unsigned prefix = 0;

  IpNetwork masked() const;
  unsigned width() const { return base.family() == IpFamily::V4 ? 32 : 128; }
  std::string text() const { return base.text() + "/" + std::to_string(prefix); }
};

// As lenient as Kubernetes ever was; a caller checks more.
std::optional<IpAddress> parse_ip(std::string_view text);
std::optional<IpNetwork> parse_cidr(std::string_view text);
// The family by its text; nullopt: no address.
std::optional<IpFamily> family_of(std::string_view ip);

// What a list of the old object has: lists are long when somebody is hostile.
using TextSet = std::set<std::string_view>;
TextSet text_set(const std::vector<std::string_view>& texts);

// For fields that are older than strict rules: no leading zeros, no IPv4 in IPv6. What the old
// object has already passes.
void check_legacy_ip(FieldErrors& errors, const FieldPath& path, std::string_view text,
                     const TextSet& existing);
// Canonical text only.
void check_strict_ip(FieldErrors& errors, const FieldPath& path, std::string_view text);
// Not unspecified, loopback or link-local.
void check_endpoint_ip(FieldErrors& errors, const FieldPath& path, std::string_view text);
void check_legacy_cidr(FieldErrors& errors, const FieldPath& path, std::string_view text,
                       const TextSet& existing);
void check_strict_cidr(FieldErrors& errors, const FieldPath& path, std::string_view text);

// Texts that pass but could be better.
void warn_ip(std::vector<std::string>& warnings, const FieldPath& path, std::string_view text);
void warn_cidr(std::vector<std::string>& warnings, const FieldPath& path, std::string_view text);

// One of each family, or nothing: true for a pair that is.
bool is_dual_stack(const std::vector<std::string_view>& ips);
bool is_dual_stack_cidrs(const std::vector<std::string_view>& cidrs);

}  // namespace proxima::apiserver::rules
