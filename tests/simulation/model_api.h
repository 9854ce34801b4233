// SPDX-License-Identifier: Apache-2.0
// The API server as a model: answers requests as Kubernetes does, by its rules for versions,
// preconditions, selectors and watches, and knows nothing of networks or faults.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/split_mix.h"
#include "net/http_message.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

// A request as it is understood.
struct ApiCall {
  std::string method;
  std::string kind;  // plural
  std::string ns;
  std::string name;         // "": all of the kind
  std::string subresource;  // "status"
  std::map<std::string, std::string> query;
  std::string body;
  std::string client;                // the process
  bool is_repeated = false;          // by the network: its sender knows nothing of it
  std::chrono::nanoseconds sent{0};  // since the beginning of the simulation

  bool is_watch() const { return query.contains("watch"); }
  bool is_list() const { return method == "GET" && name.empty() && !is_watch(); }
  bool is_write() const { return method != "GET"; }
  // "PUT endpointslices shop/web-1"
  std::string text() const;
};
ApiCall read_call(const net::HttpRequest& request, std::string client);

// A write that was done, for whoever checks who may write what.
struct AcceptedWrite {
  const ApiCall& call;
  std::string key;
  bool changed = false;  // false: the object was like that already
};

class ModelApi {
 public:
  using WallSeconds = std::function<std::int64_t()>;
  ModelApi(ModelStore& store, std::uint64_t seed, WallSeconds now)
      : store_(store), random_(seed), now_(std::move(now)) {}

  void on_write(std::function<void(const AcceptedWrite&)> listener) {
    on_write_ = std::move(listener);
  }
  // The next list is so many versions behind, when it may be old.
  void serve_stale(std::uint64_t versions) { stale_by_ = versions; }

  // Everything but watches.
  net::HttpResponse answer(const ApiCall& call);
  // The version of the last list.
  std::uint64_t listed_version() const { return listed_; }

  // One change as a watch with these selectors shows it; nothing when it does not concern it.
  static std::optional<std::string> watch_line(const ApiCall& watch, const StoreChange& change);
  static net::HttpResponse failure(int status, std::string_view reason, std::string_view message);

 private:
  net::HttpResponse list(const ApiCall& call);
  net::HttpResponse create(const ApiCall& call);
  net::HttpResponse update(const ApiCall& call);
  net::HttpResponse patch(const ApiCall& call);
  net::HttpResponse remove(const ApiCall& call);
  net::HttpResponse wrote(const ApiCall& call, json::object object, int status);

  ModelStore& store_;
  SplitMix random_;
  WallSeconds now_;
  std::uint64_t stale_by_ = 0;
  std::uint64_t listed_ = 0;
  std::function<void(const AcceptedWrite&)> on_write_;
};

}  // namespace proxima::simulation
