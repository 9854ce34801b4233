// SPDX-License-Identifier: Apache-2.0
#include "telemetry/shared_page.h"

#include <atomic>
#include <utility>

#include "net/http_wire.h"
#include "net/inflate.h"
#include "telemetry/plain_response.h"

namespace proxima::telemetry {

// What the worker writes is read when the job is done.
struct SharedPage::Rendering {
  std::atomic<bool> begun = false;
  std::chrono::steady_clock::time_point begun_at;
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const std::string> packed;  // null: too short for that
  std::shared_ptr<PageJob> job;
};

SharedPage::SharedPage(SharedPageOptions options, std::function<std::string()> make,
                       PageWorker& worker)
    : options_(std::move(options)), make_(std::move(make)), worker_(worker) {}

bool SharedPage::is_good_for(PageAge age) const {
  if (!last_) return false;
  if (age == PageAge::Newest) return !last_->begun;
  if (!last_->job->done) return true;
  return last_->text != nullptr && options_.now() - last_->begun_at < options_.every;
}

net::HttpResponse SharedPage::render(const std::weak_ptr<Rendering>& wanted) const {
  const auto rendering = wanted.lock();
  if (!rendering) return {};  // nobody waits for it
  rendering->begun_at = options_.now();
  rendering->begun = true;
  auto text = std::make_shared<const std::string>(make_());
  if (text->size() >= net::kGzipBytesMin)
    rendering->packed = std::make_shared<const std::string>(net::gzip(*text));
  rendering->text = std::move(text);
  return {
      .status = 200,
      .headers = {{"Content-Type", options_.content_type}, {"X-Content-Type-Options", "nosniff"}}};
}

// The job must not hold what holds it.
std::shared_ptr<SharedPage::Rendering> SharedPage::begin() {
  auto rendering = std::make_shared<Rendering>();
  rendering->job = worker_.begin(
      [this, wanted = std::weak_ptr<Rendering>(rendering)] { return render(wanted); });
  return rendering->job ? rendering : nullptr;
}

net::Reply SharedPage::show(const net::HttpRequest& request, PageAge age) {
  net::Reply reply;
  if (!is_good_for(age)) {
    auto begun = begin();
    if (!begun) {
      reply.response = plain_response(503, "too many requests at once\n");
      return reply;
    }
    last_ = std::move(begun);
  }
  const bool packs = net::accepts_gzip(request.headers);
  reply.ready = [rendering = last_] { return rendering->job->done.load(); };
  reply.settle = [rendering = last_, packs](net::Reply& settled) {
    settled.response = rendering->job->response;
    const bool packed = packs && rendering->packed != nullptr;
    settled.shared_body = packed ? rendering->packed : rendering->text;
    if (!packed) return;
    settled.response.headers.add("Content-Encoding", "gzip");
    settled.response.headers.add("Vary", "Accept-Encoding");
  };
  return reply;
}

}  // namespace proxima::telemetry
