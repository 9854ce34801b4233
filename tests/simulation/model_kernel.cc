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
    Status applied = kernel_.apply(transaction);
    kernel_.take_time(process_);
    return applied;
  }
  Result<std::optional<dataplane::NftTableContent>> read(IpFamily, std::string_view) override {
    kernel_.take_time(process_);
    if (process_.is_dead()) return gone();
    if (!kernel_.read_refusals_.empty()) {
      const int error = kernel_.read_refusals_.front();
      kernel_.read_refusals_.pop_front();
      ++kernel_.faults_hit_;
      kernel_.note("FAULT refuses to be read: " + std::to_string(error));
      return dataplane::kernel_error(error);
    }
    if (!kernel_.table_.exists()) return std::optional<dataplane::NftTableContent>();
    return std::optional(kernel_.table_.content());
  }

 private:
  ModelKernel& kernel_;
  Process& process_;
};

class ModelKernel::Flows final : public proxy::FlowTable {
 public:
  Flows(ModelKernel& kernel, Process& process) : kernel_(kernel), process_(process) {}

  Result<std::vector<proxy::UdpFlow>> udp_flows(IpFamily) override {
    if (process_.is_dead()) return gone();
    std::vector<proxy::UdpFlow> flows;
    for (const Connection& known : kernel_.connections_)
      if (known.is_udp) flows.push_back(known.flow);
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

Status ModelKernel::apply(const dataplane::NftTransaction& transaction) {
  ++transactions_;
  if (refusals_.empty()) {
    Status applied = table_.apply(transaction);
    note(applied ? "takes " + std::to_string(transaction.operations.size()) + " operations"
                 : "refuses: " + applied.error().message);
    return applied;
  }
  const int error = refusals_.front();
  refusals_.pop_front();
  ++faults_hit_;
  // The answer of a transaction that was done can be what there was no buffer for.
  const bool is_done =
      error == ENOBUFS && random_.below(2) == 0 && table_.apply(transaction).has_value();
  note("FAULT refuses with " + std::to_string(error) + (is_done ? ", after it was done" : ""));
  return dataplane::kernel_error(error);
}

void ModelKernel::be_willing() {
  refusals_.clear();
  read_refusals_.clear();
}

void ModelKernel::lose_table() {
  if (!table_.exists()) return;
  table_ = dataplane::NftTable(IpFamily::V4);
  ++faults_hit_;
  note("FAULT a stranger removes the table");
}

std::optional<proxy::BackendAddress> ModelKernel::connect(const dataplane::NftPacket& packet,
                                                          const std::string& service,
                                                          SplitMix& dice) {
  const auto outcomes = dataplane::nft_trace(table_, packet);
  if (!outcomes) return std::nullopt;
  double draw = dice.unit();
  for (const dataplane::NftOutcome& outcome : *outcomes) {
    draw -= outcome.probability;
    if (draw >= 0) continue;
    if (outcome.kind != dataplane::NftOutcome::Kind::Deliver) return std::nullopt;
    dataplane::remember(table_, outcome);
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
