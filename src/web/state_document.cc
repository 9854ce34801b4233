// SPDX-License-Identifier: Apache-2.0
#include "web/state_document.h"

#include "report/plan_fields.h"
#include "web/load_window.h"

namespace proxima::web {
namespace {

using report::DocumentWriter;

// null where there is none.
void field(DocumentWriter& writer, std::string_view key, const std::optional<double>& value) {
  writer.key(key);
  if (value) {
    writer.number(*value);
  } else {
    writer.null();
  }
}

void write_bound(DocumentWriter& writer, const std::optional<double>& bound) {
  writer.key("overload");
  if (bound) {
    report::write_bound(writer, *bound);
  } else {
    writer.null();
  }
}

void text_or_null(DocumentWriter& writer, std::string_view key, std::string_view value) {
  writer.key(key);
  if (value.empty()) {
    writer.null();
  } else {
    writer.text(value);
  }
}

void texts(DocumentWriter& writer, std::string_view key, const std::vector<std::string>& all) {
  writer.key(key);
  writer.begin_array();
  for (const std::string& one : all) writer.text(one);
  writer.end_array();
}

template <class T, class Write>
void list(DocumentWriter& writer, std::string_view key, const std::vector<T>& all, Write write) {
  writer.key(key);
  writer.begin_array();
  for (const T& one : all) {
    writer.begin_object();
    write(writer, one);
    writer.end_object();
  }
  writer.end_array();
}

void write_reason(DocumentWriter& writer, const ReasonPicture& reason) {
  writer.field("reason", reason.reason);
  writer.field("level", reason.level);
  writer.field("text", reason.text);
  writer.field("advice", reason.advice);
}

void write_planned_flow(DocumentWriter& writer, const FlowPicture& flow) {
  writer.field("from", flow.from);
  writer.field("to", flow.to);
  writer.field("share", flow.share);
}

void write_measured_flow(DocumentWriter& writer, const FlowPicture& flow) {
  write_planned_flow(writer, flow);
  writer.field("requestsPerSecond", flow.requests_per_second);
}

void write_planned_endpoint(DocumentWriter& writer, const EndpointPicture& endpoint) {
  text_or_null(writer, "pod", endpoint.pod);
  writer.field("address", endpoint.address);
  writer.field("zone", endpoint.zone);
  writer.field("node", endpoint.node);
  writer.field("load", endpoint.load);
}

void write_measured_endpoint(DocumentWriter& writer, const MeasuredEndpoint& endpoint) {
  text_or_null(writer, "pod", endpoint.pod);
  writer.field("address", endpoint.address);
  writer.field("zone", endpoint.zone);
  writer.field("node", endpoint.node);
  field(writer, "load", endpoint.load);
  writer.field("requestsPerSecond", endpoint.requests_per_second);
}

void write_measured(DocumentWriter& writer, const MeasuredPicture& measured) {
  writer.begin_object();
  writer.field("local", measured.local);
  field(writer, "worstOverload", measured.worst_overload);
  writer.field("overloadMargin", measured.overload_margin);
  writer.field("loadSeconds", measured.load_seconds);
  writer.field("requestsPerSecond", measured.requests_per_second);
  writer.field("retried", measured.retried);
  writer.field("failed", measured.failed);
  list(writer, "flows", measured.flows, write_measured_flow);
  list(writer, "endpoints", measured.endpoints, write_measured_endpoint);
  writer.end_object();
}

void write_cost(DocumentWriter& writer, const CostPicture& cost) {
  writer.begin_object();
  writer.field("perMonth", cost.per_month);
  writer.field("clusterWidePerMonth", cost.cluster_wide_per_month);
  writer.field("gigabytesPerMonth", cost.gigabytes_per_month);
  writer.end_object();
}

template <class T, class Write>
void object_or_null(DocumentWriter& writer, std::string_view key, const std::optional<T>& value,
                    Write write) {
  writer.key(key);
  if (value) {
    write(writer, *value);
  } else {
    writer.null();
  }
}

void write_family(DocumentWriter& writer, const FamilyPicture& family) {
  writer.field("family", family.family);
  writer.field("endpoints", family.endpoints);
  writer.key("plan");
  write_plan(writer, family.plan);
}

void write_service(DocumentWriter& writer, const ServicePicture& service) {
  writer.field("service", service.full_name());
  writer.field("namespace", service.ns);
  writer.field("name", service.name);
  text_or_null(writer, "clusterIP",
               service.cluster_ips.empty() ? std::string() : service.cluster_ips.front());
  texts(writer, "clusterIPs", service.cluster_ips);
  writer.field("policy", service.plan.policy);
  write_bound(writer, service.plan.overload);
  writer.field("annotated", service.has_annotation);
  writer.field("family", service.family);
  writer.field("endpoints", service.endpoints);
  writer.key("plan");
  write_plan(writer, service.plan);
  object_or_null(writer, "measured", service.measured, write_measured);
  object_or_null(writer, "cost", service.cost, write_cost);
  list(writer, "otherFamilies", service.other_families, write_family);
}

void write_zone(DocumentWriter& writer, const ZonePicture& zone) {
  writer.field("name", zone.name);
  writer.field("failed", zone.failed);
  field(writer, "demand", zone.demand);
  field(writer, "requestsPerSecond", zone.requests_per_second);
}

void write_node(DocumentWriter& writer, const NodePicture& node) {
  writer.field("name", node.name);
  writer.field("zone", node.zone);
  writer.field("ready", node.ready);
  writer.field("cordoned", node.cordoned);
  writer.field("power", node.power);
  text_or_null(writer, "address", node.address);
  text_or_null(writer, "status", node.status_url);
}

void write_pod(DocumentWriter& writer, const PodPicture& pod) {
  writer.field("namespace", pod.ns);
  writer.field("name", pod.name);
  writer.field("node", pod.node);
  writer.field("zone", pod.zone);
  text_or_null(writer, "address", pod.address);
  writer.field("ready", pod.ready);
  writer.field("terminating", pod.terminating);
  texts(writer, "services", pod.services);
  field(writer, "requestsPerSecond", pod.requests_per_second);
}

void write_event(DocumentWriter& writer, const EventPicture& event) {
  writer.field("time", event.time);
  writer.field("type", event.type);
  writer.field("reason", event.reason);
  writer.field("object", event.object);
  writer.field("message", event.message);
}

void write_totals(DocumentWriter& writer, const TotalsPicture& totals) {
  writer.begin_object();
  field(writer, "local", totals.local);
  field(writer, "worstOverload", totals.worst_overload);
  writer.field("measuring", totals.measuring);
  writer.field("requestsPerSecond", totals.requests_per_second);
  writer.field("retried", totals.retried);
  writer.field("failed", totals.failed);
  writer.field("failedEver", totals.failed_ever);
  writer.field("costPerMonth", totals.cost_per_month);
  writer.field("clusterWidePerMonth", totals.cluster_wide_per_month);
  writer.end_object();
}

void write_nothing_measured(DocumentWriter& writer) {
  writer.begin_object();
  for (const char* const key :
       {"local", "worstOverload", "measuring", "requestsPerSecond", "retried", "failed",
        "failedEver", "costPerMonth", "clusterWidePerMonth"}) {
    writer.key(key);
    writer.null();
  }
  writer.end_object();
}

void write_asked(DocumentWriter& writer, const AskedProxies& asked) {
  writer.begin_object();
  writer.field("nodes", asked.nodes);
  writer.field("asked", asked.asked);
  writer.field("answered", asked.answered);
  text_or_null(writer, "problem", asked.problem);
  writer.end_object();
}

void write_price(DocumentWriter& writer, double per_gigabyte) {
  writer.key("price");
  writer.begin_object();
  writer.field("currency", "$");
  writer.field("perGb", per_gigabyte);
  writer.end_object();
}

void write_not_shown(DocumentWriter& writer, const LiveState& state) {
  writer.key("notShown");
  writer.begin_object();
  writer.field("services", state.services_not_shown);
  writer.field("pods", state.pods_not_shown);
  writer.end_object();
}

}  // namespace

void write_plan(DocumentWriter& writer, const PlanPicture& plan) {
  writer.begin_object();
  writer.field("policy", plan.policy);
  write_bound(writer, plan.overload);
  writer.field("local", plan.local);
  writer.field("rejected", plan.rejected);
  writer.field("crossings", plan.crossings);
  writer.field("worstOverload", plan.worst_overload);
  writer.field("hinted", plan.hinted);
  writer.field("split", plan.split);
  writer.key("why");
  writer.begin_object();
  write_reason(writer, plan.why);
  writer.end_object();
  list(writer, "notes", plan.notes, write_reason);
  writer.key("demand");
  writer.begin_object();
  for (const auto& [zone, share] : plan.demand) writer.field(zone, share);
  writer.end_object();
  list(writer, "flows", plan.flows, write_planned_flow);
  list(writer, "endpoints", plan.endpoints, write_planned_endpoint);
  writer.end_object();
}

std::string state_document(const LiveState& state) {
  DocumentWriter writer(report::DocumentFormat::Compact);
  writer.begin_object();
  writer.field("version", state.version);
  writer.field("mode", state.simulated ? "simulator" : state.lab ? "lab" : "cluster");
  writer.field("readOnly", state.read_only);
  writer.field("time", state.time);
  writer.field("revision", state.revision);
  writer.field("windowSeconds", state.window_seconds);
  writer.field("loadWindowSeconds", kLoadWindowSeconds);
  write_price(writer, state.price_per_gigabyte);
  text_or_null(writer, "waitingFor", state.waiting_for);
  list(writer, "zones", state.zones, write_zone);
  list(writer, "nodes", state.nodes, write_node);
  list(writer, "pods", state.pods, write_pod);
  list(writer, "services", state.services, write_service);
  writer.key("totals");
  if (state.totals) {
    write_totals(writer, *state.totals);
  } else {
    write_nothing_measured(writer);
  }
  object_or_null(writer, "asked", state.asked, write_asked);
  list(writer, "events", state.events, write_event);
  write_not_shown(writer, state);
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::web
