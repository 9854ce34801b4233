// SPDX-License-Identifier: Apache-2.0
// The Kubernetes client against a server in another process on this machine: how fast 150,000 Pods
// are listed and decoded, in how much memory they are held, and how many events of a watch are
// taken in a second. Bars: 200 MB a second of the client's processor time, 500 bytes a Pod, 50,000
// events a second.
//
//   kube_bench [PEER]     PEER: bench/peer/informer, built; it reads the same server
#include <arpa/inet.h>
#include <malloc.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kube/credentials.h"
#include "kube/http_api.h"
#include "kube/reflector.h"
#include "manifest/generate.h"
#include "net/http_client.h"
#include "processor_time.h"
#include "wire/json_documents.h"
#include "wire/padded_text.h"

namespace {

using namespace proxima;

constexpr std::size_t kPods = 150'000;
constexpr std::size_t kEvents = 300'000;
constexpr double kLeastMegabytesPerSecond = 200;
constexpr double kMostBytesPerPod = 500;
constexpr double kLeastEventsPerSecond = 50'000;

// --- the server --------------------------------------------------------------------------------

class Server {
 public:
  Server() : text_(generate()) {
    auto documents = wire::JsonDocuments(text_.text());
    const auto list = documents.next();
    for (const wire::TextSpan& item : list->items) {
      const std::string_view json = item.of(text_.text());
      if (json.starts_with(R"({"apiVersion":"v1","kind":"Pod",)")) pods_.push_back(json);
    }
    // A server lists in the order of its keys.
    const auto key = [](std::string_view pod) {
      const auto text = [&](std::string_view name) {
        const std::size_t at = pod.find(name) + name.size();
        return pod.substr(at, pod.find('"', at) - at);
      };
      return std::pair(text(R"("namespace":")"), text(R"("},"name":")"));
    };
    std::sort(pods_.begin(), pods_.end(),
              [&](std::string_view a, std::string_view b) { return key(a) < key(b); });
    for (const std::string_view pod : pods_) bytes_ += pod.size();
  }

  std::size_t pods() const { return pods_.size(); }
  std::size_t bytes() const { return bytes_; }
  [[noreturn]] void serve(int listener) {
    while (true) {
      const int socket = ::accept(listener, nullptr, nullptr);
      if (socket >= 0) std::thread([this, socket] { answer_all(socket); }).detach();
    }
  }

 private:
  static wire::PaddedText generate() {
    manifest::GenerateOptions options;
    options.shape = {.nodes = 5'000,
                     .zones = 3,
                     .regions = 1,
                     .services = 10'000,
                     .pods = kPods,
                     .skew = 0.3,
                     .seed = 1};
    options.format = manifest::TextFormat::CompactJson;
    std::string text;
    if (!manifest::generate(options, [&](std::string_view piece) { text += piece; })) std::abort();
    return wire::PaddedText(text);
  }

  static bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  static std::size_t number_after(const std::string& request, const char* key) {
    const std::size_t at = request.find(key);
    return at == std::string::npos
               ? 0
               : std::strtoull(request.c_str() + at + std::strlen(key), nullptr, 10);
  }

  void answer_all(int socket) {
    std::string request;
    std::array<char, 8192> buffer{};
    while (true) {
      const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
      if (got <= 0) break;
      request.append(buffer.data(), static_cast<std::size_t>(got));
      if (!request.ends_with("\r\n\r\n")) continue;
      const bool watch = request.find("watch=") != std::string::npos;
      if (!(watch ? stream(socket) : list(socket, request))) break;
      request.clear();
    }
    ::close(socket);
  }

  bool list(int socket, const std::string& request) const {
    const std::size_t first = number_after(request, "continue=");
    const std::size_t limit = number_after(request, "limit=");
    const std::size_t end = limit == 0 ? pods_.size() : std::min(pods_.size(), first + limit);
    std::string body =
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1999999")";
    if (end < pods_.size()) body += R"(,"continue":")" + std::to_string(end) + "\"";
    body += R"(},"items":[)";
    for (std::size_t i = first; i < end; ++i) {
      if (i > first) body += ',';
      body += pods_[i];
    }
    body += "]}\n";
    return send_all(socket,
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n") &&
           send_all(socket, body);
  }

  // Every Pod again and again, each time with a new version.
  bool stream(int socket) const {
    if (!send_all(socket,
                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                  "chunked\r\n\r\n"))
      return false;
    constexpr std::string_view kKey = R"("resourceVersion":")";
    constexpr std::size_t kDigits = 7;
    std::string chunk;
    for (std::size_t i = 0; i < kEvents; ++i) {
      const std::string_view pod = pods_[i * 7919 % pods_.size()];
      const std::size_t at = pod.find(kKey) + kKey.size();
      chunk += R"({"type":"MODIFIED","object":)";
      chunk += pod.substr(0, at);
      chunk += std::to_string(2'000'000 + i);
      chunk += pod.substr(at + kDigits);
      chunk += "}\n";
      if (chunk.size() < 65'536 && i + 1 < kEvents) continue;
      char size[32];
      std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
      if (!send_all(socket, size) || !send_all(socket, chunk) || !send_all(socket, "\r\n"))
        return false;
      chunk.clear();
    }
    char byte = 0;
    return ::recv(socket, &byte, 1, 0) > 0;  // quiet until the client goes
  }

  wire::PaddedText text_;
  std::vector<std::string_view> pods_;
  std::size_t bytes_ = 0;
};

struct ServerProcess {
  pid_t pid = 0;
  std::uint16_t port = 0;
  std::size_t pods = 0;
  std::size_t bytes = 0;
};

ServerProcess start_server() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, generic, size) != 0 || ::listen(listener, 64) != 0) std::abort();
  ::getsockname(listener, generic, &size);
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) std::abort();
  ServerProcess process;
  process.port = ntohs(address.sin_port);
  process.pid = ::fork();
  if (process.pid == 0) {
    Server server;
    const std::array<std::size_t, 2> figures = {server.pods(), server.bytes()};
    if (::write(pipe[1], figures.data(), sizeof figures) != sizeof figures) ::_exit(1);
    server.serve(listener);
  }
  ::close(listener);
  std::array<std::size_t, 2> figures{};
  if (::read(pipe[0], figures.data(), sizeof figures) != sizeof figures) std::abort();
  process.pods = figures[0];
  process.bytes = figures[1];
  return process;
}

