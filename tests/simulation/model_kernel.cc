// SPDX-License-Identifier: Apache-2.0
#include "simulation/model_kernel.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "dataplane/nft_error.h"

namespace proxima::simulation {
namespace {

constexpr std::size_t kConnectionsMax = 200;  // older ones end
constexpr std::uint8_t kUdp = 17;

Error gone() { return {ErrorCode::Retry, "the process is gone"}; }

}  // namespace

class ModelKernel::Nft final : public proxy::NftKernel {
 public:
  Nft(ModelKernel& kernel, Process& process) : kernel_(kernel), process_(process) {}

  Status send(const dataplane::NftTransaction& transaction) override {
    kernel_.take_time(process_);
    if (process_.is_dead()) return gone();
    Status applied = kernel_.apply(transaction, process_);
    kernel_.take_time(process_);
    return applied;
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily family,
                                                         std::string_view) override {
    kernel_.take_time(process_);
    if (process_.is_dead()) return gone();
    if (const int error = kernel_.take(kernel_.read_refusals_, Happening::KernelRefusesReading)) {
      kernel_.note("FAULT refuses to be read: " + std::to_string(error));
      return dataplane::kernel_error(error);
    }
    const dataplane::NftTable& table = kernel_.table(family);
    if (!table.exists()) return std::optional<dataplane::NftTableContent>();
    return std::optional(table.content());
  }

 private:
  ModelKernel& kernel_;
  Process& process_;
};

class ModelKernel::Flows final : public proxy::FlowTable {
 public:
  Flows(ModelKernel& kernel, Process& process) : kernel_(kernel), process_(process) {}

  Result<std::vector<proxy::UdpFlow>> udp_flows(IpFamily family) override {
    if (process_.is_dead()) return gone();
    std::vector<proxy::UdpFlow> flows;
    for (const Connection& known : kernel_.connections_)
      if (known.is_udp && known.flow.tracked.reply_source.address.family() == family)
        flows.push_back(known.flow);
    return flows;
  }
  Result<std::size_t> forget(std::span<const proxy::UdpFlow> flows) override {
    if (process_.is_dead()) return gone();
    std::size_t forgotten = 0;
    for (const proxy::UdpFlow& flow : flows) {
      const auto found =
          std::find_if(kernel_.connections_.begin(), kernel_.connections_.end(),
                       [&](const Connection& known) { return known.flow.id == flow.id; });
      if (found == kernel_.connections_.end()) continue;
      kernel_.note("forgets a flow of " + found->service);
      if (kernel_.on_forget_) kernel_.on_forget_(*found);
      kernel_.connections_.erase(found);
      ++forgotten;
    }
    return forgotten;
  }

 private:
  ModelKernel& kernel_;
  Process& process_;
};

std::unique_ptr<proxy::NftKernel> ModelKernel::nft(Process& process) {
  return std::make_unique<Nft>(*this, process);
}

std::unique_ptr<proxy::FlowTable> ModelKernel::flows(Process& process) {
  return std::make_unique<Flows>(*this, process);
}

void ModelKernel::note(const std::string& what) { history_.note("kernel " + node_, what); }

void ModelKernel::take_time(Process& process) {
  const Time end = scheduler_.now() + std::chrono::microseconds(50 + random_.below(3'000));
  while (scheduler_.now() < end && !process.is_dead()) scheduler_.block(end);
}

Status ModelKernel::carry_out(const dataplane::NftTransaction& transaction,
                              const Process& process) {
  if (on_transaction_) on_transaction_(process, transaction.family, Moment::Before);
  const std::size_t index = index_of(transaction.family);
  Status applied = tables_[index].apply(transaction);
  if (!applied) return applied;
  tampered_[index] = false;
  if (on_transaction_) on_transaction_(process, transaction.family, Moment::After);
  return applied;
}

Status ModelKernel::apply(const dataplane::NftTransaction& transaction, const Process& process) {
  ++transactions_;
  const int error = take(refusals_, Happening::KernelRefuses);
  if (error == 0) {
    Status applied = carry_out(transaction, process);
    note(applied ? "takes " + std::to_string(transaction.operations.size()) + " operations"
                 : "refuses: " + applied.error().message);
    return applied;
  }
  // The answer of a transaction that was done can be what there was no buffer for.
  const bool is_done =
      error == ENOBUFS && random_.below(2) == 0 && carry_out(transaction, process).has_value();
  note("FAULT refuses with " + std::to_string(error) + (is_done ? ", after it was done" : ""));
  return dataplane::kernel_error(error);
}

void ModelKernel::add(const std::vector<int>& errors, std::deque<Refusal>& to) {
  for (std::size_t i = 0; i < errors.size(); ++i) to.push_back({errors[i], i == 0});
}

int ModelKernel::take(std::deque<Refusal>& refusals, Happening happening) {
  if (refusals.empty()) return 0;
  const Refusal refusal = refusals.front();
  refusals.pop_front();
  if (refusal.is_first) hits_.add(happening);
  return refusal.error;
}

void ModelKernel::be_willing() {
  refusals_.clear();
  read_refusals_.clear();
}

void ModelKernel::lose_table(IpFamily family) {
  dataplane::NftTable& table = tables_[index_of(family)];
  if (!table.exists()) return;
  table = dataplane::NftTable(family);
  tampered_[index_of(family)] = true;
  hits_.add(Happening::KernelTableLost);
  note("FAULT a stranger removes the table of " + std::string(to_text(family)));
}

std::optional<proxy::BackendAddress> ModelKernel::connect(const dataplane::NftPacket& packet,
                                                          const std::string& service,
                                                          SplitMix& dice) {
  dataplane::NftTable& table = tables_[index_of(packet.destination.family())];
  const auto outcomes = dataplane::nft_trace(table, packet);
  if (!outcomes) return std::nullopt;
  double draw = dice.unit();
  for (const dataplane::NftOutcome& outcome : *outcomes) {
    draw -= outcome.probability;
    if (draw >= 0) continue;
    if (outcome.kind != dataplane::NftOutcome::Kind::Deliver) return std::nullopt;
    dataplane::remember(table, outcome);
    const proxy::BackendAddress backend{outcome.address, outcome.port};
    Connection connection{
        .service = service,
        .flow = {.tracked = {.original_destination = {packet.destination, packet.port},
                             .reply_source = backend},
                 .original_source = {packet.source, packet.source_port},
                 .reply_destination = {packet.source, packet.source_port},
                 .id = ++last_flow_},
        .is_udp = packet.protocol == kUdp,
        .began = scheduler_.now()};
    connections_.push_back(std::move(connection));
    if (connections_.size() > kConnectionsMax) connections_.erase(connections_.begin());
    return backend;
  }
  return std::nullopt;
}

}  // namespace proxima::simulation
