// SPDX-License-Identifier: Apache-2.0
// An HTTP client without a network: a function answers. Safe for concurrent use when it is.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace proxima::testing {

class FakeHttpStream final : public net::HttpStream {
 public:
  explicit FakeHttpStream(net::HttpResponse response) : response_(std::move(response)) {}

  int status() const override { return response_.status; }
  const net::HttpHeaders& headers() const override { return response_.headers; }
  // The body in two pieces, so that nobody counts on one.
  Result<std::string_view> read() override {
    const std::size_t size = at_ == 0 ? (response_.body.size() + 1) / 2 : response_.body.size();
    const std::string_view piece = std::string_view(response_.body).substr(at_, size);
    at_ += piece.size();
    return piece;
  }

 private:
  net::HttpResponse response_;
  std::size_t at_ = 0;
};

// What was asked, with which limits, by a client made with which options.
struct FakeExchange {
  net::HttpRequest request;
  net::Deadlines deadlines;
  net::HttpClientOptions client;
};

class FakeNetwork {
 public:
  using Answer = std::function<Result<net::HttpResponse>(const net::HttpRequest&)>;
  explicit FakeNetwork(Answer answer) : answer_(std::move(answer)) {}

  Result<std::unique_ptr<net::HttpClient>> make_client(net::HttpClientOptions options) {
    ++clients_made;
    return std::unique_ptr<net::HttpClient>(std::make_unique<Client>(*this, std::move(options)));
  }

  std::vector<FakeExchange> exchanges;
  int clients_made = 0;

 private:
  class Client final : public net::HttpClient {
   public:
    Client(FakeNetwork& network, net::HttpClientOptions options)
        : network_(network), options_(std::move(options)) {}
    Result<std::unique_ptr<net::HttpStream>> open(const net::HttpRequest& request,
                                                  const net::Deadlines& deadlines,
                                                  const net::Cancellation&) override {
      {
        const std::lock_guard guard(network_.mutex_);
        network_.exchanges.push_back({request, deadlines, options_});
      }
      auto response = network_.answer_(request);
      if (!response) return std::move(response).error();
      return std::unique_ptr<net::HttpStream>(
          std::make_unique<FakeHttpStream>(std::move(response).value()));
    }

   private:
    FakeNetwork& network_;
    net::HttpClientOptions options_;
  };

  std::mutex mutex_;
  Answer answer_;
};

}  // namespace proxima::testing
