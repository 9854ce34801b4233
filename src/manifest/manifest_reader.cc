// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_reader.h"

#include <algorithm>

#include "archive/archive_reader.h"
#include "core/model/limits.h"
#include "manifest/input_files.h"
#include "wire/json_scanner.h"
#include "wire/yaml_documents.h"

namespace proxima::manifest {
namespace {

constexpr std::size_t kSniffBytes = 4096;
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

// A broken item may hold more broken ones; each look takes at least one away from it.
constexpr std::size_t kMaxSplits = 100;

constexpr archive::ArchiveLimits kArchiveLimits = {
    .entries = model::limit_of(model::Bounded::ArchiveEntries).most_count(),
    .bytes = model::limit_of(model::Bounded::ArchiveBytes).most_count()};

}  // namespace

Format detect_format(std::string_view text) {
  const std::size_t first = wire::skip_space(text, 0);
  const std::size_t second = wire::skip_space(text, first + 1);
  if (second >= text.size()) return Format::Yaml;
  const bool object = text[first] == '{' && (text[second] == '"' || text[second] == '}');
  const bool array =
      text[first] == '[' && (text[second] == '{' || text[second] == ']' || text[second] == '[');
  return object || array ? Format::Json : Format::Yaml;
}

Status ManifestReader::read(std::string_view text) {
  if (text.starts_with(archive::kGzipMark)) {
    if (Status unpacked = read_archive(text); !unpacked) {
      log_.enter_file(file_);
      log_.add("", unpacked.error().message);
      return std::move(unpacked).error().in(file_);
    }
  } else {
    read_text(text);
  }
  progress.finish_file();
  return check_strict();
}

Status ManifestReader::read_archive(std::string_view packed) {
  archive::ArchiveReader files(packed, kArchiveLimits);
  progress.set_total(0);  // how much there is to decode is known when all of it is unpacked
  while (!must_stop()) {
    auto file = files.next(is_manifest_name);
    if (!file) return std::move(file).error();
    if (!*file) break;
    std::string& text = (*file)->text;
    const std::size_t size = text.size();
    text.append(wire::kScanPadding, '\0');
    log_.enter_file(file_ + ": " + (*file)->name);
    read_text(std::string_view(text).substr(0, size));
  }
  return Unit{};
}

void ManifestReader::read_text(std::string_view text) {
  documents_ = 0;
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (text.starts_with(archive::kGzipMark)) {
    log_.add("", "an archive in an archive: unpack it first");
  } else if (text.substr(0, kSniffBytes).find('\0') != std::string_view::npos && !is_utf16(text)) {
    log_.add("", "a NUL byte at offset " + std::to_string(text.find('\0')) + ": not a text");
  } else if (detect_format(text) == Format::Json) {
    read_json(text);
  } else {
    read_yaml(text);
  }
}

Status ManifestReader::check_strict() const {
  if (!must_stop()) return Unit{};
  return Error{ErrorCode::InvalidInput, wire::to_text(log_.problems().front())};
}

void ManifestReader::read_json(std::string_view text) {
  wire::JsonDocuments documents(text);
  while (const auto document = documents.next()) {
    log_.enter_document(++documents_);
    read_document(text, *document);
    if (must_stop()) return;
  }
}

void ManifestReader::read_yaml(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty() && !must_stop()) {
    const std::string_view part = is_utf16(text) ? text : wire::take_yaml_part(text);
    if (is_utf16(text)) text = {};
    wire::YamlDocuments documents(part, line);
    line += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    while (true) {
      log_.enter_document(documents_ + 1);
      auto json = documents.next();
      if (!json) log_.add("", json.error().message);
      if (!json || !json->has_value()) break;
      ++documents_;
      if (**json == "null") continue;  // a document of comments only
      const std::size_t size = (*json)->size();
      (*json)->append(wire::kScanPadding, '\0');
      const std::string_view converted = std::string_view(**json).substr(0, size);
      wire::JsonDocuments one(converted);
      if (const auto document = one.next()) read_document(converted, *document);
    }
    progress.add_decoded(part.size());
  }
}

void ManifestReader::read_document(std::string_view text, const wire::JsonDocument& document) {
  for (std::size_t i = 0; i < document.items.size(); ++i) {
    log_.enter_item(document.is_list ? i + 1 : 0);
    read_item(text, document.items[i], document);
    if (must_stop()) return;
  }
  log_.enter_item(0);
  for (const std::string& problem : document.problems) log_.add("", problem);
}

void ManifestReader::read_item(std::string_view text, wire::TextSpan item,
                               const wire::JsonDocument& document) {
  std::vector<wire::TextSpan> parts = {item};
  for (std::size_t i = 0, splits = 0; i < parts.size() && !must_stop(); ++i) {
    const Status status = objects_.read(parts[i].of(text), document.kind, document.api_version);
    if (status) continue;
    log_.add("", status.error().message);
    if (!document.is_list || ++splits > kMaxSplits) continue;
    const std::vector<wire::TextSpan> smaller = wire::split_broken_item(text, parts[i]);
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, smaller.begin() + 1,
                 smaller.end());
  }
  progress.add_decoded(item.end - item.begin);
}

void ManifestReader::report_skipped_pods(const model::Snapshot& snapshot) {
  log_.enter_file("derived EndpointSlices");
  for (const model::SkippedPod& skipped : builder_.skipped_pods()) {
    const model::Pod& pod = snapshot.pods[skipped.pod.value()];
    const model::Service& service = snapshot.services[skipped.service.value()];
    log_.enter_object("Pod", snapshot.namespace_name(pod.ns), snapshot.names[pod.name]);
    log_.add("spec.nodeName", "left out of Service " + std::string(snapshot.names[service.name]) +
                                  ": there is no Node \"" +
                                  std::string(snapshot.names[pod.node_name]) + "\"");
  }
}

Loaded ManifestReader::finish() {
  Loaded loaded;
  loaded.snapshot = builder_.build(objects_.saw_endpoint_slice() ? model::MissingSlices::LeaveEmpty
                                                                 : model::MissingSlices::Derive);
  report_skipped_pods(*loaded.snapshot);
  loaded.problems = log_.problems();
  loaded.problems_not_kept = log_.not_kept();
  loaded.skipped_kinds = objects_.skipped_kinds();
  loaded.objects = objects_.objects();
  loaded.bytes = progress.read();
  return loaded;
}

}  // namespace proxima::manifest
