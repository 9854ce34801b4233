// SPDX-License-Identifier: Apache-2.0
#include "manifest/problem.h"

namespace proxima::manifest {

std::string to_text(const Problem& problem) {
  std::string text = problem.file;
  if (problem.document != 0) text += ": document " + std::to_string(problem.document);
  if (!problem.object.empty()) text += ": " + problem.object;
  if (!problem.field.empty()) text += ": " + problem.field;
  return text + ": " + problem.message;
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

void ProblemLog::add(std::string field, std::string message) {
  if (problems_.size() == kMaxProblems) {
    ++not_kept_;
    return;
  }
  problems_.push_back({file_, document_, object(), std::move(field), std::move(message)});
}

}  // namespace proxima::manifest
