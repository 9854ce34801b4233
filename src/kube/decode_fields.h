// SPDX-License-Identifier: Apache-2.0
// Parts that the decoders of several kinds of records share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/labels.h"
#include "core/model/limits.h"
#include "kube/decode_record.h"
#include "wire/json_object.h"

namespace proxima::kube {

RecordMeta decode_meta(const wire::JsonObject& metadata, RecordSharing& sharing);
// 0 when missing or not a time, which is reported.
UnixSeconds decode_time(const wire::JsonObject& object, std::string_view key);
// Any that fits: whoever asks bounds it.
std::optional<std::int64_t> decode_integer(const wire::JsonObject& object, std::string_view key);
// A number outside of its row is reported, and as if it were missing.
std::optional<std::int64_t> decode_integer(const wire::JsonObject& object, std::string_view key,
                                           const model::Limit& bounds);
// Shared with equal ones; none when missing.
Text decode_text(const wire::JsonObject& object, std::string_view key, RecordSharing& sharing);
// Never null.
LabelSetRef decode_label_set(const wire::JsonObject& labels, RecordSharing& sharing);
// Only the annotations that the system knows.
LabelSetRef decode_known_annotations(const wire::JsonObject& metadata, RecordSharing& sharing);
std::vector<Text> decode_texts(const wire::JsonObject& object, std::string_view key,
                               RecordSharing& sharing);

}  // namespace proxima::kube
