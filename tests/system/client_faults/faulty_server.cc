// SPDX-License-Identifier: Apache-2.0
#include "system/client_faults/faulty_server.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace proxima::faults {
namespace {

constexpr int kLookMs = 5;  // how often a thread that waits looks whether all is over
constexpr int kQuietLooks = 20;
// Events that may change places; kube/event_order.h bears eight.
constexpr std::size_t kMostReordered = 5;

std::string status_body(int code, const std::string& reason, const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
         R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

std::string reason_of(int code) {
  switch (code) {
    case 403:
      return "Forbidden";
    case 410:
      return "Expired";
    case 429:
      return "TooManyRequests";
    case 504:
      return "Timeout";
    default:
      return "InternalError";
  }
}

std::string head(int code, std::size_t length, const std::string& more = "") {
  return "HTTP/1.1 " + std::to_string(code) + " X\r\nContent-Type: application/json\r\n" + more +
         "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

std::string event_line(const std::string& type, const std::string& json) {
  return R"({"type":")" + type + R"(","object":)" + json + "}\n";
}

std::string bookmark_line(Version version) {
  return event_line("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" +
                                    std::to_string(version) + R"("}})");
}

std::map<std::string, std::string> parse_query(std::string_view target) {
  std::map<std::string, std::string> query;
  std::size_t at = target.find('?');
  while (at != std::string_view::npos) {
    const std::size_t end = target.find('&', at + 1);
    const std::string_view pair = target.substr(at + 1, end - at - 1);
    const std::size_t equals = pair.find('=');
    query[std::string(pair.substr(0, equals))] =
        equals == std::string_view::npos ? "" : std::string(pair.substr(equals + 1));
    at = end;
  }
  return query;
}

// Nothing when nothing has come yet; "" when the client is gone.
std::optional<std::string> try_receive(const support::RawSocket& socket) {
  pollfd waiting{socket.descriptor(), POLLIN, 0};
  if (::poll(&waiting, 1, kLookMs) <= 0) return std::nullopt;
  return socket.receive(0);
}

Version number(const std::string& text) {
  return text.empty() ? 0 : std::strtoull(text.c_str(), nullptr, 10);
}

}  // namespace

struct FaultyServer::Call {
  const support::RawSocket& socket;
  Query query;
  SplitMix random;
  bool may_fail;

  const std::string& parameter(const std::string& name) { return query[name]; }
};

FaultyServer::FaultyServer(std::uint64_t seed) : seed_(seed), history_(seed) {
  SplitMix random(seed, 1'000'000);
  patience_ = 5 + random.below(25);
  mutations_ = 20 + random.below(80);
  acceptor_ = std::thread([this] { accept_all(); });
}

FaultyServer::~FaultyServer() {
  stop_ = true;
  const auto wake = support::RawSocket::connect(port());
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
}

Pods FaultyServer::pods() const {
  const std::lock_guard guard(mutex_);
  return history_.pods();
}

std::vector<HistoryEvent> FaultyServer::events() const {
  const std::lock_guard guard(mutex_);
  return history_.events();
}

bool FaultyServer::wait_until_calm(std::chrono::seconds patience) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return is_calm(); });
}

std::map<std::string, int> FaultyServer::deeds() const {
  const std::lock_guard guard(mutex_);
  return deeds_;
}

bool FaultyServer::deed(const std::string& name) {
  const std::lock_guard guard(mutex_);
  ++deeds_[name];
  return true;
}

void FaultyServer::accept_all() {
  while (!stop_) {
    support::RawSocket socket = listener_.accept();
    if (socket.descriptor() < 0 || stop_) continue;
    const std::lock_guard guard(mutex_);
    threads_.emplace_back([this, peer = std::move(socket)] { serve(peer); });
  }
}

