// SPDX-License-Identifier: Apache-2.0
#include "traffic/backend_farm.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "net/http_doors.h"
#include "traffic/backend_answer.h"

namespace proxima::traffic {

namespace {

// A handshake in the lab takes well below a millisecond; the rest is for a busy machine.
constexpr std::chrono::milliseconds kDrain{50};
// Beside the time to think: as long as our clients wait for an answer. The caller waits meanwhile,
// and one who connects and says nothing must not hold it up for long.
constexpr std::chrono::milliseconds kGrace{1'000};

// Of all backends of a lab together. Its clients are its own, in namespaces that nobody else
// reaches.
net::ListenerPolicy backend_policy() {
  return {.slots = 65'536,
          .slots_per_address = 65'536,
          .header_bytes_max = 16U << 10U,
          .body_bytes_max = 64U << 10U,
          .unauthenticated_body_bytes_max = 64U << 10U,
          .unauthenticated_idle = std::chrono::milliseconds(30'000),
          .request_deadline = std::chrono::milliseconds(10'000),
          .write_stall = std::chrono::milliseconds(10'000)};
}

using Count = std::atomic<std::uint64_t>;

class Backend final : public net::HttpHandler {
 public:
  Backend(BackendSpec spec, std::shared_ptr<Count> served)
      : spec_(std::move(spec)), served_(std::move(served)) {}

  net::Reply handle(const net::HttpRequest& request) override {
    served_->fetch_add(1, std::memory_order_relaxed);
    net::Reply reply;
    if (spec_.think_time.count() > 0) {
      reply.not_before = std::chrono::steady_clock::now() + spec_.think_time;
    }
    reply.response.status = 200;
    reply.response.headers = {{"Content-Type", "application/json"},
                              {std::string(kPodHeader), spec_.pod},
                              {std::string(kNodeHeader), spec_.node},
                              {std::string(kZoneHeader), spec_.zone}};
    reply.response.body = render_backend_answer(spec_, request.peer);
    return reply;
  }

 private:
  BackendSpec spec_;
  std::shared_ptr<Count> served_;
};

// Closed once, on the loop's thread; waited for on another.
class Latch {
 public:
  void close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool closed_ = false;
};

class Farm final : public BackendFarm {
 public:
  explicit Farm(std::unique_ptr<net::HttpDoors> doors)
      : doors_(std::move(doors)), thread_([this] { doors_->run(); }) {}
  ~Farm() override {
    doors_->end();
    thread_.join();
  }
  Farm(const Farm&) = delete;
  Farm& operator=(const Farm&) = delete;

  Status start(const BackendSpec& spec, const RunInside& inside) override;
  void stop(const std::string& pod) override;
  void cut(const std::string& pod) override;
  std::optional<std::uint16_t> port(const std::string& pod) const override;
  std::uint64_t served(const std::string& pod) const override;

 private:
  struct Entry {
    net::HttpDoors::Id door = 0;
    std::uint16_t port = 0;
    std::chrono::milliseconds think_time{};
    std::shared_ptr<Count> served = std::make_shared<Count>(0);
  };

  std::optional<Entry> take(const std::string& pod);

  std::unique_ptr<net::HttpDoors> doors_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::thread thread_;
};

Result<net::ListeningSocket> listen_inside(const BackendSpec& spec, const RunInside& inside) {
  std::optional<net::ListeningSocket> socket;
  PROXIMA_TRY([[maybe_unused]] const Unit made, inside([&]() -> Status {
                PROXIMA_TRY(socket, net::ListeningSocket::open(spec.address, spec.port), "inside");
                return Unit{};
              }),
              "backend " + spec.pod);
  return *std::move(socket);
}

Status Farm::start(const BackendSpec& spec, const RunInside& inside) {
  const auto exists = [&] { return Error{ErrorCode::Conflict, "backend " + spec.pod + " exists"}; };
  if (port(spec.pod)) return exists();
  auto socket = listen_inside(spec, inside);
  if (!socket) return std::move(socket).error();
  Entry entry{.port = socket->port(), .think_time = spec.think_time};
  const std::lock_guard guard(mutex_);
  if (entries_.contains(spec.pod)) return exists();
  PROXIMA_TRY(
      entry.door,
      doors_->open(std::move(socket).value(), std::make_unique<Backend>(spec, entry.served)),
      "backend " + spec.pod);
  entries_.emplace(spec.pod, std::move(entry));
  return Unit{};
}

std::optional<Farm::Entry> Farm::take(const std::string& pod) {
  const std::lock_guard guard(mutex_);
  auto node = entries_.extract(pod);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

void Farm::stop(const std::string& pod) {
  const auto entry = take(pod);
  if (!entry) return;
  const auto latch = std::make_shared<Latch>();
  doors_->close(entry->door, {.drain = kDrain, .grace = kGrace + entry->think_time},
                [latch] { latch->close(); });
  latch->wait();
}

void Farm::cut(const std::string& pod) {
  const auto entry = take(pod);
  if (!entry) return;
  const auto latch = std::make_shared<Latch>();
  doors_->cut(entry->door, [latch] { latch->close(); });
  latch->wait();
}

std::optional<std::uint16_t> Farm::port(const std::string& pod) const {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(pod);
  if (found == entries_.end()) return std::nullopt;
  return found->second.port;
}

std::uint64_t Farm::served(const std::string& pod) const {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(pod);
  return found == entries_.end() ? 0 : found->second.served->load(std::memory_order_relaxed);
}

}  // namespace

Result<std::unique_ptr<BackendFarm>> BackendFarm::create() {
  PROXIMA_TRY(auto doors, net::HttpDoors::create(backend_policy()), "backends");
  return std::unique_ptr<BackendFarm>(std::make_unique<Farm>(std::move(doors)));
}

}  // namespace proxima::traffic
