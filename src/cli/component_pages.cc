// SPDX-License-Identifier: Apache-2.0
#include "cli/component_pages.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "apiserver/accept_header.h"
#include "report/document.h"

namespace proxima::cli {
namespace {

constexpr std::string_view kGroup = "config.k8s.io";
constexpr std::string_view kCurrent = "v1beta1";
constexpr std::string_view kDeprecated = "v1alpha1";
constexpr const char* kWarning =
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility "
    "guarantees and is for debugging purposes only.\n";

struct Form {
  enum class Kind { Text, Json, Yaml };
  Kind kind = Kind::Text;
  std::string version;  // of the group, where it is not text
};

// A type by its bare name is not enough: an answer without a version could never be changed.
std::optional<Form> form_of(const apiserver::MediaRange& range, std::string_view kind) {
  const std::string_view as = range.parameter("as");
  const std::string_view group = range.parameter("g");
  const std::string_view version = range.parameter("v");
  const bool bare = as.empty() && group.empty() && version.empty();
  const bool named =
      as == kind && group == kGroup && (version == kCurrent || version == kDeprecated);
  if (named && range.covers("application/json"))
    return Form{Form::Kind::Json, std::string(version)};
  if (named && range.covers("application/yaml"))
    return Form{Form::Kind::Yaml, std::string(version)};
  if (bare && range.covers("text/plain")) return Form{};
  return std::nullopt;
}

std::optional<Form> negotiate(const net::HttpRequest& request, std::string_view kind) {
  const std::string_view accept = request.headers.find("Accept").value_or("");
  if (accept.find_first_not_of(" \t") == std::string_view::npos) return Form{};
  for (const apiserver::MediaRange& range : apiserver::parse_accept(accept)) {
    if (auto form = form_of(range, kind)) return form;
  }
  return std::nullopt;
}

// What names a file is none.
bool is_secret(std::string_view flag) {
  constexpr std::array<std::string_view, 4> kWords = {"token", "password", "secret", "private-key"};
  return !flag.ends_with("-file") && std::ranges::any_of(kWords, [&](std::string_view word) {
    return flag.find(word) != std::string_view::npos;
  });
}

// As upstream shows flags that are marked as such.
FlagValues without_secrets(FlagValues flags) {
  for (auto& [name, value] : flags) {
    if (is_secret(name)) value = "CLASSIFIED";
  }
  return flags;
}

net::HttpResponse text_answer(std::string body) {
  return {.status = 200,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = std::move(body)};
}

using report::DocumentFormat;
using report::DocumentWriter;

std::string finish(DocumentWriter writer, DocumentFormat format) {
  std::string text = std::move(writer).finish();
  return format == DocumentFormat::Compact ? text + "\n" : text;
}

// A refusal has no version, so a bare type is good enough for it; whoever wants neither gets JSON.
net::HttpResponse not_acceptable(const net::HttpRequest& request) {
  const auto ranges = apiserver::parse_accept(request.headers.find("Accept").value_or(""));
  const bool yaml = !ranges.empty() && ranges.front().type == "application/yaml" &&
                    ranges.front().parameter("as").empty();
  const DocumentFormat format = yaml ? DocumentFormat::Yaml : DocumentFormat::Compact;
  DocumentWriter writer(format);
  writer.begin_object();
  writer.field("kind", "Status");
  writer.field("apiVersion", "v1");
  writer.key("metadata");
  writer.begin_object();
  writer.end_object();
  writer.field("status", "Failure");
  writer.field("message",
               "only the following media types are accepted: application/json, application/yaml, "
               "text/plain");
  writer.field("reason", "NotAcceptable");
  writer.field("code", 406);
  writer.end_object();
  return {.status = 406,
          .headers = {{"Content-Type", yaml ? "application/yaml" : "application/json"}},
          .body = finish(std::move(writer), format)};
}

// `fill` writes what the kind holds besides its name and version.
template <class Fill>
net::HttpResponse document_answer(const Form& form, std::string_view kind,
                                  const std::string& component, const Fill& fill) {
  const bool is_json = form.kind == Form::Kind::Json;
  const DocumentFormat format = is_json ? DocumentFormat::Compact : DocumentFormat::Yaml;
  DocumentWriter writer(format);
  writer.begin_object();
  writer.field("kind", kind);
  writer.field("apiVersion", std::string(kGroup) + "/" + form.version);
  writer.key("metadata");
  writer.begin_object();
  writer.field("name", component);
  writer.end_object();
  fill(writer);
  writer.end_object();
  net::HttpResponse answer{.status = 200, .headers = {}, .body = finish(std::move(writer), format)};
  if (form.version == kDeprecated) {
    std::string page(kind);
    page[0] = static_cast<char>(page[0] - 'A' + 'a');
    answer.headers.add("Warning", "299 - \"This version of the " + page +
                                      " endpoint is deprecated. Please use a newer version.\"");
  }
  answer.headers.add("Content-Type",
                     fmt::format("application/{};g={};v={};as={}", is_json ? "json" : "yaml",
                                 kGroup, form.version, kind));
  return answer;
}

// "/debug" of "/debug/routes": as upstream, each once.
std::vector<std::string> first_parts(const std::vector<std::string>& paths) {
  std::set<std::string> parts;
  for (const std::string& path : paths) {
    if (path.size() > 1) parts.insert(path.substr(0, path.find('/', 1)));
  }
  return {parts.begin(), parts.end()};
}

std::int64_t seconds_since(WallTime begin, WallTime now) {
  return std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::seconds>(now - begin).count());
}

std::string status_text(const ComponentStatus& status, std::int64_t seconds) {
  std::string text = "\n" + status.component + " statusz\n" + kWarning;
  text += fmt::format("\nStarted: {:%a %b %e %H:%M:%S} UTC {:%Y}\n",
                      fmt::gmtime(std::chrono::system_clock::to_time_t(status.started)),
                      fmt::gmtime(std::chrono::system_clock::to_time_t(status.started)));
  text += fmt::format("Up: {} hr {:02} min {:02} sec\n", seconds / 3600, seconds / 60 % 60,
                      seconds % 60);
  text += "Binary version: " + status.binary_version + "\n";
  text += "Emulation version: " + status.emulation_version + "\n";
  text += "Paths:";
  for (const std::string& part : first_parts(status.paths)) text += " " + part;
  return text + "\n";
}

}  // namespace

