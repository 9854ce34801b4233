// SPDX-License-Identifier: Apache-2.0
#include "traffic/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <future>

namespace proxima::traffic {

namespace {

constexpr int kEventsAtOnce = 64;

// Throws away how often it was signalled; readiness is all that counts.
void drain(const Descriptor& counter) {
  std::uint64_t count = 0;
  (void)!read(counter.number(), &count, sizeof count);
}

bool add(const Descriptor& epoll, const Descriptor& watched, epoll_event event) {
  return epoll_ctl(epoll.number(), EPOLL_CTL_ADD, watched.number(), &event) == 0;
}

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::create() {
  std::unique_ptr<EventLoop> loop(new EventLoop);
  loop->epoll_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  loop->timer_ = Descriptor(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  loop->wake_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const bool made = loop->epoll_.is_open() && loop->timer_.is_open() && loop->wake_.is_open();
  if (!made || !add(loop->epoll_, loop->timer_, {EPOLLIN, {.ptr = &loop->timer_}}) ||
      !add(loop->epoll_, loop->wake_, {EPOLLIN, {.ptr = &loop->wake_}})) {
    return Error{ErrorCode::Retry, std::string("start the loop: ") + std::strerror(errno)};
  }
  return loop;
}

void EventLoop::run() {
  std::array<epoll_event, kEventsAtOnce> events{};
  while (!ended_) {
    arm();
    const int count = epoll_wait(epoll_.number(), events.data(), kEventsAtOnce, -1);
    bool woken = false;
    for (int i = 0; i < count; ++i) {
      void* const from = events[static_cast<std::size_t>(i)].data.ptr;
      if (from == &wake_) {
        woken = true;
      } else if (from == &timer_) {
        drain(timer_);
        armed_ = Time::max();
      } else {
        static_cast<Listener*>(from)->on_socket();
      }
    }
    // After the sockets: both may end listeners that the events above still name.
    ring_deadlines();
    if (woken) run_tasks();
  }
}

void EventLoop::arm() {
  const Time first = deadlines_.empty() ? Time::max() : deadlines_.begin()->first;
  if (first >= armed_) return;  // it rings early then, and finds nothing to do
  armed_ = first;
  // A moment that is gone still rings; zero would switch the timer off.
  const auto since = std::max(first.time_since_epoch(), Time::duration(1));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  itimerspec when{};
  when.it_value.tv_sec = seconds.count();
  when.it_value.tv_nsec = std::chrono::nanoseconds(since - seconds).count();
  (void)timerfd_settime(timer_.number(), TFD_TIMER_ABSTIME, &when, nullptr);
}

void EventLoop::ring_deadlines() {
  const Time now = std::chrono::steady_clock::now();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    Listener* const listener = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    listener->on_deadline();
  }
}

void EventLoop::run_tasks() {
  drain(wake_);
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard guard(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

void EventLoop::end() {
  post([this] { ended_ = true; });
}

void EventLoop::post(std::function<void()> task) {
  {
    const std::lock_guard guard(mutex_);
    tasks_.push_back(std::move(task));
  }
  const std::uint64_t one = 1;
  (void)!write(wake_.number(), &one, sizeof one);
}

void EventLoop::call(const std::function<void()>& task) {
  const auto done = std::make_shared<std::promise<void>>();
  post([&task, done] {
    task();
    done->set_value();
  });
  done->get_future().wait();
}

bool EventLoop::watch(const Descriptor& socket, Listener& listener) {
  return add(epoll_, socket, {EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = &listener}});
}

EventLoop::Deadlines::iterator EventLoop::set_deadline(Time when, Listener& listener) {
  return deadlines_.emplace(when, &listener);
}

}  // namespace proxima::traffic
