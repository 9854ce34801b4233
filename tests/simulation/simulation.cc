// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <algorithm>
#include <cerrno>

#include "simulation/delivery.h"

namespace proxima::simulation {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time kSweepPeriod = 5s;
// So long a cluster that is left alone may take to become what it should be. Most of it is the
// patience of a worker whose cache does not show its own write: a quarter of an hour.
constexpr Time kSettleMax = 2400s;
// Unless a watch is silent, or a writer was not told of a write, or cannot see it any more.
constexpr Time kSettleSoon = 300s;
constexpr Time kSettleLook = 10s;
// Faults end, and what they did lasts a little longer, however right everything looks by then: a
// reflector that failed often waits up to a minute, twice when what it asks for then has expired;
// Pods that were being deleted go; a watch that fell silent is given up after 150 s.
constexpr Time kBackoffs = 130s;
// From there on nothing happens but full checks, which come every minute.
constexpr Time kAftermath = 75s;
// Then it stays as it is.
constexpr Time kQuiet = 90s;
// Leases are asked for every two seconds; now and then a watch is opened again.
constexpr std::uint64_t kQuietRequestsMax = 110;
// The caches of who begins to lead are no older: a list may be 20 s old and its answer 20 s late,
// and nobody writes who has been paused for longer than his lease lasts.
constexpr Time kOldestLeader = 60s;
constexpr Time kLeaseLost = 20s;  // another one leads by then
// Between what a worker has read and its last write: pauses within the lease and tries again.
constexpr Time kLongestSync = 30s;
constexpr std::uint64_t kBoundsEvery = 64;  // steps
constexpr std::size_t kTasksMax = 40;
constexpr std::size_t kWatchesMax = 32;
constexpr std::uint64_t kClients = 5;
// What a process holds: about 3 MB, most of it metrics.
constexpr std::int64_t kHeapBytes = 4 << 20;
constexpr std::int64_t kBytesPerObject = 8 << 10;
// What it may hold more than when nothing changed any more: what a leader needs, and metrics of
// what was not done before.
constexpr std::int64_t kTermBytes = 1 << 20;
// And more after a while in which nothing has changed: requests that are under way, and a buffer of
// 128 KiB for a watch that had told nothing before.
constexpr std::int64_t kQuietBytes = 192 << 10;
// So long a cluster without faults may take for a change of Pods: rounds of a proxy are a second
// apart, and so are syncs of a Service.
constexpr Time kResponseMax = 20s;
constexpr int kLastChanges = 3;
// Threads of a controller that does not lead: reflectors, supervisors, the election, events.
constexpr std::size_t kFollowerTasksMax = 14;

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
      written_endpoints_(store_, world_, history_),
      api_(store_, SplitMix(scenario.seed, 3).next(), [this] { return world_.wall_seconds(); }),
      network_(scheduler_, store_, api_, history_, hits_, SplitMix(scenario.seed, 4).next()),
      steady_(store_, network_, scheduler_),
      ready_pods_(store_, scheduler_) {
  store_.on_change([this](const StoreChange& change) {
    steady_.note(change);
    ready_pods_.note(change);
    note_ever(change);
    if (change.kind == "services") note_service(change);
    if (change.kind == "endpointslices") note_slice(change);
    network_.tell_watches(change);
  });
  api_.on_write([this](const AcceptedWrite& write) { check_write(write); });
  network_.on_told([this](const ApiCall& call, const std::string& answer) {
    own_writes_.told(call, answer, scheduler_.now());
  });
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
  if (scenario_.hostile_stay) world_.let_hostile_objects_stay();
  world_.build(dice);
  if (scenario_.has_written_endpoints) start_writing_endpoints();
  const MemberPorts ports{scheduler_, network_, history_,
                          [this](const std::string& what) { violated(what); }};
  for (std::size_t i = 0; i < scenario_.replicas; ++i) {
    auto replica = std::make_unique<Replica>(
        ports, "controller-" + std::string(1, static_cast<char>('a' + i)), dice.next());
    replicas_.push_back(replica.get());
    members_.push_back(std::move(replica));
  }
  for (std::size_t i = 0; i < scenario_.proxies; ++i) {
    kernels_.push_back(std::make_unique<ModelKernel>(scheduler_, history_, hits_,
                                                     "node-" + std::to_string(i), dice.next()));
    kernels_.back()->on_forget(
        [this](const Connection& connection) { check_forgotten(connection); });
    kernels_.back()->on_transaction([this, &kernel = *kernels_.back()](const Process& process,
                                                                       IpFamily family,
                                                                       ModelKernel::Moment moment) {
      if (moment == ModelKernel::Moment::Before)
        return steady_.before_transaction(kernel, process, family);
      sticky_.changed(kernel, family);
      if (const std::string wrong = steady_.after_transaction(kernel, family); !wrong.empty())
        violated(wrong);
    });
    auto node = std::make_unique<Node>(ports, *kernels_.back(), dice.next());
    nodes_.push_back(node.get());
    members_.push_back(std::move(node));
  }
  for (const auto& member : members_) restart_later(*member, milliseconds(dice.below(3'000)));
  for (const Injection& injection : scenario_.injections)
    scheduler_.at(injection.at, [this, &injection] { happen(injection); });
  scheduler_.after(kSweepPeriod, [this] { sweep(); });
}

// What users do with Endpoints is no fault: it stays in every scenario that a failure is shrunk to.
void Simulation::start_writing_endpoints() {
  SplitMix dice(scenario_.seed, 7);
  written_endpoints_.build(dice);
  const auto span =
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(scenario_.ends).count());
  const std::uint64_t count = 3 + dice.below(20);
  for (std::uint64_t i = 0; i < count; ++i)
    scheduler_.at(milliseconds(dice.below(span)), [this, seed = dice.next()] {
      SplitMix change(seed);
      written_endpoints_.change(change);
    });
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

Member* Simulation::standby() {
  for (Replica* replica : replicas_)
    if (replica->runs() && replica != leader()) return replica;
  return nullptr;
}

Member* Simulation::whom(Happening happening, SplitMix& dice) {
  switch (happening) {
    case Happening::PauseLeader:
    case Happening::CrashLeader:
      return leader();
    case Happening::RefuseStandby:
      return standby();
    default:
      return &member(dice);
  }
}

void Simulation::crash(Member& member, Happening why, Time restart_after) {
  hits_.add(why);
  network_.forget(member.process()->name());
  member.crash();
  restart_later(member, restart_after);
}

void Simulation::happen(const Injection& injection) {
  if (healed_) return;
  SplitMix dice(injection.dice);
  const Happening what = injection.what;
  if (is_of_request(what)) {
    const Member& hit = member(dice);
    if (hit.process() != nullptr) network_.arm(what, hit.process()->name(), dice.next());
  } else if (is_of_watch(what)) {
    const Member& hit = member(dice);
    if (hit.process() != nullptr) network_.hit_watch(what, hit.process()->name(), dice.next());
  } else if (is_of_kernel(what)) {
    happen_to_kernel(injection);
  } else if (what >= Happening::Partition && what <= Happening::JumpWallClock) {
    Member* const hit = whom(what, dice);
    if (hit != nullptr && hit->runs()) happen_to_process(injection, *hit);
  } else if (what == Happening::ForgetHistory) {
    network_.forget_history();
    history_.note("world", "the server forgets its history");
  } else if (what == Happening::NewConnection) {
    connect_clients(dice);
  } else {
    const std::uint64_t version = store_.version();
    world_.act(injection);
    if (store_.version() != version) hits_.add(what);
  }
}

void Simulation::happen_to_process(const Injection& injection, Member& hit) {
  SplitMix dice(injection.dice ^ 1U);
  Process& process = *hit.process();
  const std::string name = process.name();
  history_.note(name, "FAULT " + std::string(to_text(injection.what)));
  const Time pause =
      milliseconds(dice.below(4) == 0 ? 10'000 + dice.below(30'000) : 50 + dice.below(5'000));
  const auto if_still_there = [&hit, name](auto act) {
    return [&hit, name, act] {
      if (hit.process() != nullptr && hit.process()->name() == name) act(*hit.process());
    };
  };
  switch (injection.what) {
    case Happening::Partition:
      network_.part(name);
      scheduler_.after(pause,
                       if_still_there([this](Process& there) { network_.join(there.name()); }));
      break;
    case Happening::RefuseStandby:
      refuse_standby(hit, pause, dice);
      break;
    case Happening::CutOff:
      network_.cut_off(name);
      scheduler_.after(3 * pause,
                       if_still_there([this](Process& there) { network_.let_in(there.name()); }));
      break;
    case Happening::Pause:
    case Happening::PauseLeader:
      process.pause();
      scheduler_.after(pause, if_still_there([this, what = injection.what](Process& there) {
                         if (there.resume()) hits_.add(what);
                       }));
      break;
    case Happening::Crash:
    case Happening::CrashLeader:
      crash(hit, injection.what, milliseconds(dice.below(20'000)));
      break;
    case Happening::Restart:
      hits_.add(injection.what);
      hit.stop([this, &hit] { restart_later(hit, 1s); });
      break;
    case Happening::JumpWallClock:
      hits_.add(injection.what);
      process.jump_wall(seconds(static_cast<std::int64_t>(dice.below(14'400)) - 7'200));
      break;
    default:
      break;
  }
}

// An API server that has too much to do answers Leases before lists, so a standby may take over
// with a cache that is older than the leader's was.
void Simulation::refuse_standby(Member& standby, Time pause, SplitMix& dice) {
  constexpr const char* kKinds[] = {"pods", "pods", "services", "nodes", "endpointslices"};
  const std::string kind = kKinds[dice.below(std::size(kKinds))];
  const std::string name = standby.process()->name();
  network_.cut_off(name, kind);
  const Time leader_crashes = kOldestLeader + 30s + pause;
  scheduler_.after(leader_crashes, [this, name] {
    Member* const leads = leader();
    if (leads != nullptr && leads->process()->name() != name && !healed_)
      crash(*leads, Happening::CrashLeader, kLeaseLost);
  });
  scheduler_.after(leader_crashes + 2 * kLeaseLost,
                   [this, name, kind] { network_.let_in(name, kind); });
}

void Simulation::happen_to_kernel(const Injection& injection) {
  SplitMix dice(injection.dice);
  ModelKernel& kernel = *kernels_[dice.below(kernels_.size())];
  constexpr int kErrors[] = {ENOBUFS, EEXIST, ENOSPC, EBUSY};
  if (injection.what == Happening::KernelTableLost) {
    const IpFamily family = kFamilies[dice.below(std::size(kFamilies))];
    kernel.lose_table(family);
    return sticky_.changed(kernel, family);
  }
  std::vector<int> errors(1 + dice.below(8), ENOBUFS);
  if (injection.what == Happening::KernelRefusesReading) return kernel.refuse_reading(errors);
  for (int& error : errors) error = kErrors[dice.below(std::size(kErrors))];
  kernel.refuse(errors);
}

void Simulation::connect_clients(SplitMix& dice) {
  for (const auto& kernel : kernels_)
    for (const auto& [key, service] : store_.all("services"))
      connect(*kernel, service.object, dice);
}

void Simulation::connect(ModelKernel& kernel, const json::object& service, SplitMix& dice) {
  const std::vector<IpAddress> local = Node::addresses_of(kernel.node());
  for (const IpAddress& address : cluster_addresses(service)) {
    if (!kernel.table(address.family()).exists()) continue;
    const auto packet = packet_to(service, address, dice.below(kClients), local);
    const auto backend = kernel.connect(packet, key_of(service), dice);
    if (!backend) continue;
    hits_.add(Happening::NewConnection);
    if (const std::string wrong = sticky_.connected(kernel, service, packet, *backend);
        !wrong.empty())
      violated(wrong);
  }
}

void Simulation::check_forgotten(const Connection& connection) {
  const std::string backend = connection.flow.tracked.reply_source.address.text();
  if (steady_.has_served_since(connection.service, backend, connection.began))
    violated("a flow of " + connection.service + " to " + backend +
             " was forgotten, which has served ever since before it began");
}

void Simulation::check_write(const AcceptedWrite& write) {
  const ApiCall& call = write.call;
  if (history_.keeps_lines() || call.kind != "leases")
    history_.note(call.client, "HAS WRITTEN " + call.method + " " + call.kind + " " + write.key +
                                   (write.changed ? "" : " (nothing new)"));
  if (call.kind == "leases") return note_lease();
  ++writes_;
  if (call.kind == "endpointslices" && write.changed) {
    check_withdrawn(call);
    if (!undone_.empty() && undone_.back().writer == call.client &&
        undone_.back().version == store_.version())
      undone_.pop_back();  // by its writer
    last_writes_[write.key] = {call.client, store_.version()};
  }
  if (call.kind == "endpointslices")
    if (const json::object* slice = store_.find(call.kind, write.key))
      check_published(call, *slice);
  if (call.kind == "endpointslices" && call.method == "POST" && !call.is_repeated)
    if (const std::string wrong = own_writes_.check_create(store_, call, write.key); !wrong.empty())
      violated(wrong);
  // Events may still be under way when a Lease is given back: they are a courtesy.
  if (call.kind == "events" || call.is_repeated) return;
  const std::string leads = holder();
  if (leads != call.client)
    violated(call.client + " wrote " + call.kind + " " + write.key + " while " +
             (leads.empty() ? "nobody" : leads) + " leads");
}

// What is written rests on what its sender has seen, however old that is.
void Simulation::check_published(const ApiCall& call, const json::object& slice) {
  SenderView* const view = view_of(call.client);
  const bool needs_hints = view != nullptr && view->never_prefers_zones(slice);
  const Zoneless zoneless = needs_hints ? Zoneless::Count : Zoneless::MayLackHints;
  if (const std::string wrong = check_hints(slice, zoneless); !wrong.empty())
    violated(call.client + " wrote " + wrong + ": " + json::serialize(slice));
  if (view == nullptr || call.is_repeated) return;
  const SenderView::Checked checked = view->check(slice);
  outcome_.plans_of_senders += checked.has_plan ? 1 : 0;
  outcome_.splits_of_senders += checked.has_split ? 1 : 0;
  if (!checked.wrong.empty())
    violated(call.client + " wrote slice " + key_of(slice) + ": " + checked.wrong);
}

SenderView* Simulation::view_of(const std::string& process) const {
  for (const Replica* replica : replicas_)
    if (replica->process() != nullptr && replica->process()->name() == process)
      return replica->view();
  return nullptr;
}

void Simulation::note_lease() {
  if (const std::string leads = holder(); leads != term_.holder)
    term_ = {leads, scheduler_.now(), network_.is_deaf(leads)};
}

// A Pod that is to be routed to stays published: the leader knew of it when its term began, unless
// it could not know that a watch was silent, or has read of it since.
void Simulation::check_withdrawn(const ApiCall& call) {
  for (const auto& [service, address] : steady_.withdrawn()) {
    const auto reasons = ready_pods_.find(service, address);
    if (!reasons) continue;
    ++outcome_.withdrawals;
    const bool knew = term_.holder == call.client && !term_.began_deaf &&
                      reasons->since() + kOldestLeader <= term_.began;
    const Time read =
        std::max({network_.knows_since(call.client, "pods", reasons->pod_ready.version),
                  network_.knows_since(call.client, "services", reasons->service_unchanged.version),
                  network_.knows_since(call.client, "nodes", reasons->node_there.version)});
    const bool has_read = read != kNever && read + kLongestSync <= call.sent;
    if (knew || has_read)
      violated(call.client + " withdraws " + address + " of Service " + service +
               ", whose Pod has been ready and selected for " +
               std::to_string((scheduler_.now() - reasons->since()) / 1s) + " s");
  }
}

void Simulation::note_ever(const StoreChange& change) {
  Ever& ever = ever_[change.kind];
  ever.keys.insert(change.key);
  ++ever.changes;
}

void Simulation::note_service(const StoreChange& change) {
  const json::object* now = store_.find("services", change.key);
  if (now == nullptr) return;
  for (const IpAddress& address : cluster_addresses(*now)) addresses_ever_.insert(address);
}

// A write that is undone before its writer has seen it is waited for long.
void Simulation::note_slice(const StoreChange& change) {
  const auto last = last_writes_.find(change.key);
  if (last == last_writes_.end()) return;
  const auto& [writer, version] = last->second;
  if (network_.knows_since(writer, "endpointslices", version) == kNever)
    undone_.push_back({writer, change.version});
  last_writes_.erase(last);
}

bool Simulation::has_excuse() const {
  if (network_.has_silent_watch()) return true;
  return std::any_of(members_.begin(), members_.end(), [&](const auto& member) {
    if (member->process() == nullptr) return false;
    const std::string& name = member->process()->name();
    return network_.unsure().contains(name) ||
           std::any_of(undone_.begin(), undone_.end(),
                       [&](const OwnWrite& write) { return write.writer == name; });
  });
}

void Simulation::check_held(const Member& member) {
  for (const Held& held : member.held()) {
    std::size_t most = held.least;
    for (const std::string& kind : held.kinds)
      most += held.per == Held::Per::Changes ? ever_[kind].changes : ever_[kind].keys.size();
    if (held.count > most)
      violated(member.name() + ": " + std::to_string(held.count) + " " + held.what + ", where " +
               std::to_string(most) + " are the most that there can be");
  }
}

void Simulation::check_heap(const Process& process) {
  std::size_t objects = 0;
  for (const auto& [kind, ever] : ever_) objects += ever.keys.size();
  if (process.heap().bytes() > kHeapBytes + kBytesPerObject * static_cast<std::int64_t>(objects))
    violated(process.name() + " holds " + std::to_string(process.heap().bytes()) + " bytes, for " +
             std::to_string(objects) + " objects that there ever were");
}

void Simulation::check_idle() {
  for (const auto& member : members_)
    for (const Held& held : member->held())
      if (held.idle == Held::Idle::Nothing && held.count > 0)
        violated(member->name() + ": " + std::to_string(held.count) + " " + held.what +
                 ", though nothing has changed");
}

void Simulation::check_bounds() {
  for (const auto& member : members_) {
    if (member->process() == nullptr) continue;
    check_held(*member);
    check_heap(*member->process());
    if (scheduler_.tasks_of(*member->process()) > kTasksMax)
      violated(member->name() + ": threads grow without end");
    if (network_.watches_of(member->process()->name()) > kWatchesMax)
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
  outcome_.is_excused = has_excuse();
  network_.disarm();
  for (const auto& kernel : kernels_) kernel->be_willing();
  for (const auto& member : members_) {
    if (member->process() == nullptr) {
      member->start();
      continue;
    }
    network_.forget(member->process()->name());
    if (member->process()->resume()) hits_.add(Happening::Pause);
  }
  if (!scenario_.hostile_stay) world_.remove_hostile_objects();
  world_.collect_garbage(true);
}

Simulation::Heaps Simulation::heaps() const {
  Heaps heaps;
  for (const auto& member : members_)
    if (member->process() != nullptr)
      heaps[member->process()->name()] = member->process()->heap().bytes();
  return heaps;
}

void Simulation::check_growth(const Heaps& before, std::int64_t most, const char* since) {
  for (const auto& [name, bytes] : heaps()) {
    const auto known = before.find(name);
    if (known != before.end() && bytes > known->second + most)
      violated(name + " holds " + std::to_string(bytes) + " bytes, and held " +
               std::to_string(known->second) + since);
  }
}

std::string Simulation::unsettled() const {
  for (const auto& member : members_)
    if (!member->runs()) return member->name() + " does not run";
  for (const Replica* replica : replicas_)
    if (replica->process()->name() != holder() &&
        scheduler_.tasks_of(*replica->process()) > kFollowerTasksMax)
      return replica->name() + " does not lead, and has " +
             std::to_string(scheduler_.tasks_of(*replica->process())) + " threads";
  for (const std::string& wrong :
       {check_endpoints(store_), check_mirrored(store_), check_all_hints(store_),
        check_plan(store_, world_.wall_seconds())})
    if (!wrong.empty()) return wrong;
  for (const auto& kernel : kernels_)
    for (std::string& wrong : std::vector{check_routes(store_, *kernel),
                                          check_former_addresses(store_, addresses_ever_, *kernel),
                                          check_flows(store_, *kernel)})
      if (!wrong.empty()) return std::move(wrong);
  return "";
}

void Simulation::settle() {
  const Time begin = scheduler_.now();
  std::string wrong;
  const Time most = outcome_.is_excused ? kSettleMax : kSettleSoon;
  while (outcome_.violation.empty() && scheduler_.now() < begin + most) {
    run_until(scheduler_.now() + kSettleLook);
    wrong = unsettled();
    if (!wrong.empty()) continue;
    outcome_.settled_after = scheduler_.now() - begin;
    return;
  }
  violated("does not settle: " + wrong);
}

Simulation::Heaps Simulation::stay_quiet() {
  const auto is_aftermath = [this] {
    return world_.has_plans() || network_.has_silent_watch() ||
           scheduler_.now() < scenario_.ends + kBackoffs;
  };
  while (outcome_.violation.empty() && is_aftermath()) run_until(scheduler_.now() + kSettleLook);
  run_until(scheduler_.now() + kAftermath);
  std::uint64_t transactions = 0;
  for (const auto& kernel : kernels_) transactions += kernel->transactions();
  const std::uint64_t writes = writes_;
  const std::uint64_t version = store_.version();
  const std::uint64_t requests = network_.requests();
  Heaps before = heaps();
  run_until(scheduler_.now() + kQuiet);
  outcome_.quiet_requests = network_.requests() - requests;
  if (outcome_.quiet_requests > kQuietRequestsMax)
    violated("so much is asked though nothing has changed: " +
             std::to_string(outcome_.quiet_requests) + " requests");
  if (writes_ != writes)
    violated(
        "something is written though nothing has changed: " + std::to_string(writes_ - writes) +
        " writes, " + std::to_string(store_.version() - version) + " versions");
  for (const auto& kernel : kernels_) transactions -= kernel->transactions();
  if (transactions != 0) violated("a kernel is written though nothing has changed");
  check_idle();
  check_growth(before, kQuietBytes, ", and nothing has changed since");
  if (const std::string wrong = unsettled(); !wrong.empty()) violated("is not settled: " + wrong);
  return before;
}

void Simulation::respond() {
  SplitMix dice(scenario_.seed, 6);
  for (int i = 0; i < kLastChanges; ++i) {
    world_.flip_selected_pod(dice);
    if (scenario_.has_written_endpoints) written_endpoints_.change(dice);
  }
  run_until(scheduler_.now() + kResponseMax);
  if (const std::string wrong = unsettled(); !wrong.empty())
    violated("does not follow a change within " + std::to_string(kResponseMax / 1s) +
             " s: " + wrong);
}

Outcome Simulation::run() {
  start();
  run_until(scenario_.ends);
  if (outcome_.violation.empty()) heal();
  settle();
  if (outcome_.violation.empty()) {
    // A process whose watch was silent has noticed by then, and filled its caches.
    const Heaps at_rest = stay_quiet();
    if (outcome_.violation.empty()) respond();
    check_growth(at_rest, kTermBytes, " when nothing changed any more");
  }
  outcome_.drawn = static_cast<std::uint64_t>(
      std::count_if(scenario_.injections.begin(), scenario_.injections.end(),
                    [](const Injection& injection) { return is_fault(injection.what); }));
  outcome_.hits = hits_;
  outcome_.faults = hits_.faults();
  outcome_.lasted = scheduler_.now();
  for (const auto& member : members_) member->crash();
  outcome_.steps = scheduler_.steps();
  outcome_.routes_held_for_long = steady_.held_for_long();
  outcome_.routes_held_as_read = steady_.held_as_read();
  outcome_.hash = history_.hash();
  outcome_.history = history_.lines();
  return outcome_;
}

}  // namespace proxima::simulation
