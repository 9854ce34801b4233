// SPDX-License-Identifier: Apache-2.0
// A process of the cluster that starts, crashes and comes back: what its main() does is a task, and
// all that it builds is the product's own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kube/http_api.h"
#include "simulation/history.h"
#include "simulation/network.h"
#include "simulation/process.h"
#include "telemetry/log.h"

namespace proxima::simulation {

// What members are made of; everything outlives them.
struct MemberPorts {
  Scheduler& scheduler;
  Network& network;
  History& history;
  // What is wrong, for whoever checks.
  std::function<void(const std::string&)> violation;
};

// Something that a process holds, and that must not grow without end.
struct Held {
  // How much there may be: as there ever were objects of a kind, or changes of them; or a number.
  enum class Per : std::uint8_t { Objects, Changes, Nothing };
  // What is there when nothing has happened for a while.
  enum class Idle : std::uint8_t { Something, Nothing };

  std::string what;  // "slices in its cache"
  std::size_t count = 0;
  Per per = Per::Objects;
  std::vector<std::string> kinds = {};  // plural
  std::size_t least = 0;                // so many are always allowed
  Idle idle = Idle::Something;
};

class Member {
 public:
  Member(const MemberPorts& ports, std::string name, std::uint64_t seed)
      : ports_(ports), name_(std::move(name)), random_(seed) {}
  virtual ~Member() = default;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  const std::string& name() const { return name_; }
  // A new process; there is none.
  void start();
  // At once, wherever it is.
  void crash();
  // As on SIGTERM; returns at once. `ended` is called when it has.
  void stop(std::function<void()> ended);
  bool runs() const { return process_ != nullptr && !stopping_; }
  // Null when there is none.
  Process* process() const { return process_.get(); }
  // Empty while it does not run.
  std::vector<Held> held() const { return parts_ ? parts_->held() : std::vector<Held>(); }

 protected:
  // What a process is made of, in its first task: built and started; stopped when stop() returns.
  class Parts {
   public:
    virtual ~Parts() = default;
    virtual void stop() = 0;
    virtual std::vector<Held> held() const = 0;
  };
  virtual std::unique_ptr<Parts> make(Process& process) = 0;
  std::unique_ptr<kube::HttpApi> make_api(Process& process, const kube::RateLimits& limits);
  telemetry::Log make_log(Process& process) const;
  Parts* parts() const { return parts_.get(); }
  const MemberPorts& ports() const { return ports_; }
  SplitMix& random() { return random_; }

 private:
  void main();
  void clear();

  MemberPorts ports_;
  std::string name_;
  SplitMix random_;
  std::uint64_t incarnations_ = 0;
  std::unique_ptr<Process> process_;
  std::unique_ptr<Parts> parts_;
  std::shared_ptr<Task> main_;
  std::mutex mutex_;
  std::unique_ptr<ConditionVariable> changed_;
  bool stopping_ = false;
  std::function<void()> ended_;
};

}  // namespace proxima::simulation
