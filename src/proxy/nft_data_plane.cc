// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_data_plane.h"

#include "base/guarded.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTransaction;

// Others may change rules at the same moment. Who is hit that often has another problem.
constexpr int kMostTries = 5;
// Larger transactions take a kernel longer than several smaller ones.
constexpr std::size_t kElementsAtOnce = 16'384;

// What was read does not hold any more, or a kernel could not do it just now.
bool worth_another_look(const Error& error) {
  return error.code == ErrorCode::Retry || error.code == ErrorCode::NotFound ||
         error.code == ErrorCode::Conflict;
}

template <class Try>
auto tried(Try once) {
  auto result = once();
  for (int tries = 1; !result && worth_another_look(result.error()) && tries < kMostTries; ++tries)
    result = once();
  return result;
}

}  // namespace

Status NftDataPlane::send(const NftTransaction& transaction) {
  if (transaction.empty()) return Unit{};
  Status sent = kernel_.send(transaction);
  for (int tries = 1; !sent && sent.error().code == ErrorCode::Retry && tries < kMostTries; ++tries)
    sent = kernel_.send(transaction);
  return sent;
}

// ---- Services that break ----

std::set<ServiceName> NftDataPlane::broken_names() const {
  std::set<ServiceName> names;
  for (const auto& [name, what] : broken_) names.insert(name);
  return names;
}

void NftDataPlane::try_out(const PortRoutes& routes, const RouteTable& table,
                           const NftPort* previous) {
  const auto breakdown = run_guarded([&] { renderer_.rehearse(routes, table, previous); });
  if (breakdown) broken_.try_emplace(service_of(routes.port.key), breakdown->what);
}

RouteTable NftDataPlane::renderable(const RouteTable& table, NftMemory& memory) {
  const auto known = [&](const ServicePortKey& key) {
    const auto found = memory.ports.find(key);
    return found == memory.ports.end() ? nullptr : &found->second;
  };
  broken_.clear();
  table.ports.each([&](const PortRoutesRef& routes) {
    try_out(*routes, table, known(routes->port.key));
    return true;
  });
  std::set<ServiceName> held, lost;
  for (const auto& [name, what] : broken_) {
    // An earlier process may have written it; then what the kernel holds of it stays.
    if (!renderer_.table().ports_of(name.first, name.second).empty()) {
      held.insert(name);
      continue;
    }
    for (const PortRoutesRef& routes : table.ports_of(name.first, name.second)) {
      const NftPort* kept = known(routes->port.key);
      if (kept == nullptr || run_guarded([&] { renderer_.rehearse_kept(*routes, table, *kept); }))
        lost.insert(name);
      else
        memory.kept.insert(routes->port.key);
    }
  }
  return with_held_routes(with_held_routes(table, renderer_.table(), held), {}, lost);
}

NftTransaction NftDataPlane::render_change(const RouteTable& table, const RouteChanges& changes) {
  std::set<ServiceName> special = broken_names();
  for (const PortChange& change : changes.ports)
    broken_.erase(service_of((change.after ? change.after : change.before)->port.key));
  for (const PortChange& change : changes.ports) {
    if (change.after) try_out(*change.after, table, renderer_.port(change.after->port.key));
  }
  special.merge(broken_names());
  if (special.empty()) return renderer_.change(table, changes);
  const RouteTable wanted = with_held_routes(table, renderer_.table(), broken_names());
  return renderer_.change(wanted, changes_with_held(renderer_.table(), wanted, changes, special));
}

Status NftDataPlane::complete() const {
  const auto& left = renderer_.unwritten();
  if (left.empty()) return Unit{};
  std::string message = "service port " + to_text(*left.begin());
  if (left.size() > 1) message += " and " + std::to_string(left.size() - 1) + " more";
  return Error{ErrorCode::InvalidInput, message + ": more service ports than the table can hold"};
}

