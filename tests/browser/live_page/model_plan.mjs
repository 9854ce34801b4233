// SPDX-License-Identifier: Apache-2.0
// A rough stand-in for the planner, so that a page under test has something sensible to show when a
// policy, the demand or the pods change. Only its shape is like the program's, not its arithmetic.

const reasons = {
  cluster_wide: ['good', 'every ready endpoint is used alike, wherever it is', ''],
  none_ready: ['broken', 'no endpoint is ready', 'find out why the Pods behind the Service are not ready'],
  hints_assigned: ['good', 'Topology Aware Hints has been enabled', ''],
  overload_too_high: ['fallback', 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ({count} endpoints, {zones} zones)',
    'change the number of endpoints, raise --auto-start, or use policy balanced, which splits fractions and always has an answer'],
  too_few_endpoints: ['fallback', 'Insufficient number of endpoints ({count} endpoints, {zones} zones)',
    'run at least one ready endpoint a zone, or use policy balanced, which has an answer for any number'],
  same_zone: ['good', "endpoints in the node's own zone are used", ''],
  none_in_zone: ['fallback', "no ready endpoint is in the node's zone, so all zones are used", 'run an endpoint in that zone'],
  balanced_all_local: ['good', 'all traffic stays in its zone, within an overload bound of {limit}', ''],
  balanced_spill: ['good', '{share} of the traffic leaves its zone, the least that an overload bound of {limit} allows',
    'run more endpoints where traffic starts, or allow more overload'],
};

const percent = (share) => `${Math.round(share * 1000) / 10}%`;
function note(reason, facts = {}) {
  const [level, text, advice] = reasons[reason];
  return { reason, level: level === 'good' ? 'ok' : level, text: text.replace(/{(\w+)}/g, (_, name) => facts[name]), advice };
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

function spread(demand, counts) {
  const total = sum(counts);
  return demand.map((share) => counts.map((count) => (share * count) / total));
}
const sameZone = (demand, counts) => demand.map((share, from) => (counts[from] > 0
  ? counts.map((_, to) => (to === from ? share : 0)) : spread([share], counts)[0]));

function balanced(demand, counts, theta) {
  const total = sum(counts);
  const room = counts.map((count) => (count * (1 + theta)) / total);
  const kept = demand.map((share, zone) => Math.min(share, room[zone]));
  const left = room.map((space, zone) => Math.max(0, Math.min(space, counts[zone]) - kept[zone]));
  const spare = sum(left) || 1;
  return demand.map((share, from) => counts.map((_, to) => (to === from ? kept[from] : 0)
    + ((share - kept[from]) * left[to]) / spare));
}

// `demand` and `counts` by zone; `endpoints` the ready pods of the service.
export function plan(zones, demand, endpoints, policy, theta) {
  const counts = zones.map((zone) => endpoints.filter((pod) => pod.zone === zone).length);
  const facts = { count: endpoints.length, zones: zones.length, limit: theta === 'inf' ? 'inf' : percent(theta ?? 0.2) };
  let matrix = spread(demand, counts);
  let why = note('cluster_wide');
  if (!endpoints.length) {
    matrix = demand.map(() => counts.map(() => 0));
    why = note('none_ready');
  } else if (policy === 'balanced') {
    matrix = balanced(demand, counts, theta === 'inf' ? Infinity : theta ?? 0.2);
    const away = 1 - sum(matrix.map((row, zone) => row[zone]));
    why = away > 0.001 ? note('balanced_spill', { ...facts, share: percent(away) }) : note('balanced_all_local', facts);
  } else if (policy === 'prefer-same-zone' || policy === 'prefer-same-node') {
    matrix = sameZone(demand, counts);
    why = counts.some((count) => !count) ? note('none_in_zone') : note('same_zone');
  } else if (policy === 'auto' && endpoints.length < zones.length) {
    why = note('too_few_endpoints', facts);
  } else if (policy === 'auto' && Math.max(...counts.map((count, zone) => demand[zone] * endpoints.length / (count || 0.1))) > 1.2) {
    why = note('overload_too_high', facts);
  } else if (policy === 'auto') {
    matrix = sameZone(demand, counts);
    why = note('hints_assigned');
  }
  const arriving = counts.map((_, to) => sum(matrix.map((row) => row[to])));
  const loads = counts.map((count, zone) => (count ? (arriving[zone] * endpoints.length) / count : 0));
  return {
    policy, overload: policy === 'balanced' ? (theta ?? 0.2) : null,
    local: sum(matrix.map((row, zone) => row[zone])),
    crossings: 1 - sum(matrix.map((row, zone) => row[zone])),
    worstOverload: Math.max(0, ...loads.map((load) => load - 1)),
    hinted: why.reason === 'hints_assigned', split: policy === 'balanced',
    why, notes: policy === 'balanced' ? [{ reason: 'policy_from_service_annotation', level: 'ok', text: "the Service's annotation proxima.io/policy chooses balanced", advice: '' }] : [],
    flows: zones.flatMap((from, i) => zones.map((to, j) => ({ from, to, share: matrix[i][j] })).filter((flow) => flow.share > 0)),
    endpoints: endpoints.map((pod) => ({ pod: `${pod.namespace}/${pod.name}`, address: pod.address, zone: pod.zone, node: pod.node, load: loads[zones.indexOf(pod.zone)] })),
  };
}