// --- the client --------------------------------------------------------------------------------

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double resident_bytes() {
  ::malloc_trim(0);
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

class NoCredentials final : public kube::CredentialSource {
 public:
  Result<kube::Credentials> current(const net::Cancellation&) override {
    return kube::Credentials{};
  }
  void refuse(const kube::Credentials&) override {}
};

struct Figures {
  double megabytes_per_second = 0;  // of processor time
  double list_seconds = 0;          // on the wall
  double bytes_per_pod = 0;
  double events_per_second = 0;
  double events_per_processor_second = 0;
};

Figures measure(const ServerProcess& server) {
  SystemClock clock;
  kube::Connection connection;
  connection.cluster.server = "http://127.0.0.1:" + std::to_string(server.port);
  kube::HttpApiOptions options;
  options.limits.qps = 0;
  kube::HttpApi api(connection, std::make_unique<NoCredentials>(), options, clock,
                    net::HttpClient::create);
  kube::Cache<kube::PodRecord> cache;
  std::atomic<std::size_t> events = 0;
  std::atomic<double> first_event = 0, first_event_processor = 0;
  std::atomic<double> last_event = 0, last_event_processor = 0;
  std::atomic<bool> wait_for_memory = true;
  cache.subscribe([&](const kube::Change<kube::PodRecord>& change) {
    if (!change.before) return;
    if (events.load() == 0) {
      while (wait_for_memory) std::this_thread::yield();
      first_event = wall_seconds();
      first_event_processor = processor_seconds();
    }
    if (++events == kEvents) {
      last_event = wall_seconds();
      last_event_processor = processor_seconds();
    }
  });
  const double memory = resident_bytes(), begin = wall_seconds(), processor = processor_seconds();
  net::Cancellation cancellation;
  std::thread client([&] {
    kube::Reflector<kube::PodRecord>(api, clock, kube::kPods, cache, {}).run(cancellation);
  });
  // Looked at rarely: this thread's time counts too.
  std::mutex mutex;
  std::condition_variable never;
  const auto look = [&] {
    std::unique_lock lock(mutex);
    never.wait_for(lock, std::chrono::milliseconds(2));
  };
  while (!cache.has_synced()) look();
  Figures figures;
  figures.list_seconds = wall_seconds() - begin;
  figures.megabytes_per_second =
      static_cast<double>(server.bytes) / 1e6 / (processor_seconds() - processor);
  figures.bytes_per_pod =
      (resident_bytes() - memory) / static_cast<double>(cache.snapshot().size());
  wait_for_memory = false;
  while (events < kEvents) look();
  const double count = static_cast<double>(kEvents);
  figures.events_per_second = count / (last_event - first_event);
  figures.events_per_processor_second = count / (last_event_processor - first_event_processor);
  cancellation.cancel();
  client.join();
  return figures;
}

// The peer prints the same figures, one a line.
bool measure_peer(const char* program, const ServerProcess& server, Figures& figures) {
  const std::string command = std::string(program) +
                              " http://127.0.0.1:" + std::to_string(server.port) + " " +
                              std::to_string(server.pods) + " " + std::to_string(server.bytes) +
                              " " + std::to_string(kEvents);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  const int read = std::fscanf(pipe, "%lf %lf %lf %lf %lf", &figures.megabytes_per_second,
                               &figures.list_seconds, &figures.bytes_per_pod,
                               &figures.events_per_second, &figures.events_per_processor_second);
  return ::pclose(pipe) == 0 && read == 5;
}

void print(const char* name, const Figures& figures) {
  std::printf(
      "%-10s list %6.0f MB/s of processor time (%.2f s)  %6.0f bytes a Pod  "
      "%8.0f events/s (%8.0f a processor second)\n",
      name, figures.megabytes_per_second, figures.list_seconds, figures.bytes_per_pod,
      figures.events_per_second, figures.events_per_processor_second);
}

}  // namespace

int main(int argc, char** argv) {
  const ServerProcess server = start_server();
  std::printf("%zu Pods, %.0f MB; %zu events\n", server.pods,
              static_cast<double>(server.bytes) / 1e6, kEvents);
  const Figures ours = measure(server);
  print("proxima", ours);
  Figures theirs;
  if (argc < 2) {
    std::printf("client-go  skipped: no peer was given (is go installed?)\n");
  } else if (!measure_peer(argv[1], server, theirs)) {
    std::printf("client-go  skipped: the peer failed\n");
  } else {
    print("client-go", theirs);
    std::printf(
        "ratio      list %6.1f times as fast  %5.1f times less memory  %5.1f times the events\n",
        ours.megabytes_per_second / theirs.megabytes_per_second,
        theirs.bytes_per_pod / ours.bytes_per_pod,
        ours.events_per_second / theirs.events_per_second);
  }
  ::kill(server.pid, SIGKILL);
  ::waitpid(server.pid, nullptr, 0);
  const bool good = ours.megabytes_per_second >= kLeastMegabytesPerSecond &&
                    ours.bytes_per_pod <= kMostBytesPerPod &&
                    ours.events_per_second >= kLeastEventsPerSecond;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
