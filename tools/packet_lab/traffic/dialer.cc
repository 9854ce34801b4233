// SPDX-License-Identifier: Apache-2.0
#include "packet_lab/traffic/dialer.h"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>

#include "packet_lab/traffic/peer_address.h"

namespace proxima::traffic {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

volatile std::sig_atomic_t told_to_end = 0;

struct Connection {
  std::size_t job;
  int descriptor;
  enum class Step { Connecting, Answer, Pause, Bulk, Goodbye } step = Step::Connecting;
  Clock::time_point begun;
  Clock::time_point deadline;  // of the step; the end of a pause; when to send again
  Clock::time_point give_up;   // the deadline of the step, however often it was sent
  std::string answer = {};     // the first one
  std::uint64_t exchanges_left = 0;
  std::uint64_t bytes_left = 0;
};

struct Progress {
  std::uint64_t begun = 0;
  std::uint64_t open = 0;
  Clock::time_point next;
};

class Dialer {
 public:
  explicit Dialer(const std::vector<DialJob>& jobs)
      : jobs_(jobs),
        results_(jobs.size()),
        progress_(jobs.size()),
        poll_(epoll_create1(EPOLL_CLOEXEC)) {
    for (Progress& progress : progress_) progress.next = Clock::now();
  }
  ~Dialer() { close(poll_); }
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  std::vector<DialResult> run() {
    const auto begun = Clock::now();
    while (begin_what_is_due() || !open_.empty()) {
      wait();
      expire();
    }
    const auto took = std::chrono::duration_cast<microseconds>(Clock::now() - begun).count();
    for (DialResult& result : results_) result.took_us = static_cast<std::uint64_t>(took);
    return std::move(results_);
  }

 private:
  // Whether anything is left to begin, now or later.
  bool begin_what_is_due() {
    bool left = false;
    next_begin_ = Clock::time_point::max();
    for (std::size_t job = 0; job < jobs_.size(); ++job) left |= begin_job(job);
    return left && told_to_end == 0;
  }

  bool begin_job(std::size_t job) {
    const DialJob& wanted = jobs_[job];
    Progress& progress = progress_[job];
    while (told_to_end == 0 && progress.begun < wanted.count && progress.open < wanted.window) {
      if (wanted.rate > 0) {
        if (progress.next > Clock::now()) {
          next_begin_ = std::min(next_begin_, progress.next);
          break;
        }
        progress.next += std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(1 / wanted.rate));
      }
      ++progress.begun;
      begin(job);
    }
    return progress.begun < wanted.count;
  }

