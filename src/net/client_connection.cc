// SPDX-License-Identifier: Apache-2.0
// Each connection has a loop of its own, run by whoever calls: that is how blocking calls get
// Asio's deadlines, and cancellation from another thread is io_context::stop().
#include "net/client_connection.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "net/byte_stream.h"

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using SystemError = boost::system::error_code;

constexpr std::size_t kFirstReadBytes = 16U << 10U;
constexpr std::size_t kLargestReadBytes = 256U << 10U;

Error connection_error(std::string what) { return {ErrorCode::Retry, std::move(what)}; }

// One thing at a time is under way on it.
struct Loop {
  asio::io_context context{1};
  std::optional<Cancellation> cancellation;
  std::optional<Cancellation::Attachment> attachment;
  // Of the operation under way. Not on the stack of its caller, which may have given up.
  bool done = false;
  SystemError code;
  std::size_t count = 0;

  void attach(const Cancellation& to) {
    cancellation = to;
    attachment.emplace(to, [this] { context.stop(); });
  }
  void detach() {
    attachment.reset();
    cancellation.reset();
  }

  ByteStream::Handler handler() {
    done = false;
    return [this](const SystemError& its_code, std::size_t its_count) {
      done = true;
      code = its_code;
      count = its_count;
    };
  }

  // An error: the operation did not end by itself.
  Status wait(Deadline deadline) {
    context.restart();
    // After restart(), which would undo a stop() that came before.
    while (!done && !(cancellation && cancellation->cancelled())) {
      if (context.run_one_until(deadline) == 0) break;
    }
    if (done) return Unit{};
    if (cancellation && cancellation->cancelled()) return connection_error("cancelled");
    return connection_error("timed out");
  }
};

// Waits for the operation that `start` starts, and takes its own error for one too.
template <class Start>
Status perform(Loop& loop, Deadline deadline, Start start) {
  start(loop.handler());
  if (auto status = loop.wait(deadline); !status) return status;
  if (loop.code) return connection_error(loop.code.message());
  return Unit{};
}

struct Lookup {
  Loop loop;
  tcp::resolver resolver{loop.context};
  std::vector<tcp::endpoint> endpoints;
};

// The system's lookup cannot be interrupted, and Asio waits for it when the loop is destroyed. Who
// gave up must not wait with it.
void abandon(std::unique_ptr<Lookup> lookup) {
  lookup->loop.detach();
  std::thread([abandoned = std::move(lookup)]() mutable { abandoned.reset(); }).detach();
}

Result<std::vector<tcp::endpoint>> look_up(const Url& peer,
                                           const std::optional<Cancellation>& cancellation,
                                           Deadline deadline) {
  SystemError not_an_address;
  const auto address = asio::ip::make_address(peer.host, not_an_address);
  if (!not_an_address) return std::vector{tcp::endpoint(address, peer.port)};
  auto lookup = std::make_unique<Lookup>();
  if (cancellation) lookup->loop.attach(*cancellation);
  Lookup* const its = lookup.get();
  auto status = perform(lookup->loop, deadline, [&](ByteStream::Handler handler) {
    its->resolver.async_resolve(
        peer.host, std::to_string(peer.port),
        [its, handler = std::move(handler)](const SystemError& code, const auto& results) {
          for (const auto& result : results) its->endpoints.push_back(result.endpoint());
          handler(code, 0);
        });
  });
  if (status) return std::move(lookup->endpoints);
  if (!lookup->loop.done) abandon(std::move(lookup));
  return std::move(status).error().in("look up " + peer.host);
}

// So that one address that swallows everything leaves time for the next.
Deadline share_of(Deadline deadline, std::size_t shares) {
  const auto now = std::chrono::steady_clock::now();
  return now + (deadline - now) / static_cast<std::ptrdiff_t>(shares);
}

}  // namespace

struct ClientConnection::State {
  Loop loop;
  std::unique_ptr<ByteStream> stream;
  InputBuffer input;
  std::size_t read_bytes = kFirstReadBytes;
  std::string peer;
  Traffic traffic;