void FaultyServer::serve(const support::RawSocket& socket) {
  std::string bytes;
  while (!stop_) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string::npos) {
      const auto more = try_receive(socket);
      if (!more) continue;
      if (more->empty()) return;
      bytes += *more;
      continue;
    }
    const std::size_t target = bytes.find(' ') + 1;
    const std::string line = bytes.substr(target, bytes.find(' ', target) - target);
    bytes.erase(0, end + 4);
    std::unique_lock lock(mutex_);
    const bool may_fail = patience_ > 0;
    if (may_fail) --patience_;
    Call call{socket, parse_query(line), SplitMix(seed_, ++requests_), may_fail};
    // Nothing goes wrong any more: what is left to change is changed at once.
    if (!may_fail) {
      for (; mutations_ > 0; --mutations_) history_.mutate();
      calm_ = true;
      changed_.notify_all();
    }
    lock.unlock();
    if (!answer(call)) return;
  }
}

bool FaultyServer::wants_fault(Call& call, std::uint64_t one_in) {
  return call.may_fail && call.random.below(one_in) == 0;
}

// Something happens in the cluster.
void FaultyServer::live(Call& call) {
  if (!call.may_fail) return;
  const std::lock_guard guard(mutex_);
  for (std::uint64_t n = call.random.below(6); n > 0 && mutations_ > 0; --n, --mutations_)
    history_.mutate();
  if (call.random.below(4) == 0) history_.skip_versions();
  if (call.random.below(12) == 0) history_.compact(history_.version() - call.random.below(20));
}

bool FaultyServer::answer(Call& call) {
  live(call);
  if (wants_fault(call, 4)) return answer_badly(call);
  return call.query.contains("watch") ? watch(call) : list(call);
}

bool FaultyServer::refuse(Call& call, int status, const std::string& message) {
  deed("refused " + std::to_string(status));
  const std::string body = call.random.below(4) == 0
                               ? "<html>no</html>"
                               : status_body(status, reason_of(status), message);
  const std::string retry = status == 429 || call.random.below(3) == 0
                                ? "Retry-After: " + std::to_string(call.random.below(30)) + "\r\n"
                                : "";
  return call.socket.send(head(status, body.size(), retry) + body);
}

bool FaultyServer::answer_badly(Call& call) {
  switch (call.random.below(10)) {
    case 0:
      return refuse(call, 410, "too old resource version");
    case 1:
      return refuse(call, 429, "busy");
    case 2:
      return refuse(call, 500, "ill");
    case 3:
      return refuse(call, 503, "away");
    case 4:
      return refuse(call, 403, "no");
    case 5:
      return refuse(call, 504, "Too large resource version: 9, current: 8");
    case 6:
      return hang(call);
    case 7:
      return deed("garbage header") && call.socket.send("\x01\x02 what?\r\n\r\n") && false;
    case 8:
      return deed("half a header") && call.socket.send("HTTP/1.1 200 OK\r\nConte") && false;
    default:
      return deed("closed at once") && false;
  }
}

// Says nothing until the client goes.
bool FaultyServer::hang(Call& call) {
  deed("hung");
  while (!stop_) {
    const auto more = try_receive(call.socket);
    if (more && more->empty()) break;
  }
  return false;
}

