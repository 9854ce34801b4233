// SPDX-License-Identifier: Apache-2.0
#include "simulation/member.h"

#include "base/check.h"

namespace proxima::simulation {
namespace {

class NoCredentials final : public kube::CredentialSource {
 public:
  Result<kube::Credentials> current(const net::Cancellation&) override {
    return kube::Credentials{};
  }
  void refuse(const kube::Credentials&) override {}
};

// A twentieth: two clocks stay far from running half as fast again as each other.
double clock_rate(SplitMix& random) { return 0.95 + 0.1 * random.unit(); }

}  // namespace

std::unique_ptr<kube::HttpApi> Member::make_api(Process& process, const kube::RateLimits& limits) {
  kube::Connection connection;
  connection.cluster.server = "https://api:6443";
  connection.origin = "simulation";
  kube::HttpApiOptions options;
  options.limits = limits;
  options.seed = random_.next();
  return std::make_unique<kube::HttpApi>(
      connection, std::make_unique<NoCredentials>(), options, process,
      [this, &process](const net::HttpClientOptions&) -> Result<std::unique_ptr<net::HttpClient>> {
        return ports_.network.client(process);
      });
}

telemetry::Log Member::make_log(Process& process) const {
  // Lines have times of day and places in sources; the sentence is what a history needs.
  const auto sink = [this, &process](std::string_view line) {
    if (process.is_dead()) return;
    while (!line.empty() && line.back() == '\n') line.remove_suffix(1);
    // A broken invariant of the product stops no more than the work on one Service, and is a bug.
    if (line.find("nternal error") != std::string_view::npos)
      ports_.violation(process.name() + " logs " + std::string(line));
    if (!ports_.history.keeps_lines()) return;
    const std::size_t begin = line.find("] ");
    ports_.history.note(
        process.name(),
        "logs " + std::string(begin == std::string_view::npos ? line : line.substr(begin + 2)));
  };
  return telemetry::Log({}, process, sink);
}

void Member::start() {
  PROXIMA_CHECK(process_ == nullptr);
  process_ = std::make_unique<Process>(
      ports_.scheduler, name_ + "#" + std::to_string(++incarnations_), clock_rate(random_));
  changed_ = std::make_unique<ConditionVariable>();
  stopping_ = false;
  ports_.history.note(process_->name(), "starts");
  main_ = ports_.scheduler.spawn(*process_, [this] { main(); });
}

void Member::main() {
  parts_ = make(*process_);
  {
    std::unique_lock lock(mutex_);
    process_->wait(lock, *changed_, [this] { return stopping_; });
  }
  parts_->stop();
  parts_.reset();
  if (process_->is_dead()) return;
  // Not from its own task: that has still to end.
  ports_.scheduler.after(Time(0), [this, process = process_.get()] {
    if (process_.get() != process) return;
    ports_.history.note(process_->name(), "has ended");
    clear();
    if (ended_) std::exchange(ended_, nullptr)();
  });
}

void Member::clear() {
  if (process_ != nullptr) ports_.network.forget(process_->name());
  main_.reset();
  changed_.reset();
  process_.reset();
}

void Member::stop(std::function<void()> ended) {
  if (!runs()) return;
  ports_.history.note(process_->name(), "is asked to end");
  const std::lock_guard guard(mutex_);
  stopping_ = true;
  ended_ = std::move(ended);
  changed_->notify_all();
}

void Member::crash() {
  if (process_ == nullptr) return;
  ports_.history.note(process_->name(), "crashes");
  process_->cut_off();
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_->notify_all();
  }
  ports_.network.wake_all(process_->name());
  if (!ports_.scheduler.finish(*process_)) {
    ports_.violation(process_->name() + ": a thread never ends when the process does");
    // Its tasks still refer to all of it.
    static_cast<void>(parts_.release());
    static_cast<void>(changed_.release());
    static_cast<void>(process_.release());
  }
  clear();
}

}  // namespace proxima::simulation
