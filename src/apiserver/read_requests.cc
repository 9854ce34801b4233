// SPDX-License-Identifier: Apache-2.0
#include "apiserver/read_requests.h"

#include "apiserver/continue_token.h"
#include "apiserver/list_body.h"
#include "apiserver/object_encoder.h"
#include "apiserver/selection.h"
#include "apiserver/watch_body.h"

namespace proxima::apiserver {
namespace {

// Without timeoutSeconds a watch ends after this long, and up to twice as long: not all at once.
constexpr std::int64_t kWatchSeconds = 1800;

constexpr std::string_view kInconsistent =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

ObjectEncoder encoder_for(const ReadContext& context, const ApiRequest& request) {
  ObjectEncoder encoder(*request.path.type, request.representation);
  encoder.set_now(context.clock.wall_now());
  return encoder;
}

std::string bad_revision(std::string_view text, std::string_view why) {
  return "resourceVersion: Invalid value: \"" + std::string(text) + "\": " + std::string(why);
}

Outcome<Revision> asked_revision(const ListOptions& options) {
  auto revision = parse_revision(options.resource_version);
  if (revision) return *revision;
  const std::string why = bad_revision(options.resource_version, revision.error().message);
  if (!options.watch) return bad_request("invalid resource version: " + why);
  StatusError error;
  error.message = why;
  return error;
}

// Where a page begins, and of which revision the list is.
struct Start {
  Revision revision = 0;
  Store::Position after;
  std::int64_t remaining = -1;
};

Outcome<Start> continued(const Store& store, const ListOptions& options) {
  auto token = ContinueToken::decode(options.continue_token);
  if (!token) return std::move(token).error();
  if (!options.resource_version.empty() && options.resource_version != "0")
    return bad_request("specifying resource version is not allowed when using continue");
  if (token->revision < 0) return Start{store.revision(), token->after, -1};
  const auto revision = static_cast<Revision>(token->revision);
  if (revision > store.revision()) return too_large_revision(revision, store.revision());
  if (revision >= store.compacted()) return Start{revision, token->after, token->remaining};
  StatusError error = expired(kInconsistent);
  error.continue_token = ContinueToken{-1, token->after, -1}.encode();
  return error;
}

Outcome<Start> list_start(const Store& store, const ListOptions& options) {
  if (!options.continue_token.empty()) return continued(store, options);
  auto asked = asked_revision(options);
  if (!asked) return std::move(asked).error();
  if (*asked > store.revision()) return too_large_revision(*asked, store.revision());
  const bool exact =
      options.match == "Exact" || (options.match.empty() && options.limit > 0 && *asked > 0);
  if (!exact) return Start{store.revision(), {}, -1};
  if (*asked < store.compacted())
    return expired("The resourceVersion for the provided list is too old.");
  return Start{*asked, {}, -1};
}

net::Reply list(const ReadContext& context, const ApiRequest& request, const ListOptions& options,
                Selection selection) {
  const bool pretty = request.representation.pretty;
  auto start = list_start(context.store, options);
  if (!start) return error_reply(start.error(), pretty);
  ListRange range{request.path.type->stored_as, request.path.ns, start->revision,
                  std::move(selection)};
  ObjectEncoder encoder = encoder_for(context, request);
  if (options.limit == 0 && options.continue_token.empty()) {
    return when_durable(
        context.store, start->revision,
        stream_reply(list_body(context.store, std::move(range), std::move(encoder), pretty)));
  }
  const std::size_t limit =
      options.limit > 0 ? static_cast<std::size_t>(options.limit) : context.store.count(range.kind);
  return when_durable(context.store, start->revision,
                      stream_reply(page_body(context.store, std::move(range),
                                             {std::move(start->after), limit, start->remaining},
                                             std::move(encoder), pretty)));
}

net::Reply watch(const ReadContext& context, const ApiRequest& request, const ListOptions& options,
                 Selection selection) {
  auto asked = asked_revision(options);
  if (!asked) return error_reply(asked.error(), request.representation.pretty);
  const Store& store = context.store;
  const bool from_now = *asked == 0;
  WatchRequest watch;
  watch.bookmarks = options.bookmarks;
  watch.initial_events = options.initial_events.value_or(from_now);
  watch.mark_end = options.initial_events.value_or(false) && options.bookmarks;
  if (options.initial_events && *asked > store.revision())
    return stream_reply(failed_watch(too_large_revision(*asked, store.revision())));
  const Revision begin = from_now || watch.initial_events ? store.revision() : *asked;
  if (begin < store.compacted()) {
    return stream_reply(failed_watch(expired("too old resource version: " + std::to_string(begin) +
                                             " (" + std::to_string(store.compacted()) + ")")));
  }
  watch.range = {request.path.type->stored_as, request.path.ns, begin, std::move(selection)};
  watch.timeout = std::chrono::seconds(
      options.timeout_seconds.value_or(0) > 0
          ? std::min<std::int64_t>(*options.timeout_seconds, 24 * 3600)
          : kWatchSeconds + static_cast<std::int64_t>(context.random % kWatchSeconds));
  const Revision seen = watch.initial_events ? begin : 0;
  return when_durable(store, seen,
                      stream_reply(watch_body(store, context.clock, std::move(watch),
                                              encoder_for(context, request))));
}

}  // namespace

net::Reply get_object(const ReadContext& context, const ApiRequest& request) {
  const bool pretty = request.representation.pretty;
  const std::string_view text = request.query.text("resourceVersion");
  auto asked = parse_revision(text);
  if (!asked) {
    StatusError error = asked.error();
    error.message = bad_revision(text, error.message);
    return error_reply(error, pretty);
  }
  if (*asked > context.store.revision())
    return error_reply(too_large_revision(*asked, context.store.revision()), pretty);
  const ResourcePath& path = request.path;
  const StoredObjectPtr object = context.store.find({path.type->stored_as, path.ns, path.name});
  // That something is not there may be as new as anything else.
  if (!object) {
    return when_durable(context.store, context.store.revision(),
                        error_reply(not_found(*path.type, path.name), pretty));
  }
  return when_durable(context.store, object->revision,
                      json_reply(200, encoder_for(context, request).single(*object), pretty));
}

net::Reply list_or_watch(const ReadContext& context, const ApiRequest& request) {
  const bool pretty = request.representation.pretty;
  auto options = list_options(request.query);
  if (!options) return error_reply(options.error(), pretty);
  auto selection = Selection::parse(*request.path.type, options->labels, options->fields);
  if (!selection) return error_reply(selection.error(), pretty);
  if (options->watch) return watch(context, request, *options, std::move(selection).value());
  return list(context, request, *options, std::move(selection).value());
}

}  // namespace proxima::apiserver