  void begin(std::size_t job) {
    const DialJob& wanted = jobs_[job];
    const auto address = address_of(wanted.to, wanted.port);
    const int type = wanted.udp ? SOCK_DGRAM : SOCK_STREAM;
    const int made = socket(AF_INET6, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int one = 1;
    if (!wanted.udp) setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const auto now = Clock::now();
    if (!address ||
        (connect(made, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 &&
         errno != EINPROGRESS)) {
      ++results_[job].failed[address ? kind_of_error(errno) : "no-address"];
      close(made);
      return;
    }
    ++progress_[job].open;
    Connection connection{.job = job,
                          .descriptor = made,
                          .begun = now,
                          .deadline = now + milliseconds(wanted.timeout_ms),
                          .exchanges_left = wanted.exchanges};
    watch(made, EPOLL_CTL_ADD, wanted.udp ? EPOLLIN : EPOLLOUT);
    deadlines_.emplace(connection.deadline, made);
    Connection& added = open_.emplace(made, std::move(connection)).first->second;
    if (wanted.udp) ask(added);
  }

  void watch(int descriptor, int operation, std::uint32_t events) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = descriptor;
    epoll_ctl(poll_, operation, descriptor, &event);
  }

  void wait() {
    auto until = next_begin_;
    if (!deadlines_.empty()) until = std::min(until, deadlines_.begin()->first);
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    const int patience = static_cast<int>(std::clamp<std::int64_t>(left, 0, 100));
    std::array<epoll_event, 256> events{};
    const int ready = epoll_wait(poll_, events.data(), static_cast<int>(events.size()), patience);
    for (int i = 0; i < ready; ++i) handle(open_.at(events[static_cast<std::size_t>(i)].data.fd));
  }

  void handle(Connection& connection) {
    if (connection.step == Connection::Step::Connecting) return connected(connection);
    static std::array<char, 1 << 18> bytes;  // too large for a stack, and there is one thread
    const ssize_t got = recv(connection.descriptor, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) return fail(connection, kind_of_error(errno));
    if (got == 0 && connection.step == Connection::Step::Goodbye) return finish(connection);
    if (got == 0) return fail(connection, "closed");
    if (connection.step == Connection::Step::Bulk)
      return received(connection, static_cast<std::uint64_t>(got));
    answered(connection, std::string_view(bytes.data(), static_cast<std::size_t>(got)));
  }

  void connected(Connection& connection) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(connection.descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return fail(connection, kind_of_error(error));
    connection.step = Connection::Step::Answer;
    watch(connection.descriptor, EPOLL_CTL_MOD, EPOLLIN);
  }

  void answered(Connection& connection, std::string_view text) {
    DialResult& result = results_[connection.job];
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (connection.answer.empty()) {
      connection.answer = text;
      const auto took = std::chrono::duration_cast<microseconds>(Clock::now() - connection.begun);
      result.answer_us.push_back(static_cast<std::uint32_t>(took.count()));
    } else if (connection.answer != text) {
      return fail(connection, "another-backend");
    } else {
      ++result.exchanges;
    }
    if (jobs_[connection.job].give > 0) return ask_for_bytes(connection);
    if (connection.exchanges_left == 0) return say_goodbye(connection);
    --connection.exchanges_left;
    if (jobs_[connection.job].gap_ms == 0) return ask(connection);
    set_deadline(connection, Connection::Step::Pause, jobs_[connection.job].gap_ms);
  }

  void ask(Connection& connection) {
    connection.give_up = Clock::now() + milliseconds(jobs_[connection.job].timeout_ms);
    ask_again(connection);
  }

  void ask_again(Connection& connection) {
    const DialJob& job = jobs_[connection.job];
    const auto left = std::chrono::ceil<milliseconds>(connection.give_up - Clock::now()).count();
    const bool resends = job.udp && job.resend_ms > 0 && job.resend_ms < left;
    set_deadline(connection, Connection::Step::Answer,
                 resends ? job.resend_ms : static_cast<int>(left));
    // A first send that fails counts by the error that the socket reports, or as a timeout.
    if (send(connection.descriptor, "hi\n", 3, MSG_NOSIGNAL) < 0 && !connection.answer.empty())
      fail(connection, kind_of_error(errno));
  }

  void ask_for_bytes(Connection& connection) {
    connection.bytes_left = jobs_[connection.job].give;
    set_deadline(connection, Connection::Step::Bulk, jobs_[connection.job].timeout_ms);
    const std::string line = "give " + std::to_string(connection.bytes_left) + "\n";
    if (send(connection.descriptor, line.data(), line.size(), MSG_NOSIGNAL) < 0)
      fail(connection, kind_of_error(errno));
  }

  void received(Connection& connection, std::uint64_t bytes) {
    results_[connection.job].bytes += bytes;
    connection.bytes_left -= std::min(bytes, connection.bytes_left);
    if (connection.bytes_left == 0) say_goodbye(connection);
  }

  void say_goodbye(Connection& connection) {
    if (jobs_[connection.job].udp) return finish(connection);
    set_deadline(connection, Connection::Step::Goodbye, jobs_[connection.job].timeout_ms);
    if (send(connection.descriptor, "bye\n", 4, MSG_NOSIGNAL) < 0)
      fail(connection, kind_of_error(errno));
  }

  void set_deadline(Connection& connection, Connection::Step step, int after_ms) {
    deadlines_.erase({connection.deadline, connection.descriptor});
    connection.step = step;
    connection.deadline = Clock::now() + milliseconds(after_ms);
    deadlines_.emplace(connection.deadline, connection.descriptor);
  }

  void expire() {
    while (!deadlines_.empty() && deadlines_.begin()->first <= Clock::now()) {
      Connection& connection = open_.at(deadlines_.begin()->second);
      if (connection.step == Connection::Step::Pause)
        ask(connection);
      else if (connection.step == Connection::Step::Answer && connection.give_up > Clock::now())
        ask_again(connection);
      else
        fail(connection,
             connection.step == Connection::Step::Connecting || connection.answer.empty()
                 ? "timeout"
                 : "stalled");
    }
  }

  void finish(Connection& connection) {
    ++results_[connection.job].seen[connection.answer];
    forget(connection);
  }

  void fail(Connection& connection, const std::string& kind) {
    ++results_[connection.job].failed[kind];
    forget(connection);
  }

  void forget(Connection& connection) {
    --progress_[connection.job].open;
    deadlines_.erase({connection.deadline, connection.descriptor});
    close(connection.descriptor);
    open_.erase(connection.descriptor);
  }

  const std::vector<DialJob>& jobs_;
  std::vector<DialResult> results_;
  std::vector<Progress> progress_;
  int poll_;
  Clock::time_point next_begin_;
  std::unordered_map<int, Connection> open_;
  std::set<std::pair<Clock::time_point, int>> deadlines_;
};

void note_signal(int) { told_to_end = 1; }

}  // namespace

std::vector<DialResult> dial(const std::vector<DialJob>& jobs) {
  std::signal(SIGTERM, note_signal);
  std::signal(SIGINT, note_signal);
  return Dialer(jobs).run();
}

}  // namespace proxima::traffic
