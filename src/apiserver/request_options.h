// SPDX-License-Identifier: Apache-2.0
// What the query of a request asks for, checked as upstream checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/schema.h"
#include "apiserver/status_error.h"
#include "net/http_message.h"

namespace proxima::apiserver {

// The parameters of one request.

class RequestQuery {
 public:
  // A refusal (400): an escape is broken.
  static Outcome<RequestQuery> parse(std::string_view target);

  std::optional<std::string_view> find(std::string_view name) const;  // the first of that name
  std::string_view text(std::string_view name) const { return find(name).value_or(""); }
  std::vector<std::string> all(std::string_view name) const;
  // As upstream reads a boolean: everything but "0" and "false" is true, also nothing at all.
  std::optional<bool> flag(std::string_view name) const;
  Outcome<std::optional<std::int64_t>> integer(std::string_view name) const;

 private:
  std::vector<net::QueryParameter> parameters_;
};

struct ListOptions {
  std::string labels;
  std::string fields;
  std::string resource_version;
  std::string match;
  std::string continue_token;
  std::int64_t limit = 0;  // 0: all
  bool watch = false;
  bool bookmarks = false;
  std::optional<bool> initial_events;
  std::optional<std::int64_t> timeout_seconds;
};
Outcome<ListOptions> list_options(const RequestQuery& query);

struct WriteOptions {
  bool dry_run = false;
  FieldValidation validation = FieldValidation::Warn;
};
// `kind` names the options in refusals: "CreateOptions".
Outcome<WriteOptions> write_options(const RequestQuery& query, std::string_view kind);

enum class Propagation : std::uint8_t { Background, Foreground, Orphan };

struct DeleteOptions {
  bool dry_run = false;
  std::optional<std::int64_t> grace_seconds;
  std::optional<Propagation> propagation;
  std::optional<bool> orphan;  // the old way to say it
  std::string uid;             // preconditions; empty: none
  std::string resource_version;
};
// A body counts alone; the query counts when there is none.
Outcome<DeleteOptions> delete_options(const RequestQuery& query, std::string_view body,
                                      BodyFormat format);

// The resourceVersion in a request. A refusal words the number as Go does.
Outcome<std::uint64_t> parse_revision(std::string_view text);

}  // namespace proxima::apiserver
