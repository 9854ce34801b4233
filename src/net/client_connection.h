// SPDX-License-Identifier: Apache-2.0
// A client's end of a connection, used by one thread at a time. Every call blocks until it is done,
// its deadline passes or the attached Cancellation ends it; after an error the connection is of no
// more use.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/cancellation.h"
#include "net/input_buffer.h"
#include "net/tls_context.h"
#include "net/url.h"

namespace proxima::net {

using Deadline = std::chrono::steady_clock::time_point;

inline Deadline deadline_after(std::chrono::milliseconds limit) {
  return std::chrono::steady_clock::now() + limit;
}

class ClientConnection {
 public:
  // An error: the system has no descriptors left.
  static Result<std::unique_ptr<ClientConnection>> create();
  ~ClientConnection();
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  // What is called from now on is ended by `cancellation`, until detach().
  void attach(const Cancellation& cancellation);
  void detach();

  // Looks the name up and tries its addresses in turn.
  Status connect(const Url& peer, Deadline deadline);
  // Goes on under TLS, with a peer whose certificate is good for `server_name`.
  Status start_tls(const TlsContext& tls, const std::string& server_name, Deadline deadline);
  Status write(std::string_view bytes, Deadline deadline);
  // Appends what comes to input(); 0 at the end.
  Result<std::size_t> read(Deadline deadline);
  InputBuffer& input();

  // What happened since begin_exchange().
  struct Traffic {
    bool written = false;  // a byte at least
    bool read = false;
    bool closed = false;  // the peer, or the system, has ended the connection
  };
  void begin_exchange();
  const Traffic& traffic() const;
  // Whether a connection from which nothing is expected was closed, or says something.
  bool is_disturbed();

 private:
  struct State;
  explicit ClientConnection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace proxima::net
