// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"

#include <algorithm>
#include <array>

#include "base/timestamp.h"

namespace proxima::kube {
namespace {

constexpr std::array kKnownAnnotations = {
    model::kTopologyModeAnnotation,
    model::kTopologyAwareHintsAnnotation,
    model::kPolicyAnnotation,
    model::kOverloadAnnotation,
    model::kTopologyKeysAnnotation,
    model::kDemandAnnotation,
    model::kMinLocalEndpointsAnnotation,
    model::kNodeFirstAnnotation,
    model::kPanicAnnotation,
    model::kAutoStartAnnotation,
    model::kAutoStopAnnotation,
    model::kFailoverAnnotation,
    model::kFallbackAnnotation,
    model::kWeightAnnotation,
};
// A name is a few dozen bytes: this many are less than a megabyte.
constexpr std::size_t kMostScratchNames = 16'384;

}  // namespace

StringPool& DecodeScratch::names() {
  if (names_.size() > kMostScratchNames) {
    names_ = StringPool();
    texts_.clear();
  }
  return names_;
}

Text DecodeScratch::shared(NameId id) {
  if (!id) return {};
  if (texts_.size() <= id.value()) texts_.resize(names_.size());
  Text& text = texts_[id.value()];
  if (!text) text = sharing_.text(names_[id]);
  return text;
}

LabelSetRef DecodeScratch::shared(const std::vector<model::Label>& labels) {
  std::vector<LabelText> texts;
  texts.reserve(labels.size());
  for (const model::Label& label : labels)
    texts.push_back({shared(label.key), shared(label.value)});
  return sharing_.labels(std::move(texts));
}

RecordMeta decode_meta(const wire::JsonObject& metadata, RecordSharing& sharing) {
  RecordMeta meta;
  meta.ns = decode_text(metadata, "namespace", sharing);
  meta.name = Text(metadata.text("name").value_or(""));
  if (const auto uid = metadata.text("uid")) meta.uid = Text(*uid);
  meta.version = parse_version(metadata.text("resourceVersion").value_or(""));
  meta.created = decode_time(metadata, "creationTimestamp");
  meta.terminating = metadata.has("deletionTimestamp");
  return meta;
}

UnixSeconds decode_time(const wire::JsonObject& object, std::string_view key) {
  const auto text = object.text(key);
  if (!text) return 0;
  const auto time = parse_time(*text);
  if (!time) {
    object.report(key, time.error().message);
    return 0;
  }
  return std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count();
}

std::optional<std::int64_t> decode_integer(const wire::JsonObject& object, std::string_view key) {
  const auto element = object.find(key);
  if (!element) return std::nullopt;
  std::int64_t value = 0;
  if (element->get(value) == simdjson::SUCCESS) return value;
  object.report(key, "not a whole number");
  return std::nullopt;
}

std::optional<std::int64_t> decode_integer(const wire::JsonObject& object, std::string_view key,
                                           const model::Limit& bounds) {
  const auto value = decode_integer(object, key);
  if (!value || bounds.admits(static_cast<double>(*value))) return value;
  object.report(key, "not " + model::range_text(bounds) + ": " + std::to_string(*value));
  return std::nullopt;
}

Text decode_text(const wire::JsonObject& object, std::string_view key, RecordSharing& sharing) {
  const auto text = object.text(key);
  return text ? sharing.text(*text) : Text();
}

LabelSetRef decode_label_set(const wire::JsonObject& labels, RecordSharing& sharing) {
  std::vector<LabelText> decoded;
  labels.each_member_text([&](std::string_view key, std::string_view value) {
    decoded.push_back({sharing.text(key), sharing.text(value)});
  });
  return sharing.labels(std::move(decoded));
}

LabelSetRef decode_known_annotations(const wire::JsonObject& metadata, RecordSharing& sharing) {
  const wire::JsonObject annotations = metadata.child("annotations");
  std::vector<LabelText> decoded;
  for (const std::string_view key : kKnownAnnotations)
    if (const auto value = annotations.text(key))
      decoded.push_back({sharing.text(key), sharing.text(*value)});
  return sharing.labels(std::move(decoded));
}

std::vector<Text> decode_texts(const wire::JsonObject& object, std::string_view key,
                               RecordSharing& sharing) {
  std::vector<Text> texts;
  object.each_text(key, [&](std::string_view text, const wire::JsonPath&) {
    texts.push_back(sharing.text(text));
  });
  return texts;
}

}  // namespace proxima::kube
