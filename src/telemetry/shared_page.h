// SPDX-License-Identifier: Apache-2.0
// A page that is for everybody and takes its time: made on the thread of a PageWorker, at most once
// in a while for those who are content with a recent one, and kept once in memory for all who read
// it, however slowly. For the loop's thread of a server.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "net/http_server.h"
#include "telemetry/page_worker.h"

namespace proxima::telemetry {

// Of what is shown.
enum class PageAge {
  Recent,  // it may have been begun before it was asked for
  Newest,  // it may not
};

struct SharedPageOptions {
  std::string content_type;
  std::chrono::nanoseconds every = std::chrono::seconds(1);  // Recent: at most this old
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

class SharedPage {
 public:
  // `make` is called on the worker's thread, one call at a time when the worker has one thread. The
  // worker must outlive the page and its replies.
  SharedPage(SharedPageOptions options, std::function<std::string()> make, PageWorker& worker);

  // At most one is being made and one more waits: readers join them.
  net::Reply show(const net::HttpRequest& request, PageAge age);

 private:
  struct Rendering;
  bool is_good_for(PageAge age) const;
  std::shared_ptr<Rendering> begin();
  net::HttpResponse render(const std::weak_ptr<Rendering>& wanted) const;

  SharedPageOptions options_;
  std::function<std::string()> make_;
  PageWorker& worker_;
  std::shared_ptr<Rendering> last_;  // null: nobody has asked
};

}  // namespace proxima::telemetry
