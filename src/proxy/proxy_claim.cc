// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>
#include <utility>

namespace proxima::proxy {
namespace {

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&name); }
};

// In the abstract namespace: no file, one a network namespace. Names of proxies are label values,
// at most 63 characters; more is cut, because it could not be a label.
Address address_of(std::string_view proxy_name) {
  Address out;
  out.name.sun_family = AF_UNIX;
  const std::string text = "proxima-proxy/" + std::string(proxy_name.substr(0, 63));
  std::copy(text.begin(), text.end(), &out.name.sun_path[1]);
  out.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return out;
}

std::string program_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

// Who listens there, as far as this process may know.
std::string holder(const Address& address) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  ucred who{};
  socklen_t size = sizeof who;
  const bool known = socket >= 0 && ::connect(socket, address.get(), address.size) == 0 &&
                     ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  if (socket >= 0) ::close(socket);
  if (!known) return "its process is not known";
  if (who.pid == 0) return "its process is in another container and has no number here";
  const std::string program = program_of(who.pid);
  return "process " + std::to_string(who.pid) + (program.empty() ? "" : " (" + program + ")");
}

std::string routed(std::string_view proxy_name) {
  return proxy_name.empty() ? "Services that name no proxy"
                            : "Services of the proxy \"" + std::string(proxy_name) + "\"";
}

Error failed(std::string_view what, int error) {
  return {ErrorCode::Retry, std::string(what) + ": " + std::generic_category().message(error)};
}

}  // namespace

Result<ProxyClaim> ProxyClaim::take(std::string_view proxy_name) {
  ProxyClaim claim(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (claim.socket_ < 0) return failed("make a socket", errno);
  const Address address = address_of(proxy_name);
  if (::bind(claim.socket_, address.get(), address.size) != 0) {
    if (errno != EADDRINUSE) return failed("claim the network namespace", errno);
    return Error{ErrorCode::Conflict, "another proxima proxy routes " + routed(proxy_name) +
                                          " in this network namespace: " + holder(address)};
  }
  // Whoever comes later connects to learn whose it is; nothing is ever accepted.
  if (::listen(claim.socket_, 1) != 0) return failed("claim the network namespace", errno);
  return claim;
}

ProxyClaim& ProxyClaim::operator=(ProxyClaim&& other) noexcept {
  std::swap(socket_, other.socket_);
  return *this;
}

void ProxyClaim::release() {
  if (socket_ >= 0) ::close(socket_);
}

}  // namespace proxima::proxy