Status NftDataPlane::adopt_once(const RouteTable& table) {
  in_step_ = false;
  found_ = NftFound::Ours;  // as long as nobody knows better
  const auto moment = kernel_.now();
  const std::string& name = renderer_.options().table;
  PROXIMA_TRY(auto content, kernel_.read(renderer_.family(), name), "read table " + name);
  found_ = recognise(content, renderer_.options());
  NftMemory memory = found_ == NftFound::Ours ? recall(*content, table) : NftMemory{};
  const RouteTable wanted = renderable(table, memory);
  renderer_.start(wanted, std::move(memory));
  Status written =
      found_ == NftFound::Ours
          ? send(diff_nft_table(renderer_, std::move(*content)).transaction)
          : load_nft_table(renderer_, found_, kElementsAtOnce,
                           [&](const NftTransaction& transaction) { return send(transaction); });
  if (written) checked_ = moment;
  return written;
}

// All that a new table refers to is in it, so what is not found is a part of the kernel: a kind of
// chain or of expression that it was built without.
Error NftDataPlane::not_made(Error error) {
  const bool lacks = error.code == ErrorCode::NotFound || error.code == ErrorCode::Unsupported;
  if (!lacks || found_ == NftFound::Ours) return error;
  error.code = ErrorCode::Unsupported;
  if (found_ == NftFound::Foreign) return error;  // stays, and may well be of use
  // Packets meet a table only with its last piece; those before it are of no use alone.
  const Status removed = remove();
  if (!removed && removed.error().code != ErrorCode::Unsupported)
    error.message += "; what is there of it stays: " + removed.error().message;
  return error;
}

Status NftDataPlane::adopt(const RouteTable& table) {
  Status adopted = tried([&] { return adopt_once(table); });
  if (!adopted)
    return not_made(std::move(adopted).error()).in("write table " + renderer_.options().table);
  in_step_ = true;
  return complete();
}

Status NftDataPlane::apply(const RouteTable& table, const RouteChanges& changes) {
  if (!in_step_) return adopt(table);
  in_step_ = false;
  NftTransaction transaction;
  // What broke although it was tried out is not one Service's. All of it is made anew then.
  if (run_guarded([&] { transaction = render_change(table, changes); })) return adopt(table);
  Status sent = send(transaction);
  // Somebody has changed the table, and what is believed of it is wrong.
  if (!sent && worth_another_look(sent.error())) return adopt(table);
  if (!sent) return std::move(sent).error().in("change table " + renderer_.options().table);
  in_step_ = true;
  return complete();
}

Result<std::size_t> NftDataPlane::repair_once() {
  const auto moment = kernel_.now();
  const std::string& name = renderer_.options().table;
  PROXIMA_TRY(auto content, kernel_.read(renderer_.family(), name), "read table " + name);
  const NftFound found = recognise(content, renderer_.options());
  std::size_t count = 1;  // the table itself
  Status written = Unit{};
  if (found == NftFound::Ours) {
    NftDifference difference = diff_nft_table(renderer_, std::move(*content));
    count = difference.count;
    written = send(difference.transaction);
  } else {
    written = load_nft_table(renderer_, found, kElementsAtOnce,
                             [&](const NftTransaction& transaction) { return send(transaction); });
  }
  if (!written) return std::move(written).error().in("repair table " + name);
  checked_ = moment;
  return count;
}

Result<std::size_t> NftDataPlane::repair() {
  if (!in_step_) return Error{ErrorCode::Retry, "nothing has been written yet"};
  // Reading a large table takes seconds; when every change since was ours there is nothing to find.
  if (checked_ && kernel_.is_alone_since(*checked_)) return std::size_t{0};
  auto repaired = tried([&] { return repair_once(); });
  in_step_ = repaired.has_value();
  return repaired;
}

Status NftDataPlane::remove() {
  in_step_ = false;
  // A table that is not there cannot be deleted, but one that has just been added can.
  return send({.family = renderer_.family(),
               .table = renderer_.options().table,
               .operations = {dataplane::NftAddTable{}, dataplane::NftDeleteTable{}}});
}

}  // namespace proxima::proxy
