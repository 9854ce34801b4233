// SPDX-License-Identifier: Apache-2.0
// How long a health check takes while 10,000 hostile connections are open and those that the server
// closes come back, a thousand a second: idle, half a request, half a body, half a TLS handshake;
// from one address and from 10,000. Of the health of a node proxy, the status of a component, plain
// and over TLS, and the embedded API server. Server, crowd and probe share this machine. Loopback
// only.
// Bar: the slowest at most 100 ms. Exits with 1 when a check is not answered, however late.
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
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "apiserver/server.h"
#include "net/certificates.h"
#include "net/client_connection.h"
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

// A listener, and how to ask whether it is healthy: true when it says so.
struct Door {
  const char* name;
  std::uint16_t port;
  std::function<bool()> ask;
};

std::string health_request(const std::string& headers = "") {
  return "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
}

constexpr std::string_view kHealthy = "HTTP/1.1 200";

Door plain_door(const char* name, std::uint16_t port) {
  return {name, port, [port, request = health_request()] {
            const int socket = connect_from(INADDR_LOOPBACK, port);
            (void)::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
            std::string answer(512, '\0');
            const ssize_t count = ::recv(socket, answer.data(), answer.size(), 0);
            ::close(socket);
            return count > 0 && answer.starts_with(kHealthy);
          }};
}

Door tls_door(const char* name, const std::string& url, const std::string& ca_pem,
              const std::string& headers = "") {
  const net::Url peer = net::parse_url(url).value();
  return {name, peer.port,
          [peer, tls = net::TlsContext::for_client({.ca_pem = ca_pem}).value(),
           request = health_request(headers)] {
            const auto deadline = net::deadline_after(std::chrono::seconds(10));
            const auto connection = net::ClientConnection::create().value();
            return connection->connect(peer, deadline) &&
                   connection->start_tls(tls, peer.host, deadline) &&
                   connection->write(request, deadline) && connection->read(deadline) &&
                   connection->input().view().starts_with(kHealthy);
          }};
}

// Whether every check was answered.
bool measure(const Door& door, Sources sources, int probes) {
  const Crowd crowd(door.port, sources);
  std::vector<double> times;
  int failed = 0;
  for (int i = 0; i < probes; ++i) {
    const auto begin = Clock::now();
    if (!door.ask()) ++failed;
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%-22s %-18s median %7.2f ms   99 %% %7.2f ms   worst %7.2f ms   failed %d of %d   "
      "hostile connections opened %llu\n",
      door.name, sources == Sources::One ? "one address" : "10,000 addresses",
      times[times.size() / 2], times[times.size() * 99 / 100], times.back(), failed, probes,
      static_cast<unsigned long long>(crowd.opened()));
  std::fflush(stdout);
  if (times.back() > kBarMilliseconds)
    std::printf("  missed: the slowest at most %.0f ms\n", kBarMilliseconds);
  return failed == 0;
}

// An embedded API server in a folder of its own.
class Api {
 public:
  Api() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "proxima-bench-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    apiserver::ServerOptions options;
    options.data_directory = (folder_ / "data").string();
    options.port = 0;
    server_ = apiserver::Server::create(std::move(options), clock_).value();
    loop_ = std::thread([this] { server_->run(); });
  }
  ~Api() {
    server_->stop();
    loop_.join();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  Door door() const {
    return tls_door("embedded API server", server_->url(), file("ca.crt"),
                    "Authorization: Bearer " + file("admin.token") + "\r\n");
  }

 private:
  // Without the end of its last line.
  std::string file(const char* name) const {
    std::ifstream stream(folder_ / "data" / "pki" / name);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    text.pop_back();
    return text;
  }

  SystemClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<apiserver::Server> server_;
  std::thread loop_;
};

}  // namespace

int main(int argc, char** argv) {
  const int probes = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (net::raise_descriptor_limit() < kHostile + 4'096) {
    std::printf("not measured: the limit of open files is too low\n");
    return 0;
  }
  const auto authority = net::make_authority({.common_name = "authority"}).value();
  const auto certificate =
      net::make_server_certificate(authority, {.common_name = "server", .names = {"127.0.0.1"}})
          .value();
  const telemetry::MetricsRegistry metrics;
  const auto health = proxy::AnswerServer::start({.address = "127.0.0.1"}, [](std::string_view) {
    return proxy::HealthAnswer{200, {}, "ok"};
  });
  const auto status = telemetry::StatusServer::start({}, metrics, {});
  telemetry::StatusServerOptions over_tls;
  over_tls.certificate_pem = certificate.certificate_pem;
  over_tls.key_pem = certificate.key_pem;
  const auto status_over_tls = telemetry::StatusServer::start(over_tls, metrics, {});
  if (!health || !status || !status_over_tls) return 1;
  const Api api;
  const Door doors[] = {
      plain_door("health of a proxy", (*health)->port()),
      plain_door("status of a component", (*status)->port()),
      tls_door("status over TLS", (*status_over_tls)->url(), authority.certificate_pem),
      api.door()};
  bool good = true;
  for (const Sources sources : {Sources::One, Sources::Many})
    for (const Door& door : doors) good = measure(door, sources, probes) && good;
  return good ? 0 : 1;
}
