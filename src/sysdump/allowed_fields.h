// SPDX-License-Identifier: Apache-2.0
// Which fields of which kinds a sysdump may hold: those that Proxima reads to decide, and those
// that say which object it is. Everything else stays in the cluster, whatever it is called: a field
// that is not here is not written. docs/sysdump.md has the same table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace proxima::sysdump {

enum class Take : std::uint8_t {
  Value,        // a text, a number or a boolean
  Texts,        // every member whose value is a text: labels, selectors
  Annotations,  // those members that allowed_annotations() names
};

struct AllowedField {
  // "spec.ports[].name": members, and "[]" behind one whose value is a list.
  std::string_view path;
  Take take = Take::Value;
};

struct AllowedKind {
  std::string_view api_version;
  std::string_view kind;
  std::string_view plural;  // also the name of its file
  std::span<const AllowedField> fields;
  // Only objects that these components wrote; empty: whoever wrote them. Events of other components
  // tell about workloads.
  std::span<const std::string_view> sources = {};
};

// In the order in which they are collected.
std::span<const AllowedKind> allowed_kinds();
// For a plural that is one of them.
const AllowedKind& allowed_kind(std::string_view plural);
std::span<const std::string_view> allowed_annotations();

// Both, as tables of Markdown.
std::string allowed_fields_markdown();

}  // namespace proxima::sysdump
