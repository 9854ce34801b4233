// SPDX-License-Identifier: Apache-2.0
// Everything from files to a Snapshot: what kubectl writes as JSON or YAML, single objects, many
// documents, lists of any kind.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/snapshot.h"
#include "wire/padded_text.h"
#include "wire/problem.h"

namespace proxima::manifest {

struct ReadOptions {
  bool strict = false;  // the first problem is an error
  // Called every few megabytes; `total` is 0 as long as it is unknown (standard input). Counts
  // both reading and decoding, so `done` reaches `total` when everything is decoded.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  int standard_input = 0;  // the descriptor that "-" means
};

struct Loaded {
  model::SnapshotPtr snapshot;
  std::vector<wire::Problem> problems;  // in the order of the input; at most kMaxProblems
  std::size_t problems_not_kept = 0;    // those after that
  // Objects that the model has no use for, by kind: "Deployment.apps", "ConfigMap", and
  // "EndpointSlice (FQDN)", whose addresses no proxy routes to.
  std::map<std::string, std::size_t, std::less<>> skipped_kinds;
  std::size_t objects = 0;  // all that were found, skipped ones too
  std::uint64_t bytes = 0;  // of input
};

// Files, directories (see input_files.h), archives of both and "-" for standard input; the format
// is found from the content. An input with no object at all, or one that cannot be read, is an
// error. When there is no EndpointSlice in all of it, slices are derived from Pods, Services and
// Nodes.
Result<Loaded> read_manifests(const std::vector<std::string>& inputs, const ReadOptions& options);

// The same for a text that is in memory already; `name` stands for the file in problems.
Result<Loaded> read_manifest_text(std::string_view text, std::string_view name,
                                  const ReadOptions& options);

// Texts that come from elsewhere, one after another: the pages of a live cluster's lists.
struct NamedText {
  std::string name;  // stands for the file in problems
  wire::PaddedText text;
};
// The next one; nullopt after the last.
using TextSource = std::function<Result<std::optional<NamedText>>()>;

// An error of the source is returned as it is.
Result<Loaded> read_manifest_source(const TextSource& source, const ReadOptions& options);

}  // namespace proxima::manifest
