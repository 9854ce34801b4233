// SPDX-License-Identifier: Apache-2.0
// The whole API server without its sockets: any method, target, media types and body. The first
// line is "METHOD target", the second the Content-Type, the third the Accept header, the rest the
// body.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "apiserver/api_handler.h"
#include "apiserver/first_objects.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/namespace_cleaner.h"
#include "base/check.h"
#include "base/clock.h"

namespace {

using namespace proxima;
using namespace proxima::apiserver;

constexpr int kInputsAServer = 2000;  // then a new one: what came before must not pile up
constexpr std::size_t kMostPulls = 1000;

struct World {
  SystemClock clock;
  std::unique_ptr<Store> store =
      std::move(Store::open({.path = ":memory:", .history = 50})).value();
  std::unique_ptr<ServiceAllocator> allocator = std::move(ServiceAllocator::create({})).value();
  ObjectRegistry registry{*store, *allocator, clock, 1};
  GarbageCollector collector{registry, [] {}};
  NamespaceCleaner cleaner{registry, [] {}};
  ApiHandler handler{*store, registry, clock, {{"token", "reader"}, "host:1"}};

  World() {
    PROXIMA_CHECK(make_first_objects(registry, {{"10.96.0.0/16"}, "127.0.0.1", 1}, clock));
  }
};

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

net::HttpRequest request_of(std::string_view text) {
  net::HttpRequest request;
  std::string_view first = take_line(text);
  const std::size_t blank = std::min(first.find(' '), first.size());
  request.method = first.substr(0, blank);
  request.target = first.substr(std::min(first.size(), blank + 1));
  request.headers.add("Authorization", "Bearer token");
  request.headers.add("Content-Type", std::string(take_line(text)));
  request.headers.add("Accept", std::string(take_line(text)));
  request.body = text;
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<World> world;
  static int inputs = 0;
  if (!world || ++inputs % kInputsAServer == 0) world = std::make_unique<World>();
  const net::HttpRequest request = request_of({reinterpret_cast<const char*>(data), size});
  net::Reply reply = world->handler.handle(request);
  PROXIMA_CHECK(reply.response.status >= 200 && reply.response.status < 600);
  std::string body;
  for (std::size_t i = 0; reply.stream && i < kMostPulls; ++i)
    if (reply.stream->pull(body, 4096) != net::Pull::More) break;
  while (world->collector.step(64) || world->cleaner.step(64)) {
  }
  return 0;
}
