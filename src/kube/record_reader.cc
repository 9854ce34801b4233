// SPDX-License-Identifier: Apache-2.0
#include "kube/record_reader.h"

#include "base/guarded.h"
#include "kube/decode_fields.h"
#include "wire/json_object.h"

namespace proxima::kube {
namespace {

WatchEventType parse_watch_event_type(std::string_view text) {
  if (text == "ADDED") return WatchEventType::Added;
  if (text == "MODIFIED") return WatchEventType::Modified;
  if (text == "DELETED") return WatchEventType::Deleted;
  if (text == "BOOKMARK") return WatchEventType::Bookmark;
  if (text == "ERROR") return WatchEventType::Error;
  return WatchEventType::Unknown;
}

std::string text_or_empty(const wire::JsonObject& object, std::string_view key) {
  return std::string(object.text(key).value_or(""));
}

ApiFailure decode_failure(const wire::JsonObject& status) {
  ApiFailure failure;
  using model::Bounded;
  failure.status =
      static_cast<int>(decode_integer(status, "code", limit_of(Bounded::StatusCode)).value_or(0));
  failure.reason = text_or_empty(status, "reason");
  failure.message = text_or_empty(status, "message");
  const auto seconds = decode_integer(status.child("details"), "retryAfterSeconds",
                                      limit_of(Bounded::RetryAfterSeconds));
  if (seconds && *seconds > 0) failure.retry_after_seconds = static_cast<std::uint32_t>(*seconds);
  return failure;
}

}  // namespace

template <class Record>
struct RecordReader<Record>::Parser {
  std::string kind;
  OnProblem on_problem;
  DecodeRecord<Record> decode_record;
  simdjson::dom::parser json;
  DecodeScratch scratch;

  std::optional<simdjson::dom::object> parse(std::string_view text) {
    simdjson::dom::object object;
    if (json.parse(text.data(), text.size(), false).get(object) != simdjson::SUCCESS)
      return std::nullopt;
    return object;
  }

  ReadObject<Record> unreadable(std::string_view message) {
    wire::Problem problem;
    problem.object = kind;
    problem.message = message;
    on_problem(problem);
    ReadObject<Record> read;
    read.readable = false;
    return read;
  }

  ReadObject<Record> decode(simdjson::dom::object dom) {
    wire::ProblemLog log;
    const wire::JsonObject object(dom, log);
    const wire::JsonObject metadata = object.child("metadata");
    ReadObject<Record> read;
    read.name = text_or_empty(metadata, "name");
    if (read.name.empty()) return unreadable("an object without a name");
    read.ns = text_or_empty(metadata, "namespace");
    read.version = parse_version(metadata.text("resourceVersion").value_or(""));
    log.enter_object(kind, read.ns, read.name);
    const auto breakdown = run_guarded([&] { read.record = decode_record(object, scratch); });
    if (breakdown) {
      log.add("", "internal error: " + breakdown->what);
      scratch = DecodeScratch();  // the decoder was in the middle of changing it
    }
    for (const wire::Problem& problem : log.problems()) on_problem(problem);
    return read;
  }
};

template <class Record>
RecordReader<Record>::RecordReader(std::string_view kind, OnProblem on_problem,
                                   DecodeRecord<Record> decode)
    : parser_(std::make_unique<Parser>()) {
  parser_->kind = kind;
  parser_->decode_record = decode;
  parser_->on_problem = on_problem ? std::move(on_problem) : [](const wire::Problem&) {};
}

template <class Record>
RecordReader<Record>::~RecordReader() = default;

template <class Record>
ReadObject<Record> RecordReader<Record>::object(std::string_view json) {
  const auto dom = parser_->parse(json);
  return dom ? parser_->decode(*dom) : parser_->unreadable("an object that is not JSON");
}

template <class Record>
ReadEvent<Record> RecordReader<Record>::event(std::string_view line) {
  ReadEvent<Record> event;
  const auto dom = parser_->parse(line);
  simdjson::dom::object inner;
  std::string_view type;
  if (!dom || (*dom)["type"].get(type) != simdjson::SUCCESS ||
      (*dom)["object"].get(inner) != simdjson::SUCCESS) {
    event.object = parser_->unreadable("a line in the watch that is no event");
    return event;
  }
  event.type = parse_watch_event_type(type);
  wire::ProblemLog ignored;
  const wire::JsonObject object(inner, ignored);
  switch (event.type) {
    case WatchEventType::Bookmark:
      event.resource_version = text_or_empty(object.child("metadata"), "resourceVersion");
      break;
    case WatchEventType::Error:
      event.failure = decode_failure(object);
      break;
    case WatchEventType::Unknown:
      event.object = parser_->unreadable("an event of an unknown type");
      break;
    default:
      event.object = parser_->decode(inner);
  }
  return event;
}

template class RecordReader<PodRecord>;
template class RecordReader<ServiceRecord>;
template class RecordReader<NodeRecord>;
template class RecordReader<NamespaceRecord>;
template class RecordReader<EndpointSliceRecord>;
template class RecordReader<EndpointsRecord>;
template class RecordReader<ServiceCidrRecord>;
template class RecordReader<EventRecord>;

}  // namespace proxima::kube
