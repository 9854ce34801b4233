// SPDX-License-Identifier: Apache-2.0
#include "web/prediction.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/model/excerpt.h"
#include "core/plan/explain.h"
#include "core/plan/plan_failure.h"
#include "kube/record_draft.h"
#include "report/explain_document.h"
#include "web/plan_picture.h"
#include "web/state_document.h"

namespace proxima::web {
namespace {

Result<model::ServiceIndex> find_service(const model::Snapshot& snapshot,
                                         const std::string& service) {
  const std::size_t slash = service.find('/');
  if (slash == std::string::npos)
    return Error{ErrorCode::InvalidInput, "\"" + service + "\" is not NAMESPACE/NAME"};
  const auto index = snapshot.find_service(service.substr(0, slash), service.substr(slash + 1));
  if (!index) return Error{ErrorCode::NotFound, "there is no service \"" + service + "\""};
  return index;
}

Result<plan::From> find_place(const model::Snapshot& snapshot, const std::string& from) {
  if (from.empty() && snapshot.zones.empty())
    return Error{ErrorCode::NotFound, "no node of the cluster has a zone"};
  if (from.empty()) return plan::From{{}, model::ZoneIndex(0)};
  if (const auto node = snapshot.find_node(from))
    return plan::From{node, snapshot.nodes[node.value()].zone};
  if (const auto zone = snapshot.find_zone(from)) return plan::From{{}, zone};
  return Error{ErrorCode::NotFound, "there is neither a node nor a zone \"" + from + "\""};
}

// The service alone, with its annotations as they are wished for. Pods come along only where they
// say who the clients are.
model::SnapshotPtr changed(const ClusterPicture& picture, model::ServiceIndex service,
                           const PolicyWish& wish) {
  model::Excerpt excerpt = model::excerpt_of_service(*picture.plan.snapshot, service);
  StringPool& names = excerpt.builder.names();
  model::RoutingTexts& routing = excerpt.service.service.routing;
  routing.policy = wish.policy ? names.intern(*wish.policy) : NameId();
  routing.overload = wish.overload ? names.intern(overload_annotation(*wish.overload)) : NameId();
  if (names[routing.demand].starts_with("clients"))
    picture.records.pods.each(
        [&](const auto& pod) { excerpt.builder.add(kube::to_draft(*pod, names)); });
  return std::move(excerpt).build();
}

}  // namespace

std::string overload_annotation(double overload) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.6g", overload);
  return {text.data(), static_cast<std::size_t>(size)};
}

Result<Prediction> predict(const ClusterPicture& picture, const std::string& service,
                           const PolicyWish& wish) {
  const auto index = find_service(*picture.plan.snapshot, service);
  if (!index) return index.error();
  plan::ClusterPlan now = plan::plan_service(picture.plan.snapshot, picture.plan.options, *index);
  const auto snapshot = changed(picture, *index, wish);
  const auto slash = service.find('/');
  const auto moved = snapshot->find_service(service.substr(0, slash), service.substr(slash + 1));
  plan::ClusterPlan then = plan::plan_service(snapshot, picture.plan.options, moved);
  if (now.services.empty() || then.services.empty())
    return Error{ErrorCode::NotFound, "service \"" + service + "\" has no plan"};
  return Prediction{.now = picture_of(now, now.services.front()),
                    .then = picture_of(then, then.services.front())};
}

std::string prediction_document(const std::string& service, const Prediction& prediction) {
  report::DocumentWriter writer(report::DocumentFormat::Compact);
  writer.begin_object();
  writer.field("service", service);
  writer.key("now");
  write_plan(writer, prediction.now);
  writer.key("then");
  write_plan(writer, prediction.then);
  writer.end_object();
  return std::move(writer).finish();
}

Result<std::string> explanation_document(const ClusterPicture& picture, const std::string& service,
                                         const PointOfView& view) {
  const auto index = find_service(*picture.plan.snapshot, service);
  if (!index) return index.error();
  const auto place = find_place(*picture.plan.snapshot, view.from);
  if (!place) return place.error();
  const plan::ClusterPlan plan =
      plan::plan_service(picture.plan.snapshot, picture.plan.options, *index);
  const auto planned =
      std::find_if(plan.services.begin(), plan.services.end(), [&](const plan::ServicePlan& one) {
        return view.family.empty() || to_text(one.family) == view.family;
      });
  if (planned == plan.services.end())
    return Error{ErrorCode::NotFound, "service \"" + service + "\" has no plan" +
                                          (view.family.empty() ? "" : " of " + view.family)};
  std::string document;
  const auto breakdown = run_guarded([&] {
    document = report::explain_document(plan, plan::explain(plan, *planned, *place), *place,
                                        report::DocumentFormat::Json);
  });
  if (!breakdown) return document;
  return Error{ErrorCode::Unsupported,
               policy::sentence({.reason = policy::Reason::InternalError,
                                 .subject = plan::has_failed(*planned) ? planned->why.subject
                                                                       : breakdown->what})};
}

}  // namespace proxima::web
