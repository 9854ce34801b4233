// SPDX-License-Identifier: Apache-2.0
// How long a health check takes while 10,000 hostile connections are open and those that the server
// closes come back, a thousand a second: idle, half a request, half a body, half a TLS handshake;
// from one address and from 10,000. Server, crowd and probe share this machine. Loopback only.
//
//   doors_bench [PROBES]
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "net/descriptor_limit.h"
#include "proxy/answer_server.h"
#include "telemetry/status_server.h"

namespace {

using namespace proxima;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kHostile = 10'000;
constexpr double kBarMilliseconds = 100;
constexpr std::uint32_t kFirstAddress = 0x7f010001;  // 127.1.0.1
constexpr std::string_view kOpenings[] = {
    "", "GET /livez HTTP/1.1\r\nX",
    "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf", "\x16\x03\x01\x02"};

sockaddr_in address_of(std::uint32_t host, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(host);
  out.sin_port = htons(port);
  return out;
}

int connect_from(std::uint32_t source, std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  const sockaddr_in from = address_of(source, 0);
  const sockaddr_in to = address_of(INADDR_LOOPBACK, port);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0 &&
      ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0)
    return socket;
  ::close(socket);
  return -1;
}

bool was_closed(int socket) {
  char byte = 0;
  const ssize_t count = ::recv(socket, &byte, 1, MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN);
}

enum class Sources { One, Many };

class Crowd {
 public:
  Crowd(std::uint16_t port, Sources sources)
      : port_(port), sources_(sources), sockets_(kHostile, -1), thread_([this] { run(); }) {
    while (!complete_) std::this_thread::yield();
  }
  ~Crowd() {
    ending_ = true;
    thread_.join();
    for (const int socket : sockets_) ::close(socket);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  std::uint64_t opened() const { return opened_; }

 private:
  void open(std::size_t i) {
    const auto host = static_cast<std::uint32_t>(sources_ == Sources::Many ? i : 0);
    sockets_[i] = connect_from(kFirstAddress + host, port_);
    const std::string_view opening = kOpenings[i % std::size(kOpenings)];
    if (sockets_[i] >= 0 && !opening.empty())
      (void)::send(sockets_[i], opening.data(), opening.size(), MSG_NOSIGNAL);
    ++opened_;
  }
  void run() {
    for (std::size_t i = 0; i < kHostile && !ending_; ++i) open(i);
    complete_ = true;
    while (!ending_) {
      for (std::size_t i = 0; i < kHostile && !ending_; ++i) {
        if (sockets_[i] >= 0 && !was_closed(sockets_[i])) continue;
        ::close(sockets_[i]);
        open(i);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }

  std::uint16_t port_;
  Sources sources_;
  std::vector<int> sockets_;
  std::atomic<std::uint64_t> opened_ = 0;
  std::atomic<bool> complete_ = false;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

// -1: not answered with 200.
double probe(std::uint16_t port) {
  constexpr std::string_view kRequest = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
  const auto begin = Clock::now();
  const int socket = connect_from(INADDR_LOOPBACK, port);
  (void)::send(socket, kRequest.data(), kRequest.size(), MSG_NOSIGNAL);
  std::string answer(512, '\0');
  const ssize_t count = ::recv(socket, answer.data(), answer.size(), 0);
  const double taken = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  ::close(socket);
  return count > 0 && answer.starts_with("HTTP/1.1 200") ? taken : -1;
}

bool measure(const char* name, std::uint16_t port, Sources sources, int probes) {
  const Crowd crowd(port, sources);
  std::vector<double> times;
  int failed = 0;
  for (int i = 0; i < probes; ++i) {
    const double taken = probe(port);
    if (taken < 0) ++failed;
    times.push_back(taken);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%-22s %-18s median %7.2f ms   99 %% %7.2f ms   worst %7.2f ms   failed %d of %d   "
      "hostile connections opened %llu\n",
      name, sources == Sources::One ? "one address" : "10,000 addresses", times[times.size() / 2],
      times[times.size() * 99 / 100], times.back(), failed, probes,
      static_cast<unsigned long long>(crowd.opened()));
  std::fflush(stdout);
  return failed == 0 && times.back() <= kBarMilliseconds;
}

}  // namespace

int main(int argc, char** argv) {
  const int probes = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (net::raise_descriptor_limit() < kHostile + 4'096) {
    std::printf("not measured: the limit of open files is too low\n");
    return 0;
  }
  const telemetry::MetricsRegistry metrics;
  const auto health = proxy::AnswerServer::start({.address = "127.0.0.1"}, [](std::string_view) {
    return proxy::HealthAnswer{200, {}, "ok"};
  });
  const auto status = telemetry::StatusServer::start({}, metrics, {});
  if (!health || !status) return 1;
  bool good = true;
  for (const Sources sources : {Sources::One, Sources::Many}) {
    good = measure("health of a proxy", (*health)->port(), sources, probes) && good;
    good = measure("status of a component", (*status)->port(), sources, probes) && good;
  }
  return good ? 0 : 1;
}
