// SPDX-License-Identifier: Apache-2.0
#include "apiserver/watch_body.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>

#include "apiserver/object_meta.h"

namespace proxima::apiserver {
namespace {

constexpr std::chrono::seconds kBookmarkInterval{60};
constexpr std::size_t kChangesAtOnce = 256;

void append_error(std::string& out, const StatusError& error) {
  out += "{\"type\":\"ERROR\",\"object\":" + boost::json::serialize(to_json(error)) + "}\n";
}

class WatchBody final : public net::BodySource {
 public:
  WatchBody(const Store& store, const Clock& clock, WatchRequest request, ObjectEncoder encoder)
      : store_(store),
        clock_(clock),
        request_(std::move(request)),
        encoder_(std::move(encoder)),
        cursor_(request_.range.revision),
        end_(clock.steady_now() + request_.timeout),
        next_bookmark_(clock.steady_now() + kBookmarkInterval),
        initial_(request_.initial_events) {}

  net::Pull pull(std::string& out, std::size_t wanted) override {
    const std::size_t before = out.size();
    const auto now = clock_.steady_now();
    if (now >= end_) return net::Pull::End;
    encoder_.set_now(clock_.wall_now());
    Share share(request_.range.selection, encoder_.showing());
    const auto full = [&] { return out.size() - before >= wanted; };
    yields_ = false;
    if (initial_) {
      if (request_.range.revision < store_.compacted()) return expire(out);
      if (!tell_what_is_there(out, share, full)) return rest(share);
    }
    while (!full()) {
      const auto changes = store_.changes_after(cursor_, kChangesAtOnce);
      if (!changes) return expire(out);
      if (changes->empty()) {
        if (request_.bookmarks && now >= next_bookmark_) bookmark(out);
        return net::Pull::Wait;
      }
      for (const Change* change : *changes) {
        if (concerns(*change) && !share.take(*change->object)) return rest(share);
        tell(out, *change);
        cursor_ = change->revision;
        if (full()) break;
      }
    }
    return net::Pull::More;
  }

  Clock::SteadyTime next_deadline() const override {
    if (yields_) return kAtOnce;
    return request_.bookmarks ? std::min(end_, next_bookmark_) : end_;
  }

 private:
  // There is more, now or after the others had their turn.
  net::Pull rest(const Share& share) {
    yields_ = share.done();
    return yields_ ? net::Pull::Wait : net::Pull::More;
  }

  net::Pull expire(std::string& out) {
    append_error(out, expired("too old resource version: " + std::to_string(cursor_) + " (" +
                              std::to_string(store_.compacted()) + ")"));
    end_ = clock_.steady_now();  // says no more, whoever asks
    return net::Pull::End;
  }

  // Whether all of it is told.
  template <class Full>
  bool tell_what_is_there(std::string& out, Share& share, Full full) {
    const ListRange& range = request_.range;
    bool more = false;
    store_.scan(range.kind, range.ns, range.revision, after_,
                [&](const ObjectKey& key, const StoredObjectPtr& object) {
                  more = full() || !share.take(*object);
                  if (more) return false;
                  after_ = {key.ns, key.name};
                  if (range.selects(*object)) encoder_.append_event(out, "ADDED", *object);
                  return true;
                });
    if (more) return false;
    initial_ = false;
    if (request_.mark_end) encoder_.append_bookmark(out, range.revision, true);
    return true;
  }

  void bookmark(std::string& out) {
    // As far as this watch has seen, whether the changes were of its kind or not.
    encoder_.append_bookmark(out, cursor_, false);
    next_bookmark_ = clock_.steady_now() + kBookmarkInterval;
  }

  bool concerns(const Change& change) const {
    return change.key.kind == request_.range.kind &&
           (request_.range.ns.empty() || change.key.ns == request_.range.ns);
  }

  void tell(std::string& out, const Change& change) {
    if (!concerns(change)) return;
    const bool everything = request_.range.selection.everything();
    const bool was = change.before && (everything || request_.range.selects(*change.before));
    if (change.type == ChangeType::Deleted) {
      if (was) encoder_.append_event(out, "DELETED", *change.object);
      return;
    }
    const bool is = everything || request_.range.selects(*change.object);
    if (is) {
      encoder_.append_event(out, was ? "MODIFIED" : "ADDED", *change.object);
    } else if (was) {
      // Gone from this selection: as it last was, at the revision of the change.
      boost::json::object last = parse_stored(change.before->json);
      metadata_of(last)["resourceVersion"] = std::to_string(change.revision);
      encoder_.append_event(out, "DELETED", last);
    }
  }

  const Store& store_;
  const Clock& clock_;
  WatchRequest request_;
  ObjectEncoder encoder_;
  Revision cursor_;
  Clock::SteadyTime end_;
  Clock::SteadyTime next_bookmark_;
  bool initial_;
  bool yields_ = false;    // it has done its share and waits for its turn only
  Store::Position after_;  // of the initial events
};

class FailedWatch final : public net::BodySource {
 public:
  explicit FailedWatch(const StatusError& error) { append_error(text_, error); }
  net::Pull pull(std::string& out, std::size_t) override {
    out += text_;
    text_.clear();
    return net::Pull::End;
  }

 private:
  std::string text_;
};

}  // namespace

std::unique_ptr<net::BodySource> watch_body(const Store& store, const Clock& clock,
                                            WatchRequest request, ObjectEncoder encoder) {
  return std::make_unique<WatchBody>(store, clock, std::move(request), std::move(encoder));
}

std::unique_ptr<net::BodySource> failed_watch(const StatusError& error) {
  return std::make_unique<FailedWatch>(error);
}

}  // namespace proxima::apiserver
