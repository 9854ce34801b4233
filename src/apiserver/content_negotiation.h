// SPDX-License-Identifier: Apache-2.0
// In which form a client wants its answer, and in which form its body is.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/request_options.h"
#include "apiserver/schema.h"
#include "apiserver/status_error.h"
#include "apiserver/table.h"
#include "net/http_message.h"

namespace proxima::apiserver {

enum class View : std::uint8_t { Object, Metadata, Table };

struct Representation {
  View view = View::Object;
  std::string meta_version = "v1";                  // of Table and PartialObjectMetadata
  IncludeObject include = IncludeObject::Metadata;  // in the rows of a Table
  bool pretty = false;
};

// A refusal is 406, or 400 for a wrong includeObject.
Outcome<Representation> negotiate(const net::HttpHeaders& headers, const RequestQuery& query);

// By Content-Type; JSON when there is none. A refusal is 415.
enum class BodyEncoding : std::uint8_t { Json, Yaml, Protobuf };
Outcome<BodyEncoding> body_encoding(const net::HttpHeaders& headers);

// "application/json" of "application/json; charset=utf-8"
std::string_view media_type(std::string_view header);

}  // namespace proxima::apiserver
