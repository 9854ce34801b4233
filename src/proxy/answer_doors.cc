// SPDX-License-Identifier: Apache-2.0
#include "proxy/answer_doors.h"

#include <future>

namespace proxima::proxy {

AnswerDoors::~AnswerDoors() {
  if (!thread_.joinable()) return;
  doors_->end();
  thread_.join();
}

// Without grace: whoever connects and says nothing must not hold up what comes next.
AnswerDoors::Door::~Door() {
  if (doors_ == nullptr) return;
  std::promise<void> closed;
  doors_->close(id_, {}, [&closed] { closed.set_value(); });
  closed.get_future().wait();
}

Status AnswerDoors::start() {
  PROXIMA_TRY(doors_, net::HttpDoors::create(kHealthListener), "health checks");
  thread_ = std::thread([this] { doors_->run(); });
  return Unit{};
}

Result<AnswerDoors::Door> AnswerDoors::open(const AnswerAddress& at, AnswerHandler::Answer answer) {
  if (!doors_) {
    Status started = start();
    if (!started) return std::move(started).error();
  }
  const auto families = at.v6_only ? net::WildcardFamilies::Ipv6Only : net::WildcardFamilies::Both;
  auto socket = net::ListeningSocket::open(at.address, at.port, families);
  if (!socket) return std::move(socket).error();
  auto id = doors_->open(std::move(*socket), std::make_unique<AnswerHandler>(std::move(answer)));
  if (!id) return std::move(id).error();
  return Door(*doors_, *id);
}

}  // namespace proxima::proxy
