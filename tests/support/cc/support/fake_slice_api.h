// SPDX-License-Identifier: Apache-2.0
// An API server for tests, as far as the controller writes to one: it keeps EndpointSlices as a
// real one does (names, uids, generations, versions, conflicts), takes patches of Services and
// Events, notes every write in a line, fails when it is told to, and shows its slices to a cache
// when the test says so.
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kube/api.h"
#include "kube/cache.h"
#include "kube/record_reader.h"
#include "wire/padded_text.h"

namespace proxima::testing {

namespace json = boost::json;

class FakeSliceApi final : public kube::KubeApi {
 public:
  FakeSliceApi() = default;  // nobody sees its slices by deliver()
  explicit FakeSliceApi(kube::Cache<kube::EndpointSliceRecord>& cache) : cache_(&cache) {}

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    const std::lock_guard guard(mutex_);
    if (request.path.find("/events") != std::string::npos) return take_event(request);
    if (!failures.empty() && request.method == failures.front().first) {
      kube::ApiResponse answer = failures.front().second;
      failures.pop_front();
      return answer;
    }
    if (request.method == "PATCH") {
      patches.push_back(request.path + " " + request.body);
      return kube::ApiResponse{200, {}, "{}"};
    }
    return write(request);
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "no lists here"};
  }

  // The cache learns what has happened, as from a watch.
  void deliver() {
    for (const News& news : take_news()) {
      const auto record = decode(news.object);
      if (news.gone) {
        cache_->erase(record->key());
      } else {
        cache_->put(record);
      }
    }
  }
  struct News {
    std::string object;
    bool gone = false;
  };
  std::vector<News> take_news() {
    const std::lock_guard guard(mutex_);
    return std::exchange(news_, {});
  }
  // As somebody else does it; the cache learns it with the next deliver().
  void put(json::object slice) {
    const std::lock_guard guard(mutex_);
    store(std::move(slice));
  }
  void erase(const std::string& key) {
    const std::lock_guard guard(mutex_);
    remove(slices.find(key));
  }
  // "create POST…" lines since the last call.
  std::string take_writes() {
    const std::lock_guard guard(mutex_);
    std::string text;
    for (const std::string& line : writes_) text += (text.empty() ? "" : "; ") + line;
    writes_.clear();
    return text;
  }

  std::map<std::string, json::object> slices;  // by "shop/web-1"
  std::vector<std::string> patches;
  std::vector<std::string> events;  // "Warning FailedToUpdateEndpointSlices: …"
  // Given instead of an answer to the next request with that method.
  std::deque<std::pair<std::string, kube::ApiResponse>> failures;

 private:
  static std::string text_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
  }
  static Ref<const kube::EndpointSliceRecord> decode(const std::string& text) {
    const wire::PaddedText padded(text);
    kube::RecordReader<kube::EndpointSliceRecord> reader("EndpointSlice", {});
    return reader.object(padded.text()).record;
  }
  static kube::ApiResponse failure(int code, std::string_view reason) {
    return {
        code,
        {},
        json::serialize(json::object{{"kind", "Status"},
                                     {"reason", reason},
                                     {"message", std::string("it is ") + std::string(reason)}})};
  }
  // "web-1 10.0.0.1 10.0.0.2"
  static std::string line(std::string_view verb, const json::object& slice) {
    std::string text = std::string(verb) + " " + text_at(slice.at("metadata").as_object(), "name");
    const auto* endpoints = slice.if_contains("endpoints");
    if (endpoints == nullptr || !endpoints->is_array()) return text;
    for (const auto& endpoint : endpoints->get_array())
      text += " " + std::string(endpoint.at("addresses").as_array().at(0).as_string());
    return text;
  }

  kube::ApiResponse take_event(const kube::ApiRequest& request) {
    const json::object event = json::parse(request.body).as_object();
    if (request.method == "POST")
      events.push_back(text_at(event, "type") + " " + text_at(event, "reason") + ": " +
                       text_at(event, "message"));
    return {200, {}, request.body};
  }
  kube::ApiResponse write(const kube::ApiRequest& request) {
    if (request.method == "DELETE") return remove(request);
    json::object slice = json::parse(request.body).as_object();
    json::object& meta = slice["metadata"].as_object();
    if (request.method == "POST") {
      if (text_at(meta, "name").empty())
        meta["name"] = text_at(meta, "generateName") + std::to_string(++names_);
      meta["uid"] = "uid-" + text_at(meta, "name");
      meta["generation"] = 1;
      writes_.push_back(line("create", slice));
    } else {
      const auto found = slices.find(key_of(slice));
      if (found == slices.end()) return failure(404, "NotFound");
      const json::object& present = found->second.at("metadata").as_object();
      const std::string version = text_at(meta, "resourceVersion");
      if (!version.empty() && version != text_at(present, "resourceVersion"))
        return failure(409, "Conflict");
      meta["uid"] = present.at("uid");
      meta["generation"] = present.at("generation").as_int64() + 1;
      writes_.push_back(line("update", slice));
    }
    store(slice);
    return {200, {}, json::serialize(slices.at(key_of(slice)))};
  }
  kube::ApiResponse remove(const kube::ApiRequest& request) {
    const std::string name = request.path.substr(request.path.rfind('/') + 1);
    const auto found = std::find_if(slices.begin(), slices.end(), [&](const auto& entry) {
      return entry.first.substr(entry.first.find('/') + 1) == name;
    });
    if (found == slices.end()) return failure(404, "NotFound");
    writes_.push_back("delete " + name);
    remove(found);
    return {200, {}, R"({"kind":"Status","status":"Success"})"};
  }
  void remove(std::map<std::string, json::object>::iterator slice) {
    slice->second["metadata"].as_object()["resourceVersion"] = std::to_string(++version_);
    news_.push_back({json::serialize(slice->second), true});
    slices.erase(slice);
  }
  static std::string key_of(const json::object& slice) {
    const json::object& meta = slice.at("metadata").as_object();
    return text_at(meta, "namespace") + "/" + text_at(meta, "name");
  }
  void store(json::object slice) {
    slice["metadata"].as_object()["resourceVersion"] = std::to_string(++version_);
    const std::string key = key_of(slice);
    news_.push_back({json::serialize(slice), false});
    slices.insert_or_assign(key, std::move(slice));
  }

  kube::Cache<kube::EndpointSliceRecord>* cache_ = nullptr;
  std::mutex mutex_;
  std::vector<std::string> writes_;
  std::vector<News> news_;
  int names_ = 0;
  std::uint64_t version_ = 1000;
};

}  // namespace proxima::testing
