// SPDX-License-Identifier: Apache-2.0
// JSON text → records and events of one kind. What is wrong is told to a callback, with the object
// and the field. For one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kube/api.h"
#include "kube/decode_record.h"
#include "wire/problem.h"

namespace proxima::kube {

using OnProblem = std::function<void(const wire::Problem&)>;

template <class Record>
struct ReadObject {
  Ref<const Record> record;  // null: see `readable`
  bool readable = true;      // false: not JSON, or without a name. True: named, but of no use
  // Of an object that is readable.
  std::string ns;
  std::string name;
  Version version = 0;

  ObjectKey key() const { return {ns, name}; }
};

enum class WatchEventType { Added, Modified, Deleted, Bookmark, Error, Unknown };

template <class Record>
struct ReadEvent {
  WatchEventType type = WatchEventType::Unknown;
  ReadObject<Record> object;     // of the first three
  std::string resource_version;  // of a bookmark
  ApiFailure failure;            // of an error
};

template <class Record>
using DecodeRecord = Ref<const Record> (*)(const wire::JsonObject& object, DecodeScratch& scratch);

template <class Record>
class RecordReader {
 public:
  // `kind`: for reports. An object on which `decode` breaks an invariant is of no use, as one that
  // cannot be decoded: it is reported, and the next one is read as if it had not been there.
  RecordReader(std::string_view kind, OnProblem on_problem,
               DecodeRecord<Record> decode = decode_record<Record>);
  ~RecordReader();

  // Texts must be padded as wire/json_scanner.h says.
  ReadObject<Record> object(std::string_view json);
  // Not readable: the line is no event.
  ReadEvent<Record> event(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

extern template class RecordReader<PodRecord>;
extern template class RecordReader<ServiceRecord>;
extern template class RecordReader<NodeRecord>;
extern template class RecordReader<NamespaceRecord>;
extern template class RecordReader<EndpointSliceRecord>;
extern template class RecordReader<EndpointsRecord>;
extern template class RecordReader<ServiceCidrRecord>;
extern template class RecordReader<EventRecord>;

}  // namespace proxima::kube
