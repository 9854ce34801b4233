// SPDX-License-Identifier: Apache-2.0
// Reads one text after another into one builder. read_manifests.h is what callers use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "manifest/object_reader.h"
#include "manifest/read_manifests.h"
#include "manifest/read_progress.h"
#include "wire/json_documents.h"

namespace proxima::manifest {

enum class Format { Json, Yaml };

// By the first characters. YAML's flow style looks like JSON but for the quotes, so a brace must be
// followed by a quote.
Format detect_format(std::string_view text);

class ManifestReader {
 public:
  explicit ManifestReader(const ReadOptions& options)
      : progress(options.progress), options_(options), objects_(builder_, log_) {}

  void enter_file(std::string_view name) {
    file_ = name;
    log_.enter_file(name);
  }
  void report_file(const std::string& message) { log_.add("", message); }
  // A text, or a .tar.gz, whose files are read as those of a directory. `text` must be padded as
  // json_scanner.h says. Stops at the first problem when strict, and at an archive that is damaged
  // or too large always; the log has it then, too.
  Status read(std::string_view text);

  bool has_objects() const { return objects_.objects() > 0; }
  const wire::ProblemLog& log() const { return log_; }
  // The first problem as an error, when strict.
  Status check_strict() const;
  // Builds the snapshot; call once.
  Loaded finish();

  ReadProgress progress;  // what is read is the caller's to say

 private:
  void read_text(std::string_view text);
  Status read_archive(std::string_view packed);
  void read_json(std::string_view text);
  void read_yaml(std::string_view text);
  // One document: its structure's problems, then its items.
  void read_document(std::string_view text, const wire::JsonDocument& document);
  void read_item(std::string_view text, wire::TextSpan item, const wire::JsonDocument& document);
  void report_skipped_pods(const model::Snapshot& snapshot);
  bool must_stop() const { return options_.strict && !log_.problems().empty(); }

  const ReadOptions& options_;
  model::SnapshotBuilder builder_;
  wire::ProblemLog log_;
  ObjectReader objects_;
  std::string file_;
  std::size_t documents_ = 0;  // of this text
};

}  // namespace proxima::manifest