// A list of what was there at some version: now, or a little earlier when the client takes
// anything.
std::string FaultyServer::list_body(Call& call) {
  const std::lock_guard guard(mutex_);
  Version at = history_.version();
  std::string after;
  if (const std::string token = call.parameter("continue"); !token.empty()) {
    const std::size_t dot = token.find('.');
    at = number(token.substr(0, dot));
    after = token.substr(dot + 1);
    std::replace(after.begin(), after.end(), '~', '/');
  } else if (const std::string asked = call.parameter("resourceVersion"); !asked.empty()) {
    const Version least = std::max(number(asked), history_.compacted());
    if (call.may_fail && least < at && call.random.below(3) == 0) {
      ++deeds_["list from an old cache"];
      at -= call.random.below(std::min<Version>(at - least, 15) + 1);
    }
  }
  std::uint64_t limit = number(call.parameter("limit"));
  if (limit > 0) limit = 1 + call.random.below(6);  // servers may give fewer than asked for
  std::string items, next;
  std::uint64_t given = 0;
  const bool empty_page = limit > 0 && call.may_fail && call.random.below(6) == 0;
  for (const auto& [key, pod] : history_.pods_at(at)) {
    if (key <= after && !after.empty()) continue;
    if (limit > 0 && (given == limit || empty_page)) {
      if (empty_page) ++deeds_["empty page"];
      next = std::to_string(at) + "." + after;
      std::replace(next.begin(), next.end(), '/', '~');
      break;
    }
    items += (given++ == 0 ? "" : ",") + pod.json;
    after = key;
  }
  const std::string meta = R"("metadata":{"resourceVersion":")" + std::to_string(at) +
                           R"(","continue":")" + next + "\"}";
  const std::string list = given == 0 && call.random.below(2) == 0 ? "null" : "[" + items + "]";
  return call.random.below(2) == 0
             ? R"({"kind":"PodList","apiVersion":"v1",)" + meta + R"(,"items":)" + list + "}\n"
             : R"({"items":)" + list + "," + meta + R"(,"kind":"PodList"})";
}

bool FaultyServer::list(Call& call) {
  if (!call.parameter("continue").empty() && wants_fault(call, 5))
    return refuse(call, 410, "The provided continue parameter is too old");
  std::string body = list_body(call);
  live(call);
  return send_list(call, std::move(body));
}

bool FaultyServer::send_list(Call& call, std::string body) {
  const std::size_t at = call.random.below(body.size());
  switch (call.may_fail ? call.random.below(12) : 100) {
    case 0:
      return deed("list cut") && call.socket.send(head(200, body.size()) + body.substr(0, at)) &&
             false;
    case 1:
      deed("garbage in a list");
      body.insert(at, "\x01");
      return call.socket.send(head(200, body.size()) + body);
    case 2:
      return deed("content-length too large") &&
             call.socket.send(head(200, body.size() + 7) + body) && false;
    case 3:
      return deed("content-length too small") && call.socket.send(head(200, at) + body) && false;
    case 4:
      deed("list in drops");
      if (!call.socket.send(head(200, body.size()))) return false;
      for (std::size_t i = 0; i < body.size(); i += 97)
        if (!call.socket.send(body.substr(i, 97))) return false;
      return true;
    case 5:
      if (!call.socket.send(head(200, body.size()) + body.substr(0, at))) return false;
      return deed("list stopped") && hang(call);
    default:
      return call.socket.send(head(200, body.size()) + body);
  }
}

bool FaultyServer::send_chunk(Call& call, const std::string& text) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", text.size());
  if (wants_fault(call, 25)) {
    const std::size_t at = call.random.below(text.size());
    switch (call.random.below(4)) {
      case 0:
        return deed("half a chunk") && call.socket.send(size + text.substr(0, at)) && false;
      case 1:
        return deed("garbage for a chunk") && call.socket.send("zz\r\n" + text) && false;
      case 2:
        if (!call.socket.send(size + text.substr(0, at))) return false;
        return deed("stopped in a chunk") && hang(call);
      default:
        // An honest chunk, and a proper end in the middle of an event.
        std::snprintf(size, sizeof size, "%zx\r\n", at);
        if (at == 0) return false;
        return deed("ended in an event") &&
               call.socket.send(size + text.substr(0, at) + "\r\n0\r\n\r\n");
    }
  }
  return call.socket.send(size + text + "\r\n");
}