  Status connect_one(const tcp::endpoint& endpoint, Deadline deadline);
};

Result<std::unique_ptr<ClientConnection>> ClientConnection::create() {
  try {
    return std::unique_ptr<ClientConnection>(new ClientConnection(std::make_unique<State>()));
  } catch (const boost::system::system_error& error) {
    return connection_error(error.what());
  }
}

ClientConnection::ClientConnection(std::unique_ptr<State> state) : state_(std::move(state)) {}
ClientConnection::~ClientConnection() { state_->loop.detach(); }

void ClientConnection::attach(const Cancellation& cancellation) {
  state_->loop.attach(cancellation);
}
void ClientConnection::detach() { state_->loop.detach(); }
InputBuffer& ClientConnection::input() { return state_->input; }
void ClientConnection::begin_exchange() { state_->traffic = {}; }
const ClientConnection::Traffic& ClientConnection::traffic() const { return state_->traffic; }

bool ClientConnection::is_disturbed() {
  return state_->input.size() > 0 || state_->stream->is_disturbed();
}

Status ClientConnection::State::connect_one(const tcp::endpoint& endpoint, Deadline deadline) {
  tcp::socket socket(loop.context);
  auto status = perform(loop, deadline, [&](ByteStream::Handler handler) {
    socket.async_connect(
        endpoint, [handler = std::move(handler)](const SystemError& code) { handler(code, 0); });
  });
  if (!status) return status;
  SystemError ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  stream = ByteStream::plain(std::move(socket));
  return status;
}

Status ClientConnection::connect(const Url& peer, Deadline deadline) {
  state_->peer = peer.authority();
  const std::string context = "connect to " + state_->peer;
  PROXIMA_TRY(const auto endpoints, look_up(peer, state_->loop.cancellation, deadline), context);
  Status status = connection_error("there is no address");
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    status = state_->connect_one(endpoints[i], share_of(deadline, endpoints.size() - i));
    if (status || (state_->loop.cancellation && state_->loop.cancellation->cancelled())) break;
  }
  if (!status) return std::move(status).error().in(context);
  return status;
}

Status ClientConnection::start_tls(const TlsContext& tls, const std::string& server_name,
                                   Deadline deadline) {
  const std::string context = "TLS with " + state_->peer;
  if (state_->input.size() > 0) return connection_error(context + ": the peer spoke first");
  state_->stream = state_->stream->into_tls(tls.new_client_session(server_name));
  Loop& loop = state_->loop;
  state_->stream->handshake(ByteStream::Role::Client, loop.handler());
  if (auto status = loop.wait(deadline); !status) return std::move(status).error().in(context);
  if (loop.code) {
    const auto [code, message] = state_->stream->handshake_error(loop.code);
    return Error{code, context + ": " + message};
  }
  return Unit{};
}

Status ClientConnection::write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    auto status = perform(state_->loop, deadline, [&](ByteStream::Handler handler) {
      state_->stream->write_some(bytes, std::move(handler));
    });
    state_->traffic.closed |= state_->loop.done && state_->loop.code.failed();
    if (!status) return std::move(status).error().in("send to " + state_->peer);
    state_->traffic.written = true;
    bytes.remove_prefix(state_->loop.count);
  }
  return Unit{};
}

Result<std::size_t> ClientConnection::read(Deadline deadline) {
  Loop& loop = state_->loop;
  const auto room = state_->input.prepare(state_->read_bytes);
  state_->stream->read_some(room, loop.handler());
  if (auto status = loop.wait(deadline); !status) {
    return std::move(status).error().in("read from " + state_->peer);
  }
  state_->traffic.closed |= loop.code.failed();
  if (loop.code == asio::error::eof) return std::size_t{0};
  if (loop.code) return connection_error("read from " + state_->peer + ": " + loop.code.message());
  state_->input.commit(loop.count);
  state_->traffic.read = true;
  // Whoever sends much is read in larger pieces.
  if (loop.count >= state_->read_bytes / 2) {
    state_->read_bytes = std::min(2 * state_->read_bytes, kLargestReadBytes);
  }
  return loop.count;
}

}  // namespace proxima::net
