// SPDX-License-Identifier: Apache-2.0
// A network namespace for the length of a test: with a loopback interface that is up and nothing
// else. It belongs to a thread, so nothing is left behind however the test ends.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxima::test {

inline bool raise_loopback() {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  ifreq request{};
  std::strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ::ioctl(descriptor, SIOCSIFFLAGS, &request) == 0;
  ::close(descriptor);
  return up;
}

// Runs `body` in a namespace of its own. Where that is not allowed it is said aloud that `what` was
// not shown.
inline void in_own_network(const char* what, const std::function<void()>& body) {
  std::string refused;
  std::thread thread([&] {
    if (::unshare(CLONE_NEWNET) != 0) {
      refused = std::string("no network namespace: ") + std::strerror(errno);
    } else if (!raise_loopback()) {
      refused = "no loopback interface";
    } else {
      body();
    }
  });
  thread.join();
  if (!refused.empty()) std::printf("not shown here: %s (%s)\n", what, refused.c_str());
}

// Gives `rules` to nft in the namespace of the calling thread.
inline bool load_rules(const std::string& rules) {
  FILE* nft = ::popen("timeout 20 nft -f -", "w");
  if (nft == nullptr) return false;
  std::fwrite(rules.data(), 1, rules.size(), nft);
  return ::pclose(nft) == 0;
}

// Of the namespace of the calling thread: "net.netfilter.nf_conntrack_acct".
inline bool write_setting(std::string name, const std::string& value) {
  for (char& character : name) {
    if (character == '.') character = '/';
  }
  FILE* file = std::fopen(("/proc/sys/" + name).c_str(), "w");
  if (file == nullptr) return false;
  const bool written = std::fputs(value.c_str(), file) >= 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace proxima::test
