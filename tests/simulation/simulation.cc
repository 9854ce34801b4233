// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <algorithm>
#include <cerrno>

#include "simulation/settled_check.h"

namespace proxima::simulation {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time kSweepPeriod = 5s;
// So long a cluster that is left alone may take to become what it should be. Most of it is the
// patience of a worker whose cache does not show its own write: a quarter of an hour.
constexpr Time kSettleMax = 2400s;
constexpr Time kSettleLook = 10s;
// A watch that has fallen silent is given up after 150 s, and full checks come every minute.
constexpr Time kAftermath = 240s;
// Then it stays as it is.
constexpr Time kQuiet = 90s;
constexpr std::uint64_t kBoundsEvery = 64;  // steps
constexpr std::size_t kTasksMax = 40;
constexpr std::size_t kWatchesMax = 32;
// How far behind a proxy may be that has just started, by lists that are old.
constexpr Time kOldestView = 60s;

bool is_of_request(Happening happening) { return happening <= Happening::StaleList; }
bool is_of_watch(Happening happening) {
  return happening >= Happening::CutWatch && happening <= Happening::ReorderEvents;
}
bool is_of_kernel(Happening happening) {
  return happening >= Happening::KernelRefuses && happening <= Happening::KernelTableLost;
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, History::Keep keep)
    : scenario_(scenario),
      scheduler_(SplitMix(scenario.seed, 2).next()),
      history_(scheduler_, keep),
      world_(store_, scheduler_, history_),
      api_(store_, SplitMix(scenario.seed, 3).next(), [this] { return world_.wall_seconds(); }),
      network_(scheduler_, store_, api_, history_, SplitMix(scenario.seed, 4).next()) {
  store_.on_change([this](const StoreChange& change) {
    note_serving(change);
    network_.tell_watches(change);
  });
  api_.on_write([this](const AcceptedWrite& write) { check_write(write); });
}

Simulation::~Simulation() {
  for (const auto& member : members_) member->crash();
}

void Simulation::violated(const std::string& what) {
  if (!outcome_.violation.empty()) return;
  outcome_.violation = what;
  history_.note("VIOLATION", what);
}

void Simulation::start() {
  SplitMix dice(scenario_.seed, 5);
  world_.build(dice);
  const MemberPorts ports{scheduler_, network_, history_,
                          [this](const std::string& what) { violated(what); }};
  for (std::size_t i = 0; i < scenario_.replicas; ++i) {
    auto replica = std::make_unique<Replica>(
        ports, "controller-" + std::string(1, static_cast<char>('a' + i)), dice.next());
    replicas_.push_back(replica.get());
    members_.push_back(std::move(replica));
  }
  for (std::size_t i = 0; i < scenario_.proxies; ++i) {
    kernels_.push_back(std::make_unique<ModelKernel>(scheduler_, history_,
                                                     "node-" + std::to_string(i), dice.next()));
    kernels_.back()->on_forget(
        [this](const Connection& connection) { check_forgotten(connection); });
    auto node = std::make_unique<Node>(ports, *kernels_.back(), dice.next());
    nodes_.push_back(node.get());
    members_.push_back(std::move(node));
  }
  for (const auto& member : members_) restart_later(*member, milliseconds(dice.below(3'000)));
  for (const Injection& injection : scenario_.injections)
    scheduler_.at(injection.at, [this, &injection] { happen(injection); });
  scheduler_.after(kSweepPeriod, [this] { sweep(); });
}

void Simulation::restart_later(Member& member, Time delay) {
  scheduler_.after(delay, [&member] {
    if (member.process() == nullptr) member.start();
  });
}

void Simulation::sweep() {
  world_.collect_garbage(healed_);
  scheduler_.after(kSweepPeriod, [this] { sweep(); });
}

std::string Simulation::holder() const {
  const json::object* lease = store_.find("leases", Replica::kLease);
  const json::object* spec = lease == nullptr ? nullptr : object_at(*lease, "spec");
  return spec == nullptr ? std::string() : text_at(*spec, "holderIdentity");
}

Member* Simulation::leader() {
  for (Replica* replica : replicas_)
    if (replica->runs() && replica->process()->name() == holder()) return replica;
  return nullptr;
}

Member& Simulation::member(SplitMix& dice) { return *members_[dice.below(members_.size())]; }

void Simulation::happen(const Injection& injection) {
  if (healed_) return;
  SplitMix dice(injection.dice);
  const Happening what = injection.what;
  if (is_of_request(what)) {
    const Member& hit = member(dice);
    if (hit.process() != nullptr) network_.arm(what, hit.process(), dice.next());
  } else if (is_of_watch(what)) {
    const Member& hit = member(dice);
    if (hit.process() != nullptr) network_.hit_watch(what, *hit.process(), dice.next());
  } else if (is_of_kernel(what)) {
    happen_to_kernel(injection);
  } else if (what >= Happening::Partition && what <= Happening::JumpWallClock) {
    const bool hits_leader = what == Happening::PauseLeader || what == Happening::CrashLeader;
    Member* const hit = hits_leader ? leader() : &member(dice);
    if (hit != nullptr && hit->runs()) happen_to_process(injection, *hit);
  } else if (what == Happening::ForgetHistory) {
    store_.forget_history();
    ++faults_;
    history_.note("world", "FAULT the server forgets its history");
  } else if (what == Happening::NewConnection) {
    connect_clients(dice);
  } else if (world_.act(injection) && is_fault(what)) {
    ++faults_;
  }
}

void Simulation::happen_to_process(const Injection& injection, Member& hit) {
  SplitMix dice(injection.dice ^ 1U);
  Process& process = *hit.process();
  ++faults_;
  history_.note(process.name(), "FAULT " + std::string(to_text(injection.what)));
  const std::string name = process.name();
  const Time pause =
      milliseconds(dice.below(4) == 0 ? 10'000 + dice.below(30'000) : 50 + dice.below(5'000));
  const auto if_still_there = [&hit, name](auto act) {
    return [&hit, name, act] {
      if (hit.process() != nullptr && hit.process()->name() == name) act(*hit.process());
    };
  };
  switch (injection.what) {
    case Happening::Partition:
      network_.part(process);
      scheduler_.after(pause, if_still_there([this](Process& there) { network_.join(there); }));
      break;
    case Happening::Pause:
    case Happening::PauseLeader:
      process.pause();
      scheduler_.after(pause, if_still_there([](Process& there) { there.resume(); }));
      break;
    case Happening::Crash:
    case Happening::CrashLeader:
      network_.forget(process);
      hit.crash();
      restart_later(hit, milliseconds(dice.below(20'000)));
      break;
    case Happening::Restart:
      hit.stop([this, &hit] { restart_later(hit, 1s); });
      break;
    case Happening::JumpWallClock:
      process.jump_wall(seconds(static_cast<std::int64_t>(dice.below(14'400)) - 7'200));
      break;
    default:
      break;
  }
}

void Simulation::happen_to_kernel(const Injection& injection) {
  SplitMix dice(injection.dice);
  ModelKernel& kernel = *kernels_[dice.below(kernels_.size())];
  constexpr int kErrors[] = {ENOBUFS, EEXIST, ENOSPC, EBUSY};
  if (injection.what == Happening::KernelTableLost) return kernel.lose_table();
  const std::uint64_t times = 1 + dice.below(8);
  for (std::uint64_t i = 0; i < times; ++i) {
    if (injection.what == Happening::KernelRefuses) {
      kernel.refuse(kErrors[dice.below(std::size(kErrors))]);
    } else {
      kernel.refuse_reading(ENOBUFS);
    }
  }
}

void Simulation::connect_clients(SplitMix& dice) {
  for (const auto& kernel : kernels_) {
    if (!kernel->table().exists()) continue;
    for (const auto& [key, service] : store_.all("services")) {
      const json::object* spec = object_at(service.object, "spec");
      const auto address = IpAddress::parse(spec == nullptr ? "" : text_at(*spec, "clusterIP"));
      if (!address) continue;
      const std::vector<IpAddress> local = {Node::address_of(kernel->node())};
      for (const std::uint8_t protocol : {std::uint8_t{6}, std::uint8_t{17}})
        kernel->connect(
            {.source = IpAddress::parse("10.1.200." + std::to_string(dice.below(5))).value(),
             .destination = *address,
             .protocol = protocol,
             .port = 80,
             .input_interface = "cni0",
             .local_addresses = local},
            key, dice);
    }
  }
}

// Keeps since when each endpoint serves.
void Simulation::note_serving(const StoreChange& change) {
  if (change.kind != "endpointslices") return;
  std::map<std::pair<std::string, std::string>, Time> now;
  for (const auto& [key, slice] : store_.all("endpointslices")) {
    const json::object* labels = object_at(slice.object.at("metadata").as_object(), "labels");
    const json::value* endpoints = slice.object.if_contains("endpoints");
    if (labels == nullptr || endpoints == nullptr || !endpoints->is_array()) continue;
    const std::string service =
        metadata_text(slice.object, "namespace") + "/" + text_at(*labels, kServiceName);
    for (const json::value& one : endpoints->get_array()) {
      const json::object& endpoint = one.as_object();
      const json::object* conditions = object_at(endpoint, "conditions");
      const json::value* ready = conditions == nullptr ? nullptr : conditions->if_contains("ready");
      const bool serves = ready == nullptr || (ready->is_bool() && ready->get_bool());
      const json::value* addresses = endpoint.if_contains("addresses");
      if (!serves || addresses == nullptr || !addresses->is_array()) continue;
      for (const json::value& address : addresses->get_array()) {
        const std::pair id(service, std::string(address.as_string()));
        const auto before = serving_since_.find(id);
        now[id] = before == serving_since_.end() ? scheduler_.now() : before->second;
      }
    }
  }
  serving_since_ = std::move(now);
}

void Simulation::check_forgotten(const Connection& connection) {
  const auto found = serving_since_.find(
      {connection.service, connection.flow.tracked.reply_source.address.text()});
  if (found == serving_since_.end() || found->second + kOldestView > connection.began) return;
  violated("a flow of " + connection.service + " to " +
           connection.flow.tracked.reply_source.address.text() +
           " was forgotten, which has served ever since before it began");
}

void Simulation::check_write(const AcceptedWrite& write) {
  const ApiCall& call = write.call;
  if (history_.keeps_lines() || call.kind != "leases")
    history_.note(call.client, "HAS WRITTEN " + call.method + " " + call.kind + " " + write.key +
                                   (write.changed ? "" : " (nothing new)"));
  if (call.kind == "leases") return;
  ++writes_;
  if (call.kind == "endpointslices")
    if (const json::object* slice = store_.find(call.kind, write.key))
      if (const std::string wrong = check_hints(*slice); !wrong.empty())
        violated(call.client + " wrote " + wrong + ": " + json::serialize(*slice));
  // Events may still be under way when a Lease is given back: they are a courtesy.
  if (call.kind == "events" || call.is_repeated) return;
  const std::string leads = holder();
  if (leads != call.client)
    violated(call.client + " wrote " + call.kind + " " + write.key + " while " +
             (leads.empty() ? "nobody" : leads) + " leads");
}

void Simulation::check_bounds() {
  for (const Replica* replica : replicas_) {
    const auto load = replica->load();
    if (load && load->keys > 2 * (load->services + kHappenings))
      violated(replica->name() + ": " + std::to_string(load->keys) + " keys wait for " +
               std::to_string(load->services) + " Services");
  }
  for (const auto& member : members_) {
    if (member->process() == nullptr) continue;
    if (scheduler_.tasks_of(*member->process()) > kTasksMax)
      violated(member->name() + ": threads grow without end");
    if (network_.watches_of(*member->process()) > kWatchesMax)
      violated(member->name() + ": watches grow without end");
  }
}

void Simulation::run_until(Time end) {
  while (outcome_.violation.empty() && scheduler_.step(end))
    if (scheduler_.steps() % kBoundsEvery == 0) check_bounds();
}

void Simulation::heal() {
  healed_ = true;
  history_.note("world", "all faults end");
  network_.disarm();
  for (const auto& kernel : kernels_) kernel->be_willing();
  for (const auto& member : members_) {
    if (member->process() == nullptr) {
      member->start();
      continue;
    }
    network_.forget(*member->process());
    member->process()->resume();
  }
  world_.remove_hostile_objects();
  world_.collect_garbage(true);
}

std::string Simulation::unsettled() const {
  for (const auto& member : members_)
    if (!member->runs()) return member->name() + " does not run";
  for (const std::string& wrong : {check_endpoints(store_), check_all_hints(store_),
                                   check_plan(store_, world_.wall_seconds())})
    if (!wrong.empty()) return wrong;
  for (const auto& kernel : kernels_)
    if (std::string wrong = check_routes(store_, *kernel); !wrong.empty()) return wrong;
  return "";
}

void Simulation::settle() {
  const Time begin = scheduler_.now();
  std::string wrong;
  while (outcome_.violation.empty() && scheduler_.now() < begin + kSettleMax) {
    run_until(scheduler_.now() + kSettleLook);
    wrong = unsettled();
    if (!wrong.empty()) continue;
    outcome_.settled_after = scheduler_.now() - begin;
    return;
  }
  violated("does not settle: " + wrong);
}

void Simulation::stay_quiet() {
  run_until(scheduler_.now() + kAftermath);
  std::uint64_t transactions = 0;
  for (const auto& kernel : kernels_) transactions += kernel->transactions();
  const std::uint64_t writes = writes_;
  const std::uint64_t version = store_.version();
  run_until(scheduler_.now() + kQuiet);
  if (writes_ != writes)
    violated(
        "something is written though nothing has changed: " + std::to_string(writes_ - writes) +
        " writes, " + std::to_string(store_.version() - version) + " versions");
  for (const auto& kernel : kernels_) transactions -= kernel->transactions();
  if (transactions != 0) violated("a kernel is written though nothing has changed");
  if (const std::string wrong = unsettled(); !wrong.empty()) violated("is not settled: " + wrong);
}

Outcome Simulation::run() {
  start();
  run_until(scenario_.ends);
  if (outcome_.violation.empty()) heal();
  settle();
  if (outcome_.violation.empty()) stay_quiet();
  faults_ += network_.faults_hit();
  for (const auto& kernel : kernels_) faults_ += kernel->faults_hit();
  outcome_.faults = faults_;
  outcome_.lasted = scheduler_.now();
  for (const auto& member : members_) member->crash();
  outcome_.steps = scheduler_.steps();
  outcome_.hash = history_.hash();
  outcome_.history = history_.lines();
  return outcome_;
}

}  // namespace proxima::simulation