bool FaultyServer::watch(Call& call) {
  const Version from = number(call.parameter("resourceVersion"));
  std::unique_lock lock(mutex_);
  const bool too_old = from < history_.compacted();
  lock.unlock();
  if (too_old && call.random.below(2) == 0) return refuse(call, 410, "too old resource version");
  if (!call.socket.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n"))
    return false;
  if (too_old) {
    deed("410 in the stream");
    return send_chunk(call, event_line("ERROR", status_body(410, "Expired", "too old"))) &&
           call.socket.send("0\r\n\r\n");
  }
  return stream(call, from);
}

bool FaultyServer::stream(Call& call, Version from) {
  Version sent = from;
  // A watch has an end, also on a good server.
  for (int quiet = 0; quiet < kQuietLooks && !stop_; ++quiet) {
    live(call);
    if (!play_batch(call, sent)) return false;
    std::string text;
    if (call.may_fail && !misplay(call, sent, text)) return false;
    if (!text.empty() && !send_chunk(call, text)) return false;
    if (wants_fault(call, 20)) return deed("ended") && call.socket.send("0\r\n\r\n");
    if (call.may_fail) {
      quiet = 0;
      continue;
    }
    const auto more = try_receive(call.socket);
    if (more && more->empty()) return false;
  }
  return !stop_ && call.socket.send("0\r\n\r\n");
}

// The events after `sent`, in order or nearly so.
bool FaultyServer::play_batch(Call& call, Version& sent) {
  std::vector<HistoryEvent> batch;
  {
    const std::lock_guard guard(mutex_);
    for (const HistoryEvent& event : history_.events())
      if (event.version > sent && batch.size() < kMostReordered) batch.push_back(event);
  }
  if (batch.empty()) return true;
  sent = batch.back().version;
  if (wants_fault(call, 4)) {
    deed("reordered");
    for (std::size_t i = batch.size() - 1; i > 0; --i)
      std::swap(batch[i], batch[call.random.below(i + 1)]);
  }
  std::string text;
  for (const HistoryEvent& event : batch) {
    text += event_line(event.type, event.json);
    if (wants_fault(call, 8) && deed("duplicate")) text += event_line(event.type, event.json);
    if (call.random.below(2) == 0) continue;
    if (!send_chunk(call, text)) return false;
    text.clear();
  }
  if (call.random.below(4) == 0 && deed("bookmark")) text += bookmark_line(sent);
  return text.empty() || send_chunk(call, text);
}

// What no server should send. False: it is over.
bool FaultyServer::misplay(Call& call, Version sent, std::string& text) {
  std::unique_lock lock(mutex_);
  const auto& events = history_.events();
  switch (call.random.below(30)) {
    case 0:
      ++deeds_["replay"];
      for (std::size_t i = call.random.below(events.size()), n = 0; i < events.size() && n < 5;
           ++i, ++n)
        if (events[i].version <= sent) text += event_line(events[i].type, events[i].json);
      return true;
    case 1:
      ++deeds_["garbage line"];
      text = "\x01 garbage\n";
      return true;
    case 2:
      ++deeds_["half an event"];
      text = R"({"type":"ADDED","object":{"metad)";
      text += "\n";
      return true;
    case 3:
      ++deeds_["endless line"];
      text = std::string(100'000, ' ');
      return true;
    case 4:
      ++deeds_["error 500 in the stream"];
      text = event_line("ERROR", status_body(500, "InternalError", "x"));
      return true;
    case 5:
      ++deeds_["error 410 in the stream"];
      text = event_line("ERROR", status_body(410, "Expired", "x"));
      return true;
    case 6:
      ++deeds_["old bookmark"];
      text = bookmark_line(1 + call.random.below(100));
      return true;
    case 7:
      ++deeds_["unknown event"];
      text = event_line("PONDERED", events[0].json);
      return true;
    case 8:
      ++deeds_["nameless object"];
      text = event_line("ADDED", "{}");
      return true;
    case 9:
      lock.unlock();
      return hang(call);
    case 10:
      ++deeds_["cut"];
      return false;
    default:
      return true;
  }
}

}  // namespace proxima::faults
