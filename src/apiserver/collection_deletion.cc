// SPDX-License-Identifier: Apache-2.0
// Deleting many objects: a few for every piece of the answer that is sent, so that other requests
// have their turn in between. The answer is complete when all of them are durably gone.
#include <utility>

#include "apiserver/list_body.h"
#include "apiserver/object_encoder.h"
#include "apiserver/selection.h"
#include "apiserver/write_requests.h"

namespace proxima::apiserver {
namespace {

constexpr std::size_t kDeletionsAtOnce = 128;

class CollectionDeletion final : public net::BodySource {
 public:
  CollectionDeletion(ObjectRegistry& registry, const ResourceType& type, ListRange range,
                     DeleteOptions options, ObjectEncoder encoder)
      : registry_(registry),
        type_(type),
        range_(std::move(range)),
        options_(std::move(options)),
        encoder_(std::move(encoder)) {}

  net::Pull pull(std::string& out, std::size_t) override {
    const Store& store = registry_.store();
    if (!std::exchange(begun_, true)) out += encoder_.list_begin({.revision = range_.revision});
    waits_for_disk_ = store.congested();
    if (!done_) {
      if (waits_for_disk_) return net::Pull::Wait;
      for (const Found& found : next_batch(store))
        if (!remove(out, found)) return net::Pull::Cut;
      if (!done_) return net::Pull::Wait;
    }
    if (store.durable() < store.revision())
      return store.failure() ? net::Pull::Cut : net::Pull::Wait;
    out += ObjectEncoder::list_end();
    return net::Pull::End;
  }

  // Deleting yields to other requests only, unless the write queue is full; the end waits for the
  // disk.
  Clock::SteadyTime next_deadline() const override {
    return done_ || waits_for_disk_ ? Clock::SteadyTime::max() : kAtOnce;
  }

 private:
  struct Found {
    ObjectKey key;
    StoredObjectPtr object;
  };

  // Sets done_ with the last one. Objects as they are now: what came after the request is not among
  // them only by chance.
  std::vector<Found> next_batch(const Store& store) {
    std::vector<Found> batch;
    Share share(range_.selection, Showing::Parsed);  // to delete them
    done_ = true;
    store.scan(range_.kind, range_.ns, store.revision(), after_,
               [&](const ObjectKey& key, const StoredObjectPtr& object) {
                 done_ = batch.size() < kDeletionsAtOnce && share.take(*object);
                 if (!done_) return false;
                 after_ = {key.ns, key.name};
                 if (range_.selects(*object)) batch.push_back({key, object});
                 return true;
               });
    return batch;
  }

  // The answer lists the objects as they were, as upstream's does.
  bool remove(std::string& out, const Found& found) {
    const auto deleted = registry_.remove(type_, found.key, options_);
    if (!deleted) return deleted.error().code == 404;
    if (std::exchange(any_, true)) out += ',';
    encoder_.append_item(out, *found.object);
    return true;
  }

  ObjectRegistry& registry_;
  const ResourceType& type_;
  ListRange range_;
  DeleteOptions options_;
  ObjectEncoder encoder_;
  Store::Position after_;
  bool begun_ = false;
  bool any_ = false;
  bool done_ = false;
  bool waits_for_disk_ = false;
};

}  // namespace

net::Reply delete_collection(const WriteContext& context, const ApiRequest& request) {
  const bool pretty = request.representation.pretty;
  auto options = requested_deletion(request);
  if (!options) return error_reply(options.error(), pretty);
  auto list = list_options(request.query);
  if (!list) return error_reply(list.error(), pretty);
  const ResourceType& type = *request.path.type;
  auto selection = Selection::parse(type, list->labels, list->fields);
  if (!selection) return error_reply(selection.error(), pretty);
  const Store& store = context.registry.store();
  if (const auto failure = store.failure())
    return error_reply(internal_error("the store has stopped writing: " + *failure), pretty);
  ListRange range{type.stored_as, request.path.ns, store.revision(), std::move(selection).value()};
  ObjectEncoder encoder(type, request.representation);
  encoder.set_now(context.clock.wall_now());
  return stream_reply(std::make_unique<CollectionDeletion>(
      context.registry, type, std::move(range), std::move(options).value(), std::move(encoder)));
}

}  // namespace proxima::apiserver
