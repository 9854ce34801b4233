// SPDX-License-Identifier: Apache-2.0
#include "wire/problem.h"

namespace proxima::wire {
namespace {

constexpr std::size_t kMaxShownBytes = 400;

// What is quoted from an input may be anything: it must not clear a terminal, nor fill it.
std::string printable(const std::string& text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (shown.size() >= kMaxShownBytes && (byte & 0xc0) != 0x80) return shown + "…";
    if (byte >= 0x20 && byte != 0x7f) {
      shown += c;
    } else {
      shown += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return shown;
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
  };
  add(problem.file);
  if (problem.document != 0) add("document " + std::to_string(problem.document));
  add(problem.object);
  add(problem.field);
  add(problem.message);
  return text;
}

void ProblemLog::enter_file(std::string_view file) {
  file_ = file;
  enter_document(0);
}

void ProblemLog::enter_document(std::size_t number) {
  document_ = number;
  enter_item(0);
}

void ProblemLog::enter_item(std::size_t number) {
  item_ = number;
  kind_ = ns_ = name_ = {};
}

void ProblemLog::enter_object(std::string_view kind, std::string_view ns, std::string_view name) {
  kind_ = kind;
  ns_ = ns;
  name_ = name;
}

std::string ProblemLog::object() const {
  if (!name_.empty()) {
    const std::string place = ns_.empty() ? "" : std::string(ns_) + "/";
    return std::string(kind_) + " " + place + std::string(name_);
  }
  const std::string kind = kind_.empty() ? "" : " (" + std::string(kind_) + ")";
  return item_ == 0 ? std::string(kind_) : "item " + std::to_string(item_) + kind;
}

void ProblemLog::add(const std::string& field, const std::string& message) {
  if (problems_.size() == kMaxProblems) {
    ++not_kept_;
    return;
  }
  problems_.push_back(
      {file_, document_, printable(object()), printable(field), printable(message)});
}

}  // namespace proxima::wire