net::HttpResponse answer_flagz(const net::HttpRequest& request, const std::string& component,
                               const FlagValues& flags) {
  const auto form = negotiate(request, "Flagz");
  if (!form) return not_acceptable(request);
  const FlagValues shown = without_secrets(flags);
  if (form->kind == Form::Kind::Text) {
    std::string text = "\n" + component + " flagz\n" + kWarning;
    for (const auto& [name, value] : shown) text.append(name).append("=").append(value) += '\n';
    return text_answer(std::move(text));
  }
  return document_answer(*form, "Flagz", component, [&](DocumentWriter& writer) {
    writer.key("flags");
    writer.begin_object();
    for (const auto& [name, value] : shown) writer.field(name, value);
    writer.end_object();
  });
}

net::HttpResponse answer_statusz(const net::HttpRequest& request, const ComponentStatus& status,
                                 WallTime now) {
  const auto form = negotiate(request, "Statusz");
  if (!form) return not_acceptable(request);
  const std::int64_t seconds = seconds_since(status.started, now);
  if (form->kind == Form::Kind::Text) return text_answer(status_text(status, seconds));
  return document_answer(*form, "Statusz", status.component, [&](DocumentWriter& writer) {
    writer.field("startTime", time_text(status.started));
    writer.field("uptimeSeconds", seconds);
    writer.field("goVersion", "");  // the kind requires it, and there is none
    writer.field("binaryVersion", status.binary_version);
    writer.field("emulationVersion", status.emulation_version);
    writer.key("paths");
    writer.begin_array();
    for (const std::string& part : first_parts(status.paths)) writer.text(part);
    writer.end_array();
  });
}

}  // namespace proxima::cli
