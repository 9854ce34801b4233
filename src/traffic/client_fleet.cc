// SPDX-License-Identifier: Apache-2.0
#include "traffic/client_fleet.h"

#include <optional>
#include <thread>
#include <utility>

#include "traffic/demand_plan.h"
#include "traffic/fleet_client.h"

namespace proxima::traffic {

namespace {

class Fleet final : public ClientFleet {
 public:
  Fleet(std::unique_ptr<EventLoop> loop, TrafficMeter& meter, const ClientFleetOptions& options);
  ~Fleet() override;
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  Status add(const ClientSpec& spec, const RunInside& inside) override;
  void remove(const std::string& name) override;
  void set_targets(std::vector<Target> targets) override;
  void set_demand(std::map<std::string, double> shares) override;
  void set_rate(double requests_per_second) override;

 private:
  void deliver(std::uint64_t number, IpFamily family, std::vector<Descriptor> sockets);
  Status add_on_loop(const ClientSpec& spec, const RunInside& inside);
  void give_targets(FleetClient& client) const;
  void plan_rates();

  std::unique_ptr<EventLoop> loop_;
  SocketMaker maker_;
  FleetGround ground_;

  // From here on touched on the loop only.
  std::uint64_t last_number_ = 0;
  std::map<std::string, std::unique_ptr<FleetClient>> clients_;
  std::vector<Target> targets_;
  std::optional<DemandShares> demand_;
  double rate_ = 0;

  std::thread thread_;
};

Fleet::Fleet(std::unique_ptr<EventLoop> loop, TrafficMeter& meter,
             const ClientFleetOptions& options)
    : loop_(std::move(loop)),
      ground_{.loop = *loop_,
              .maker = maker_,
              .meter = meter,
              .options = options,
              .limits = {.connect_timeout = options.connect_timeout,
                         .answer_timeout = options.answer_timeout,
                         .budget = options.budget},
              .deliver =
                  [this](std::uint64_t number, IpFamily family, std::vector<Descriptor> sockets) {
                    deliver(number, family, std::move(sockets));
                  }},
      thread_([this] { loop_->run(); }) {}

Fleet::~Fleet() {
  loop_->call([this] { clients_.clear(); });
  maker_.end();  // a delivery that is under way needs what goes away next
  loop_->end();
  thread_.join();
}

Status Fleet::add(const ClientSpec& spec, const RunInside& inside) {
  // Shows now whether the client can have sockets at all.
  const MadeSockets probe = make_sockets_inside(inside, IpFamily::V4, 1);
  if (probe.sockets.empty()) {
    return Error{ErrorCode::Retry, "client " + spec.name + ": " + probe.reason};
  }
  std::optional<Status> status;
  loop_->call([&] { status = add_on_loop(spec, inside); });
  return *std::move(status);
}

Status Fleet::add_on_loop(const ClientSpec& spec, const RunInside& inside) {
  auto& client = clients_[spec.name];
  if (client) return Error{ErrorCode::Conflict, "client " + spec.name + " exists"};
  client = std::make_unique<FleetClient>(ground_, ++last_number_, spec, inside);
  give_targets(*client);
  plan_rates();
  return Unit{};
}

void Fleet::remove(const std::string& name) {
  std::uint64_t number = 0;
  loop_->call([&] {
    const auto found = clients_.find(name);
    if (found == clients_.end()) return;
    number = found->second->number();
    clients_.erase(found);
    plan_rates();
  });
  if (number == 0) return;
  maker_.forget(number);
  loop_->call([] {});  // sockets that were on their way are closed by then
}

void Fleet::deliver(std::uint64_t number, IpFamily family, std::vector<Descriptor> sockets) {
  const auto shared = std::make_shared<std::vector<Descriptor>>(std::move(sockets));
  loop_->post([this, number, family, shared] {
    for (const auto& [name, client] : clients_) {
      if (client->number() == number) return client->take_delivery(family, std::move(*shared));
    }
    shared->clear();
  });
}

void Fleet::set_targets(std::vector<Target> targets) {
  loop_->call([&] {
    if (targets == targets_) return;
    targets_ = std::move(targets);
    for (const auto& [name, client] : clients_) give_targets(*client);
  });
}

void Fleet::give_targets(FleetClient& client) const {
  Targets shared;
  for (const Target& target : targets_) shared.push_back(std::make_shared<const Target>(target));
  client.set_targets(std::move(shared));
}

void Fleet::set_demand(std::map<std::string, double> shares) {
  loop_->call([&] {
    demand_ = std::move(shares);
    plan_rates();
  });
}

void Fleet::set_rate(double requests_per_second) {
  loop_->call([&] {
    rate_ = requests_per_second;
    plan_rates();
  });
}

void Fleet::plan_rates() {
  std::vector<std::string> zones;
  for (const auto& [name, client] : clients_) zones.push_back(client->spec().zone);
  const std::vector<double> rates = plan_client_rates(zones, demand_, rate_);
  auto rate = rates.begin();
  for (const auto& [name, client] : clients_) client->set_rate(*rate++);
}

}  // namespace

Result<std::unique_ptr<ClientFleet>> ClientFleet::create(TrafficMeter& meter,
                                                         ClientFleetOptions options) {
  PROXIMA_TRY(auto loop, EventLoop::create(), "clients");
  return std::unique_ptr<ClientFleet>(std::make_unique<Fleet>(std::move(loop), meter, options));
}

}  // namespace proxima::traffic
