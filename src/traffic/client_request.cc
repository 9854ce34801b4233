// SPDX-License-Identifier: Apache-2.0
#include "traffic/client_request.h"

#include <algorithm>
#include <utility>

#include "traffic/backend_answer.h"

namespace proxima::traffic {

namespace {

constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kPauseMax{250};
constexpr unsigned kDoublingsMax = 8;

using SteadyClock = std::chrono::steady_clock;

// The flow as the answer tells it; nullopt: it names no Pod.
std::optional<Flow> flow_of(const net::HttpHead& head, const Target& target) {
  const auto text = [&](std::string_view name) {
    return std::string(head.headers.find(name).value_or(""));
  };
  Flow flow{.service = target.service,
            .to_zone = text(kZoneHeader),
            .to_node = text(kNodeHeader),
            .pod = text(kPodHeader)};
  if (head.status != 200 || flow.pod.empty()) return std::nullopt;
  return flow;
}

}  // namespace

std::chrono::milliseconds pause_between_tries(unsigned tried) {
  return std::min(kFirstPause * (1U << std::min(tried - 1, kDoublingsMax)), kPauseMax);
}

ClientRequest::ClientRequest(EventLoop& loop, RequestHost& host, const Limits& limits,
                             std::shared_ptr<const Target> target, Time due)
    : loop_(loop),
      host_(host),
      limits_(limits),
      target_(std::move(target)),
      due_(due),
      end_(SteadyClock::now() + limits.budget) {}

ClientRequest::~ClientRequest() { wait_for_nothing(); }

void ClientRequest::begin() { next_try(); }

void ClientRequest::next_try() {
  ++tries_;
  try_began_ = SteadyClock::now();
  wants_socket_ = true;
  wait_until(end_);
  host_.want_socket(*this);
}

void ClientRequest::give_socket(Descriptor socket) {
  if (!std::exchange(wants_socket_, false)) return;
  if (!socket.is_open()) return try_again();
  try_began_ = SteadyClock::now();
  try_.emplace(std::move(socket), *target_);
  if (!loop_.watch(try_->socket(), *this)) return try_again();
  wait_until(try_began_ + limits_.connect_timeout);
  const HttpTry::Progress progress = try_->begin(*target_);
  if (try_->is_connected()) wait_until(try_began_ + limits_.answer_timeout);
  follow(progress);
}

void ClientRequest::on_socket() {
  if (!try_) return;
  const bool was_connected = try_->is_connected();
  const HttpTry::Progress progress = try_->go_on();
  if (!was_connected && try_->is_connected() && progress == HttpTry::Progress::Going) {
    wait_until(SteadyClock::now() + limits_.answer_timeout);
  }
  follow(progress);
}

void ClientRequest::follow(HttpTry::Progress progress) {
  switch (progress) {
    case HttpTry::Progress::Going:
      return;
    case HttpTry::Progress::Answered:
      return on_answer();
    case HttpTry::Progress::Broken:
      return try_again();
    case HttpTry::Progress::Wrong:
      return finish({.service = target_->service}, true);
  }
}

void ClientRequest::on_answer() {
  const auto flow = flow_of(try_->head(), *target_);
  if (flow) return finish(*flow, false);
  finish({.service = target_->service}, true);
}

void ClientRequest::on_deadline() {
  deadline_.reset();
  if (SteadyClock::now() >= end_) return finish({.service = target_->service}, true);
  if (try_) return try_again();
  next_try();
}

void ClientRequest::try_again() {
  if (try_) bytes_ += try_->bytes_read();
  try_.reset();
  const Time next = std::max(try_began_ + pause_between_tries(tries_), SteadyClock::now());
  if (next >= end_) return finish({.service = target_->service}, true);
  wait_until(next);
}

// The host keeps the request for a while, so nothing may ring for it any more.
void ClientRequest::finish(const Flow& flow, bool failed) {
  wait_for_nothing();
  wants_socket_ = false;
  if (try_) bytes_ += try_->bytes_read();
  try_.reset();
  const Outcome outcome{
      .failed = failed,
      .retried = tries_ > 1,
      .bytes = bytes_,
      .latency = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - due_)};
  host_.finished(*this, flow, outcome);
}

void ClientRequest::wait_for_nothing() {
  if (deadline_) loop_.drop_deadline(*deadline_);
  deadline_.reset();
}

void ClientRequest::wait_until(Time when) {
  wait_for_nothing();
  deadline_ = loop_.set_deadline(std::min(when, end_), *this);
}

}  // namespace proxima::traffic
