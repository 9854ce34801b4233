// SPDX-License-Identifier: Apache-2.0
#include "traffic/backend_answer.h"

#include "wire/json_text.h"

namespace proxima::traffic {

std::string render_backend_answer(const BackendSpec& spec, std::string_view client) {
  std::string body;
  body.reserve(spec.answer_bytes);
  body += "{\"pod\":";
  wire::append_quoted(body, spec.pod);
  body += ",\"node\":";
  wire::append_quoted(body, spec.node);
  body += ",\"zone\":";
  wire::append_quoted(body, spec.zone);
  body += ",\"client\":";
  wire::append_quoted(body, client);
  body += "}\n";
  if (body.size() < spec.answer_bytes) body.resize(spec.answer_bytes, ' ');
  return body;
}

}  // namespace proxima::traffic
