// SPDX-License-Identifier: Apache-2.0
// An API server for Pods over plain TCP that misbehaves as long as its patience lasts, and is
// perfect afterwards. What it does to a request follows from the seed and the number of the
// request. While it misbehaves it also changes what it stores, in the middle of lists and watches.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/split_mix.h"
#include "support/raw_socket.h"
#include "system/client_faults/cluster_history.h"

namespace proxima::faults {

class FaultyServer {
 public:
  explicit FaultyServer(std::uint64_t seed);
  ~FaultyServer();
  FaultyServer(const FaultyServer&) = delete;
  FaultyServer& operator=(const FaultyServer&) = delete;

  std::uint16_t port() const { return listener_.port(); }
  // Whether it has become perfect, and changes nothing any more.
  bool is_calm() const { return calm_.load(); }
  // False: it did not in that time.
  bool wait_until_calm(std::chrono::seconds patience);
  Pods pods() const;
  std::vector<HistoryEvent> events() const;
  // How often it did what, for those who want to know that everything was tried.
  std::map<std::string, int> deeds() const;

 private:
  using Query = std::map<std::string, std::string>;
  // One request being answered: its own random numbers, its own socket.
  struct Call;

  void accept_all();
  void serve(const support::RawSocket& socket);
  // False: the connection is of no use any more.
  bool answer(Call& call);
  bool answer_badly(Call& call);
  bool refuse(Call& call, int status, const std::string& message);
  bool list(Call& call);
  std::string list_body(Call& call);
  bool send_list(Call& call, std::string body);
  bool watch(Call& call);
  bool stream(Call& call, Version from);
  bool play_batch(Call& call, Version& sent);
  bool misplay(Call& call, Version sent, std::string& text);
  bool send_chunk(Call& call, const std::string& text);
  bool hang(Call& call);
  void live(Call& call);
  bool wants_fault(Call& call, std::uint64_t one_in);
  bool deed(const std::string& name);

  std::uint64_t seed_;
  support::RawListener listener_;
  mutable std::mutex mutex_;  // all of the following
  ClusterHistory history_;
  std::uint64_t requests_ = 0;
  std::uint64_t patience_;   // requests that may go wrong
  std::uint64_t mutations_;  // still to come
  std::map<std::string, int> deeds_;
  std::list<std::thread> threads_;
  std::condition_variable changed_;  // calm_
  std::atomic<bool> calm_{false};
  std::atomic<bool> stop_{false};
  std::thread acceptor_;
};

}  // namespace proxima::faults
