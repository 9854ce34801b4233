// SPDX-License-Identifier: Apache-2.0
#include "traffic/backend_answer.h"

#include "base/json_text.h"

namespace proxima::traffic {

std::string render_backend_answer(const BackendSpec& spec, std::string_view client) {
  std::string body;
  body.reserve(spec.answer_bytes);
  body += "{\"pod\":";
  append_json_text(body, spec.pod);
  body += ",\"node\":";
  append_json_text(body, spec.node);
  body += ",\"zone\":";
  append_json_text(body, spec.zone);
  body += ",\"client\":";
  append_json_text(body, client);
  body += "}\n";
  if (body.size() < spec.answer_bytes) body.resize(spec.answer_bytes, ' ');
  return body;
}

}  // namespace proxima::traffic
