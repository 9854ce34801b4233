// SPDX-License-Identifier: Apache-2.0
#include "simulation/network.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace proxima::simulation {

using namespace std::chrono_literals;

// One request and all that comes back for it. The client's side and the network hold it; nobody is
// told of anything before it has arrived.
struct Network::Exchange {
  ApiCall call;
  Process& process;
  // What has arrived.
  bool answered = false;
  int status = 0;
  net::HttpHeaders headers;
  std::deque<Piece> pieces;
  bool ended = false;
  std::string broken;  // why; "": it is not
  // The client's side.
  bool closed = false;
  Task* waiter = nullptr;
  // The server's side of a watch.
  Time last_arrival{0};       // of what is under way: a stream keeps its order
  bool silent = false;        // the server sends nothing more
  bool lost = false;          // something of it was lost on the way, so nothing after it arrives
  bool withholds = false;     // something was to be sent since it is silent
  std::vector<Piece> recent;  // events, for those that are repeated
  std::vector<Piece> held;    // events that change places
  std::size_t hold = 0;       // how many to hold

  bool is_over() const { return closed || ended || !broken.empty(); }
  // Nothing comes any more, and nobody has told the client.
  bool is_mute() const { return !is_over() && (silent || lost); }
};

namespace {

constexpr Time kBookmarkPeriod = 60s;
constexpr std::size_t kRecentEvents = 4;
constexpr Time kHoldMax = 2s;  // for an event that changes places with the next one
// Longer than this nothing stays in a network: the slack between a leader's last write and the
// first of the next.
constexpr std::uint64_t kDelayMaxMs = 3000;

bool concerns(Happening happening, const ApiCall& call) {
  switch (happening) {
    case Happening::AnswerExpired:
      return call.is_watch() || call.is_list();
    case Happening::StaleList:
      return call.is_list() && call.query.contains("resourceVersion");
    case Happening::DoubleRequest:
      return call.is_write();
    case Happening::LoseAnswer:
    case Happening::CutAnswer:
    case Happening::DelayAnswer:
    case Happening::DoneButTimeout:
      return !call.is_watch();
    default:
      return true;
  }
}

std::uint64_t number_of(const std::map<std::string, std::string>& query, const std::string& name) {
  std::uint64_t value = 0;
  if (const auto found = query.find(name); found != query.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

template <class Cuts>
void remove_one(Cuts& cuts, const std::string& process, const std::string& kind) {
  const auto found = std::find_if(cuts.begin(), cuts.end(), [&](const auto& cut) {
    return cut.process == process && cut.kind == kind;
  });
  if (found != cuts.end()) cuts.erase(found);
}

// A write of a slice: what a worker waits to see in its cache.
bool is_of_slice(const ApiCall& call) { return call.is_write() && call.kind == "endpointslices"; }

std::string expired_event() {
  return R"({"type":"ERROR","object":)" +
         ModelApi::failure(410, "Expired", "too old resource version").body + "}\n";
}

}  // namespace

// What the product reads: waits for what arrives, as long as it may.
class Network::Stream final : public net::HttpStream {
 public:
  Stream(Network& network, ExchangeRef exchange, std::chrono::milliseconds idle,
         const net::Cancellation& cancellation)
      : network_(network),
        exchange_(std::move(exchange)),
        idle_(idle),
        cancellation_(cancellation) {}
  ~Stream() override { exchange_->closed = true; }

  int status() const override { return exchange_->status; }
  const net::HttpHeaders& headers() const override { return exchange_->headers; }
  Result<std::string_view> read() override {
    const Status ready = wait_for(exchange_->process.steady_now() + idle_, [this] {
      return !exchange_->pieces.empty() || exchange_->ended || !exchange_->broken.empty();
    });
    if (!ready) return ready.error();
    if (exchange_->pieces.empty()) {
      if (!exchange_->broken.empty()) return Error{ErrorCode::Retry, exchange_->broken};
      return std::string_view();
    }
    piece_ = std::move(exchange_->pieces.front());
    exchange_->pieces.pop_front();
    network_.note_told(exchange_->call, piece_.version);
    return std::string_view(piece_.text);
  }
  Status wait_for(Clock::SteadyTime deadline, const std::function<bool()>& done) {
    Process& process = exchange_->process;
    Scheduler& scheduler = process.scheduler();
    exchange_->waiter = scheduler.current();
    PROXIMA_CHECK(exchange_->waiter != nullptr);
    const net::Cancellation::Attachment attachment(
        cancellation_, [&, task = exchange_->waiter] { scheduler.wake(*task); });
    Status status = Unit{};
    while (!done()) {
      if (process.is_dead() || cancellation_.cancelled()) {
        status = Error{ErrorCode::Retry, "cancelled"};
        break;
      }
      if (process.steady_now() >= deadline) {
        status = Error{ErrorCode::Retry, "timed out"};
        break;
      }
      scheduler.block(process.to_world(deadline));
    }
    exchange_->waiter = nullptr;
    return status;
  }
  const Exchange& exchange() const { return *exchange_; }

 private:
  Network& network_;
  ExchangeRef exchange_;
  std::chrono::milliseconds idle_;
  net::Cancellation cancellation_;
  Piece piece_;
};

class Network::Client final : public net::HttpClient {
 public:
  Client(Network& network, Process& process) : network_(network), process_(process) {}

  Result<std::unique_ptr<net::HttpStream>> open(const net::HttpRequest& request,
                                                const net::Deadlines& deadlines,
                                                const net::Cancellation& cancellation) override {
    if (process_.is_dead() || cancellation.cancelled()) return Error{ErrorCode::Retry, "cancelled"};
    auto stream = std::make_unique<Stream>(network_, network_.send(process_, request),
                                           deadlines.idle, cancellation);
    const Exchange& exchange = stream->exchange();
    const Status answered = stream->wait_for(process_.steady_now() + deadlines.answer, [&] {
      return exchange.answered || !exchange.broken.empty();
    });
    if (!answered) return answered.error();
    if (!exchange.answered) return Error{ErrorCode::Retry, exchange.broken};
    return std::unique_ptr<net::HttpStream>(std::move(stream));
  }

 private:
  Network& network_;
  Process& process_;
};

Network::Network(Scheduler& scheduler, ModelStore& store, ModelApi& api, History& history,
                 Hits& hits, std::uint64_t seed)
    : scheduler_(scheduler),
      store_(store),
      api_(api),
      history_(history),
      hits_(hits),
      random_(seed) {}

std::unique_ptr<net::HttpClient> Network::client(Process& process) {
  return std::make_unique<Client>(*this, process);
}

Time Network::latency() {
  // Mostly a millisecond or so, sometimes a hundred.
  const std::uint64_t microseconds =
      random_.below(20) == 0 ? random_.below(100'000) : 200 + random_.below(2'000);
  return std::chrono::microseconds(microseconds);
}

void Network::arm(Happening happening, const std::string& process, std::uint64_t dice) {
  armed_.push_back({happening, process, dice, SplitMix(dice, 1).below(2) == 0});
}

std::optional<Network::Armed> Network::take_fault(const ApiCall& call) {
  const auto found = std::find_if(armed_.begin(), armed_.end(), [&](const Armed& armed) {
    return armed.process == call.client && concerns(armed.happening, call) &&
           !(armed.spares_leases && call.kind == "leases");
  });
  if (found == armed_.end()) return std::nullopt;
  const Armed fault = *found;
  armed_.erase(found);
  // Whether a list is an old one is known when it is answered.
  if (fault.happening != Happening::StaleList) note_fault(fault.happening, call);
  return fault;
}

bool Network::is_cut(Cuts& cuts, Happening happening, const ApiCall& call) {
  const auto found = std::find_if(cuts.begin(), cuts.end(), [&](const Cut& cut) {
    return cut.process == call.client && (cut.kind.empty() || cut.kind == call.kind);
  });
  if (found == cuts.end()) return false;
  if (!std::exchange(found->was_felt, true))
    note_fault(found->kind.empty() ? happening : Happening::RefuseStandby, call);
  return true;
}

void Network::note_fault(Happening happening, const ApiCall& call) {
  hits_.add(happening);
  history_.note(call.client, "FAULT " + std::string(to_text(happening)) + ": " + call.text());
}

Network::ExchangeRef Network::send(Process& process, const net::HttpRequest& request) {
  ++requests_;
  auto exchange = std::make_shared<Exchange>(
      Exchange{.call = read_call(request, process.name()), .process = process});
  exchange->call.sent = scheduler_.now();
  std::erase_if(open_, [](const auto& known) { return known.expired(); });
  open_.push_back(exchange);
  if (history_.keeps_lines()) history_.note(process.name(), "asks " + exchange->call.text());
  if (is_cut(parted_, Happening::Partition, exchange->call)) {
    exchange->lost = true;
    return exchange;
  }
  if (is_cut(refused_, Happening::CutOff, exchange->call)) {
    break_off(exchange, "connection refused");
    return exchange;
  }
  const std::optional<Armed> fault = take_fault(exchange->call);
  const Time delay = latency();
  if (!fault) {
    scheduler_.after(delay, [this, exchange] { deliver(exchange, std::nullopt); });
    return exchange;
  }
  SplitMix dice(fault->dice);
  switch (fault->happening) {
    case Happening::LoseRequest:
      exchange->lost = true;
      break;
    case Happening::RefuseConnection:
      break_off(exchange, "connection refused");
      break;
    case Happening::DelayRequest:
      scheduler_.after(delay + std::chrono::milliseconds(dice.below(kDelayMaxMs)),
                       [this, exchange] { deliver(exchange, std::nullopt); });
      break;
    case Happening::DoubleRequest:
      scheduler_.after(delay, [this, exchange] { deliver(exchange, std::nullopt); });
      scheduler_.after(delay + std::chrono::milliseconds(dice.below(kDelayMaxMs / 2)),
                       [this, call = exchange->call]() mutable {
                         call.is_repeated = true;
                         api_.answer(call);
                       });
      break;
    default:
      scheduler_.after(delay, [this, exchange, fault] { deliver(exchange, fault); });
  }
  return exchange;
}

void Network::deliver(const ExchangeRef& exchange, const std::optional<Armed>& fault) {
  if (is_cut(parted_, Happening::Partition, exchange->call)) exchange->lost = true;
  if (exchange->lost) return;
  if (!fault) return carry_out(exchange, std::nullopt);
  SplitMix dice(fault->dice);
  const auto retry_after = [&](int status, std::string_view reason) {
    net::HttpResponse response = ModelApi::failure(status, reason, "told to fail");
    if (dice.below(2) == 0) response.headers.add("Retry-After", std::to_string(1 + dice.below(3)));
    reply(exchange, std::move(response));
  };
  switch (fault->happening) {
    case Happening::AnswerTooMany:
      return retry_after(429, "TooManyRequests");
    case Happening::AnswerUnavailable:
      return retry_after(503, "ServiceUnavailable");
    case Happening::AnswerBroken:
      return reply(exchange, ModelApi::failure(500, "InternalError", "told to fail"));
    case Happening::AnswerExpired:
      return reply(exchange, ModelApi::failure(410, "Expired", "too old resource version"));
    case Happening::AnswerGarbage:
      return reply(exchange, {200, {}, R"({"kind":"List","items":[{"metadata)"});
    case Happening::StaleList:
      api_.serve_stale(std::min(1 + dice.below(200), stale_versions_max()));
      return carry_out(exchange, fault);
    default:
      return carry_out(exchange, fault);
  }
}

void Network::carry_out(const ExchangeRef& exchange, const std::optional<Armed>& fault) {
  if (exchange->call.is_watch()) return open_watch(exchange);
  net::HttpResponse response = api_.answer(exchange->call);
  const bool is_hidden = fault && (fault->happening == Happening::LoseAnswer ||
                                   fault->happening == Happening::CutAnswer ||
                                   fault->happening == Happening::DoneButTimeout);
  if (is_hidden && is_of_slice(exchange->call)) unsure_.insert(exchange->call.client);
  const std::uint64_t version = exchange->call.is_list() ? api_.listed_version() : 0;
  if (!fault) return reply(exchange, std::move(response), {}, version);
  SplitMix dice(fault->dice);
  switch (fault->happening) {
    case Happening::StaleList:
      if (version != store_.version()) note_fault(Happening::StaleList, exchange->call);
      return reply(exchange, std::move(response), {}, version);
    case Happening::LoseAnswer:
      return;
    case Happening::CutAnswer:
      if (dice.below(2) == 0) return break_off(exchange, "connection reset by peer");
      response.body.resize(response.body.size() / 2);
      arrive(exchange, [response = std::move(response)](Exchange& known) {
        known.answered = true;
        known.status = response.status;
        known.headers = response.headers;
        known.pieces.push_back({response.body});
        known.broken = "connection reset by peer";
      });
      return;
    case Happening::DoneButTimeout:
      return reply(exchange, ModelApi::failure(504, "Timeout", "may still be processing"));
    case Happening::DelayAnswer:
      return reply(exchange, std::move(response), std::chrono::milliseconds(dice.below(20'000)),
                   version);
    default:
      return reply(exchange, std::move(response), {}, version);
  }
}

// Anything that comes over a connection comes after what came before.
void Network::arrive(const ExchangeRef& exchange, std::function<void(Exchange&)> change,
                     Time extra) {
  exchange->last_arrival =
      std::max(exchange->last_arrival, scheduler_.now() + latency() + extra) + Time(1);
  scheduler_.at(exchange->last_arrival, [this, exchange, change = std::move(change)] {
    if (exchange->is_over() || exchange->process.is_dead()) return;
    if (is_cut(parted_, Happening::Partition, exchange->call)) {
      exchange->lost = true;
      if (is_of_slice(exchange->call)) unsure_.insert(exchange->call.client);
    }
    if (exchange->lost) return;
    change(*exchange);
    if (exchange->waiter != nullptr) scheduler_.wake(*exchange->waiter);
  });
}

void Network::break_off(const ExchangeRef& exchange, const std::string& why, Time extra) {
  arrive(
      exchange, [why](Exchange& known) { known.broken = why; }, extra);
}

void Network::reply(const ExchangeRef& exchange, net::HttpResponse response, Time extra,
                    std::uint64_t version) {
  arrive(
      exchange,
      [this, version, response = std::move(response)](Exchange& known) {
        if (on_told_ && known.call.is_write() && response.status < 300)
          on_told_(known.call, response.body);
        known.answered = true;
        known.status = response.status;
        known.headers = response.headers;
        if (!response.body.empty())
          known.pieces.push_back({response.body, response.status == 200 ? version : 0});
        known.ended = true;
      },
      extra);
}

void Network::open_watch(const ExchangeRef& exchange) {
  const std::uint64_t from = number_of(exchange->call.query, "resourceVersion");
  if (from < store_.oldest() && std::exchange(has_forgotten_, false))
    note_fault(Happening::ForgetHistory, exchange->call);
  if (from < store_.oldest())
    return reply(exchange, ModelApi::failure(410, "Expired", "too old resource version"));
  if (exchange->closed) return;
  arrive(exchange, [](Exchange& known) {
    known.answered = true;
    known.status = 200;
  });
  for (const StoreChange& change : store_.history())
    if (change.version > from)
      if (auto line = ModelApi::watch_line(exchange->call, change))
        send_event(exchange, {std::move(*line), change.version});
  std::erase_if(watches_, [](const auto& known) { return known.expired(); });
  watches_.push_back(exchange);
  const Time limit = std::chrono::seconds(number_of(exchange->call.query, "timeoutSeconds"));
  const std::weak_ptr<Exchange> watched = exchange;
  scheduler_.after(limit, [this, watched] {
    if (const ExchangeRef known = watched.lock())
      arrive(known, [](Exchange& ending) { ending.ended = true; });
  });
  scheduler_.after(kBookmarkPeriod, [this, watched] { keep_bookmarks(watched); });
}

void Network::keep_bookmarks(const std::weak_ptr<Exchange>& watched) {
  const ExchangeRef watch = watched.lock();
  if (!watch || watch->closed || watch->process.is_dead()) return;
  // Held events are not sent yet, and a bookmark must not claim that they were.
  if (watch->held.empty() && !watch->silent) {
    const std::string line =
        R"({"type":"BOOKMARK","object":{"kind":"Bookmark","metadata":{"resourceVersion":")" +
        std::to_string(store_.version()) + "\"}}}\n";
    arrive(watch, [line, version = store_.version()](Exchange& known) {
      known.pieces.push_back({line, version});
    });
  }
  scheduler_.after(kBookmarkPeriod, [this, watched] { keep_bookmarks(watched); });
}

void Network::send_event(const ExchangeRef& watch, Piece line) {
  if (watch->silent) {
    if (!std::exchange(watch->withholds, true)) note_fault(Happening::StallWatch, watch->call);
    return;
  }
  watch->recent.push_back(line);
  if (watch->recent.size() > kRecentEvents) watch->recent.erase(watch->recent.begin());
  watch->held.push_back(std::move(line));
  if (watch->held.size() >= watch->hold) return release_events(watch);
  if (watch->held.size() == 1) scheduler_.after(kHoldMax, [this, watch] { release_events(watch); });
}

// The last first: more than one is held only when they are to change places.
void Network::release_events(const ExchangeRef& watch) {
  watch->hold = 0;
  if (watch->held.size() > 1) note_fault(Happening::ReorderEvents, watch->call);
  while (!watch->held.empty()) {
    arrive(watch, [line = std::move(watch->held.back())](Exchange& known) {
      known.pieces.push_back(line);
    });
    watch->held.pop_back();
  }
}

std::uint64_t Network::stale_versions_max() {
  while (versions_.size() > 1 && versions_[1].first + kStaleListMax < scheduler_.now())
    versions_.pop_front();
  return versions_.empty() ? 0 : store_.version() - versions_.front().second;
}

void Network::tell_watches(const StoreChange& change) {
  versions_.emplace_back(scheduler_.now(), change.version);
  for (auto known = watches_.begin(); known != watches_.end();) {
    const ExchangeRef watch = known->lock();
    if (!watch || watch->closed || watch->process.is_dead()) {
      known = watches_.erase(known);
      continue;
    }
    if (auto line = ModelApi::watch_line(watch->call, change))
      send_event(watch, {std::move(*line), change.version});
    ++known;
  }
}

void Network::hit_watch(Happening happening, const std::string& process, std::uint64_t dice_seed) {
  std::vector<ExchangeRef> there;
  for (const auto& known : watches_)
    if (const ExchangeRef watch = known.lock();
        watch && !watch->closed && !watch->silent && watch->call.client == process)
      there.push_back(watch);
  if (there.empty()) return;
  SplitMix dice(dice_seed);
  const ExchangeRef& watch = there[dice.below(there.size())];
  // What is told again is no news.
  const auto say = [&](const std::string& line) {
    arrive(watch, [line](Exchange& known) { known.pieces.push_back({line}); });
  };
  switch (happening) {
    case Happening::CutWatch:
      break_off(watch, "connection reset by peer");
      break;
    case Happening::EndWatch:
      arrive(watch, [](Exchange& known) { known.ended = true; });
      break;
    case Happening::StallWatch:
      watch->silent = true;
      return;  // that nothing comes is felt when something should
    case Happening::ExpireWatch:
      say(expired_event());
      break;
    case Happening::GarbageEvent:
      say("{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"na\n");
      break;
    case Happening::DoubleEvents:
      if (watch->recent.empty()) return;
      for (const Piece& line : std::vector(watch->recent)) say(line.text);
      break;
    case Happening::ReorderEvents:
      if (watch->hold == 0) watch->hold = 2 + dice.below(2);
      return;  // and that they change places when there are two
    default:
      return;
  }
  note_fault(happening, watch->call);
}

void Network::forget_history() {
  store_.forget_history();
  has_forgotten_ = true;
}

void Network::part(const std::string& process) { parted_.push_back({process}); }

void Network::join(const std::string& process) { remove_one(parted_, process, {}); }

void Network::cut_off(const std::string& process, const std::string& kind) {
  refused_.push_back({process, kind});
  for (const auto& known : open_) {
    const ExchangeRef exchange = known.lock();
    if (!exchange || exchange->is_over()) continue;
    if (!is_cut(refused_, Happening::CutOff, exchange->call)) continue;
    exchange->broken = "connection reset by peer";
    if (exchange->waiter != nullptr) scheduler_.wake(*exchange->waiter);
  }
}

void Network::let_in(const std::string& process, const std::string& kind) {
  remove_one(refused_, process, kind);
}

void Network::forget(const std::string& process) {
  for (Cuts* cuts : {&parted_, &refused_})
    std::erase_if(*cuts, [&](const Cut& cut) { return cut.process == process; });
  std::erase_if(armed_, [&](const Armed& armed) { return armed.process == process; });
}

void Network::wake_all(const std::string& process) {
  for (const auto& known : open_)
    if (const ExchangeRef exchange = known.lock();
        exchange && exchange->call.client == process && exchange->waiter != nullptr)
      scheduler_.wake(*exchange->waiter);
}

bool Network::has_silent_watch() const {
  return std::any_of(open_.begin(), open_.end(), [](const auto& known) {
    const ExchangeRef watch = known.lock();
    return watch && watch->call.is_watch() && watch->is_mute() && !watch->process.is_dead();
  });
}

bool Network::is_deaf(const std::string& process) const {
  return std::any_of(open_.begin(), open_.end(), [&](const auto& known) {
    const ExchangeRef watch = known.lock();
    return watch && watch->call.client == process && watch->call.is_watch() && watch->is_mute();
  });
}

void Network::note_told(const ApiCall& call, std::uint64_t version) {
  if (version == 0 || !(call.is_watch() || call.is_list())) return;
  std::vector<Told>& told = told_[{call.client, call.kind}][scheduler_.current()->id()];
  if (told.empty() || told.back().version < version) told.push_back({version, scheduler_.now()});
}

Time Network::knows_since(const std::string& process, const std::string& kind,
                          std::uint64_t version) const {
  const auto reflectors = told_.find({process, kind});
  if (reflectors == told_.end()) return kNever;
  Time known{0};
  for (const auto& [thread, told] : reflectors->second) {
    const auto at = std::lower_bound(
        told.begin(), told.end(), version,
        [](const Told& one, std::uint64_t wanted) { return one.version < wanted; });
    if (at == told.end()) return kNever;
    known = std::max(known, at->at);
  }
  return known;
}

std::size_t Network::watches_of(const std::string& process) const {
  return static_cast<std::size_t>(
      std::count_if(watches_.begin(), watches_.end(), [&](const auto& known) {
        const ExchangeRef watch = known.lock();
        return watch && !watch->closed && watch->call.client == process;
      }));
}

}  // namespace proxima::simulation
