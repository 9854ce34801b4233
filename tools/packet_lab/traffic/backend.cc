// SPDX-License-Identifier: Apache-2.0
#include "packet_lab/traffic/backend.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "packet_lab/traffic/peer_address.h"

namespace proxima::traffic {
namespace {

int listening(int type, std::uint16_t port) {
  const int made = socket(AF_INET6, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int one = 1;
  const int zero = 0;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  any.sin6_port = htons(port);
  if (bind(made, reinterpret_cast<sockaddr*>(&any), sizeof any) != 0) return -1;
  if (type == SOCK_STREAM && listen(made, 4096) != 0) return -1;
  return made;
}

class Backend {
 public:
  Backend(std::string name, int tcp, int udp)
      : name_(std::move(name)), tcp_(tcp), udp_(udp), poll_(epoll_create1(EPOLL_CLOEXEC)) {
    watch(tcp_);
    watch(udp_);
  }

  void run() {
    std::array<epoll_event, 256> events{};
    for (;;) {
      const int ready = epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < ready; ++i) handle(events[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void watch(int descriptor, std::uint32_t what = EPOLLIN, int operation = EPOLL_CTL_ADD) const {
    epoll_event event{};
    event.events = what;
    event.data.fd = descriptor;
    epoll_ctl(poll_, operation, descriptor, &event);
  }

  void handle(const epoll_event& event) {
    const int descriptor = event.data.fd;
    if ((event.events & EPOLLOUT) != 0) return give(descriptor);
    if (descriptor == tcp_)
      accept_all();
    else if (descriptor == udp_)
      answer_datagrams();
    else
      answer_lines(descriptor);
  }

  void accept_all() {
    for (;;) {
      sockaddr_in6 peer{};
      socklen_t size = sizeof peer;
      const int made =
          accept4(tcp_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (made < 0) return;
      std::string answer = name_ + " " + text_of(peer) + "\n";
      static_cast<void>(send(made, answer.data(), answer.size(), MSG_NOSIGNAL));
      answers_[made] = std::move(answer);
      watch(made);
    }
  }

  void answer_datagrams() {
    std::array<char, 256> bytes{};
    sockaddr_in6 peer{};
    socklen_t size = sizeof peer;
    while (recvfrom(udp_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&peer),
                    &size) >= 0) {
      const std::string answer = name_ + " " + text_of(peer) + "\n";
      sendto(udp_, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&peer), size);
      size = sizeof peer;
    }
  }

  // A client waits for each answer, so a line never comes in two pieces.
  void answer_lines(int descriptor) {
    std::array<char, 4096> bytes{};
    const ssize_t got = recv(descriptor, bytes.data(), bytes.size(), 0);
    const std::string_view text(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    if (got <= 0 || text.find("bye\n") != std::string_view::npos) {
      answers_.erase(descriptor);
      close(descriptor);
      return;
    }
    if (text.starts_with("give ")) {
      gifts_[descriptor] = std::strtoull(bytes.data() + 5, nullptr, 10);
      return watch(descriptor, EPOLLOUT, EPOLL_CTL_MOD);
    }
    const std::string& answer = answers_[descriptor];
    static_cast<void>(send(descriptor, answer.data(), answer.size(), MSG_NOSIGNAL));
  }

  // As much as fits now.
  void give(int descriptor) {
    static const std::array<char, 1 << 18> kBytes{};
    std::uint64_t& left = gifts_[descriptor];
    while (left > 0) {
      const auto part = std::min<std::uint64_t>(left, kBytes.size());
      const ssize_t sent = send(descriptor, kBytes.data(), part, MSG_NOSIGNAL);
      if (sent < 0 && errno == EAGAIN) return;
      if (sent < 0) break;
      left -= static_cast<std::uint64_t>(sent);
    }
    gifts_.erase(descriptor);
    watch(descriptor, EPOLLIN, EPOLL_CTL_MOD);
  }

  std::string name_;
  int tcp_;
  int udp_;
  int poll_;
  std::map<int, std::string> answers_;
  std::map<int, std::uint64_t> gifts_;  // bytes that are still to be sent
};

}  // namespace

int serve(const std::string& name, std::uint16_t port) {
  const int tcp = listening(SOCK_STREAM, port);
  const int udp = listening(SOCK_DGRAM, port);
  if (tcp < 0 || udp < 0) {
    std::perror("listen");
    return 1;
  }
  std::puts("ready");
  std::fflush(stdout);
  Backend(name, tcp, udp).run();
  return 0;
}

}  // namespace proxima::traffic
