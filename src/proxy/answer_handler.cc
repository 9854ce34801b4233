// SPDX-License-Identifier: Apache-2.0
#include "proxy/answer_handler.h"

namespace proxima::proxy {

net::Reply AnswerHandler::handle(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  HealthAnswer answer = answer_(target.substr(0, target.find('?')));
  net::Reply reply;
  reply.response.status = answer.status;
  for (auto& [name, value] : answer.headers)
    reply.response.headers.add(std::move(name), std::move(value));
  reply.response.body = std::move(answer.body);
  reply.after = net::AfterReply::Close;  // probes come again; their slots are for others
  return reply;
}

}  // namespace proxima::proxy
