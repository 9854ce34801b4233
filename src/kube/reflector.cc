// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector.h"

#include "kube/cancellable_wait.h"

namespace proxima::kube {
namespace {

// An item that tells no name may be a passing fault. When it stays, the rest must go on.
constexpr std::uint32_t kNamelessListsRefused = 3;
constexpr std::size_t kMaxRefusalBytes = 64U << 10U;

ApiFailure read_refusal(net::HttpStream& stream) {
  ApiResponse response{stream.status(), stream.headers(), {}};
  while (response.body.size() < kMaxRefusalBytes) {
    const auto piece = stream.read();
    if (!piece || piece->empty()) break;  // the code alone says enough
    response.body += *piece;
  }
  return failure_of(response);
}

}  // namespace

template <class Record>
Reflector<Record>::Reflector(KubeApi& api, Clock& clock, const Resource& resource,
                             Cache<Record>& cache, ReflectorOptions options)
    : api_(api),
      clock_(clock),
      resource_(resource),
      options_(std::move(options)),
      plan_(options_.plan),
      feed_(cache, resource.kind, options_.on_problem, options_.limits),
      freshness_(cache.freshness()) {}

template <class Record>
void Reflector<Record>::run(const net::Cancellation& cancellation) {
  while (!cancellation.cancelled()) {
    const Duration delay = step(cancellation);
    if (delay > Duration::zero() && wait_for(clock_, delay, cancellation) == Waited::Cancelled)
      return;
  }
}

template <class Record>
Duration Reflector<Record>::step(const net::Cancellation& cancellation) {
  return plan_.next() == StepKind::List ? list(cancellation) : watch(cancellation);
}

template <class Record>
StepFailure Reflector<Record>::failed(StepFailure::Kind kind, const std::string& message) const {
  freshness_.lost();
  if (options_.on_failure)
    options_.on_failure({ErrorCode::Retry, std::string(resource_.plural) + ": " + message});
  return {.kind = kind, .refusal = {}};
}

template <class Record>
ApiRequest Reflector<Record>::request() const {
  ApiRequest request;
  request.path = resource_path(resource_);
  if (!options_.label_selector.empty())
    request.query.push_back({"labelSelector", options_.label_selector});
  if (!options_.field_selector.empty())
    request.query.push_back({"fieldSelector", options_.field_selector});
  return request;
}

template <class Record>
Result<std::unique_ptr<net::HttpStream>, StepFailure> Reflector<Record>::open(
    const ApiRequest& request, std::chrono::milliseconds idle,
    const net::Cancellation& cancellation) {
  auto stream = api_.open(request, idle, cancellation);
  if (!stream) return failed(StepFailure::Kind::NoAnswer, stream.error().message);
  if ((*stream)->status() == 200) return std::move(*stream);
  StepFailure failure = {.kind = StepFailure::Kind::Refused, .refusal = read_refusal(**stream)};
  failed(failure.kind, to_error(failure.refusal).message);
  return failure;
}

template <class Record>
Duration Reflector<Record>::list(const net::Cancellation& cancellation) {
  if (plan_.is_first_page()) feed_.begin_list();
  const Outcome outcome = read_page(plan_.list_step(), cancellation);
  if (outcome) return plan_.list_failed(*outcome, clock_.steady_now());
  if (page_->continue_token.empty() && feed_.nameless() > 0 &&
      ++nameless_lists_ < kNamelessListsRefused) {
    return plan_.list_failed(failed(StepFailure::Kind::Unsure, "a list with unreadable items"),
                             clock_.steady_now());
  }
  take_page(*page_);
  return Duration::zero();
}

template <class Record>
void Reflector<Record>::take_page(const ListMeta& meta) {
  const bool whole = feed_.nameless() == 0;
  if (meta.continue_token.empty()) {
    if (whole) nameless_lists_ = 0;
    feed_.end_list(meta.resource_version, whole ? MissingObjects::Delete : MissingObjects::Keep);
  }
  plan_.page_done(meta, whole ? ListTrust::Whole : ListTrust::InParts);
}

template <class Record>
typename Reflector<Record>::Outcome Reflector<Record>::read_page(
    const ListStep& step, const net::Cancellation& cancellation) {
  ApiRequest wanted = request();
  if (step.limit > 0) wanted.query.push_back({"limit", std::to_string(step.limit)});
  if (!step.continue_token.empty()) wanted.query.push_back({"continue", step.continue_token});
  if (!step.resource_version.empty())
    wanted.query.push_back({"resourceVersion", step.resource_version});
  auto stream = open(wanted, options_.plan.timing.list_idle, cancellation);
  if (!stream) return std::move(stream).error();
  return read_page_body(**stream);
}

template <class Record>
typename Reflector<Record>::Outcome Reflector<Record>::read_page_body(net::HttpStream& stream) {
  feed_.begin_page();
  while (true) {
    const auto piece = stream.read();
    if (!piece) return failed(StepFailure::Kind::NoAnswer, piece.error().message);
    if (piece->empty()) break;
    if (const auto fed = feed_.feed_page(*piece); !fed)
      return failed(StepFailure::Kind::Garbage, fed.error().message);
  }
  auto meta = feed_.end_page();
  if (!meta) return failed(StepFailure::Kind::Garbage, meta.error().message);
  page_ = std::move(*meta);
  return std::nullopt;
}

template <class Record>
Duration Reflector<Record>::watch(const net::Cancellation& cancellation) {
  feed_.begin_watch();
  const auto opened = clock_.steady_now();
  const Outcome outcome = read_watch(plan_.watch_step(), cancellation);
  const auto now = clock_.steady_now();
  if (outcome) return plan_.watch_failed(*outcome, feed_.progress(), now);
  return plan_.watch_ended(feed_.progress(), now - opened);
}

template <class Record>
typename Reflector<Record>::Outcome Reflector<Record>::read_watch(
    const WatchStep& step, const net::Cancellation& cancellation) {
  ApiRequest wanted = request();
  wanted.query.push_back({"watch", "true"});
  wanted.query.push_back({"allowWatchBookmarks", "true"});
  wanted.query.push_back({"resourceVersion", step.resource_version});
  wanted.query.push_back({"timeoutSeconds", std::to_string(step.timeout.count())});
  auto stream = open(wanted, options_.plan.timing.watch_idle, cancellation);
  if (!stream) return std::move(stream).error();
  freshness_.watching(clock_.steady_now());
  return read_watch_body(**stream);
}

template <class Record>
typename Reflector<Record>::Outcome Reflector<Record>::read_watch_body(net::HttpStream& stream) {
  while (true) {
    const auto piece = stream.read();
    if (!piece) return failed(StepFailure::Kind::NoAnswer, piece.error().message);
    if (piece->empty()) return std::nullopt;
    switch (feed_.feed_watch(*piece)) {
      case WatchState::Good:
        break;
      case WatchState::Garbage:
        return failed(StepFailure::Kind::Garbage, "the watch makes no sense");
      case WatchState::Unsure:
        return failed(StepFailure::Kind::Unsure, "the watch told old news of an unknown object");
      case WatchState::Failed:
        failed(StepFailure::Kind::Refused, to_error(feed_.failure()).message);
        return StepFailure{.kind = StepFailure::Kind::Refused, .refusal = feed_.failure()};
    }
  }
}

template class Reflector<PodRecord>;
template class Reflector<ServiceRecord>;
template class Reflector<NodeRecord>;
template class Reflector<NamespaceRecord>;
template class Reflector<EndpointSliceRecord>;
template class Reflector<EndpointsRecord>;
template class Reflector<ServiceCidrRecord>;
template class Reflector<EventRecord>;

}  // namespace proxima::kube
