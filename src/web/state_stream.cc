// SPDX-License-Identifier: Apache-2.0
#include "web/state_stream.h"

#include <algorithm>

namespace proxima::web {

StateStream::StateStream(LiveLoop& loop, Clock& clock)
    : loop_(loop), clock_(clock), alive_at_(clock.steady_now() + kKeepAlive) {
  loop_.begin_watching();
}

StateStream::~StateStream() { loop_.end_watching(); }

bool StateStream::begin_next() {
  const Published now = loop_.current();
  if (now.revision == revision_) return false;
  revision_ = now.revision;
  document_ = now.document;
  sent_bytes_ = 0;
  return true;
}

net::Pull StateStream::pull(std::string& out, std::size_t wanted) {
  if (!document_) {
    if (begin_next()) {
      out += "event: state\nid: " + std::to_string(revision_) + "\ndata: ";
    } else if (clock_.steady_now() >= alive_at_) {
      out += ": nothing new\n\n";
      alive_at_ = clock_.steady_now() + kKeepAlive;
    }
  }
  if (!document_) return net::Pull::Wait;
  const std::size_t part = std::min(wanted, document_->size() - sent_bytes_);
  out.append(*document_, sent_bytes_, part);
  sent_bytes_ += part;
  if (sent_bytes_ < document_->size()) return net::Pull::More;
  out += "\n\n";
  document_.reset();
  alive_at_ = clock_.steady_now() + kKeepAlive;
  return net::Pull::Wait;
}

}  // namespace proxima::web
