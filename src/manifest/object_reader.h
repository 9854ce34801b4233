// SPDX-License-Identifier: Apache-2.0
// The text of one Kubernetes object → the snapshot builder, by kind.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/model/snapshot_builder.h"
#include "wire/problem.h"

namespace proxima::wire {
struct ObjectName;
class JsonObject;
}  // namespace proxima::wire

namespace proxima::manifest {

// An API server stores nothing near this size; parsing takes many times as much memory.
inline constexpr std::size_t kMaxObjectBytes = 64 * 1024 * 1024;

class ObjectReader {
 public:
  // Borrows both.
  ObjectReader(model::SnapshotBuilder& builder, wire::ProblemLog& log);
  ~ObjectReader();

  // `text` must be padded as json_scanner.h says. The kind and version of the list stand in for
  // those of an item without its own: typed lists leave them out. An error: it is not a JSON
  // object. What is wrong inside it goes to the log, and the rest of it is kept.
  Status read(std::string_view text, std::string_view list_kind, std::string_view list_api_version);

  // Objects of any kind that were JSON objects and had a kind.
  std::size_t objects() const { return objects_; }
  // Those of kinds that the model has no use for: "Deployment.apps" → 3.
  const std::map<std::string, std::size_t, std::less<>>& skipped_kinds() const {
    return skipped_kinds_;
  }
  bool saw_endpoint_slice() const { return saw_endpoint_slice_; }

 private:
  struct Parser;  // keeps simdjson's heavy header out
  struct Object;

  std::optional<wire::ObjectName> read_name(const wire::JsonObject& object, std::string_view kind,
                                            bool namespaced);
  void report_not_collected(const wire::JsonObject& sysdump);
  void decode(const Object& object);
  void skip(std::string_view kind, std::string_view group);

  model::SnapshotBuilder& builder_;
  wire::ProblemLog& log_;
  std::unique_ptr<Parser> parser_;
  std::size_t objects_ = 0;
  std::map<std::string, std::size_t, std::less<>> skipped_kinds_;
  bool saw_endpoint_slice_ = false;
};

}  // namespace proxima::manifest
