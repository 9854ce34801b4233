// SPDX-License-Identifier: Apache-2.0
// What the program sends. Fields marked as optional came later or are missing without a lab.

export type Level = 'ok' | 'good' | 'info' | 'fallback' | 'refused' | 'broken';

export interface Note { reason: string; level: Level | string; text: string; advice?: string }

// A share of all the service's traffic.
export interface Flow { from: string; to: string; share: number }

export interface PlannedEndpoint { pod: string | null; address: string; zone: string; node: string; load: number }

export interface Plan {
  policy: string;
  overload: number | string | null;
  local: number;
  rejected?: number;  // share of the traffic that no endpoint takes
  crossings: number;  // what it pays for, in crossings between zones of a region
  worstOverload: number;
  hinted: boolean;
  split: boolean;
  why: Note;
  notes: Note[];
  flows: Flow[];
  endpoints: PlannedEndpoint[];
}

export interface MeasuredFlow extends Flow { requestsPerSecond: number }
// Without a load while too few requests were counted.
export interface MeasuredEndpoint { pod: string | null; address?: string; zone: string; node: string; load: number | null; requestsPerSecond: number }

export interface Measured {
  local: number | null;
  worstOverload: number | null;  // null: too few requests since shares, plan or clients changed
  overloadMargin?: number;       // one standard deviation, by chance
  loadSeconds?: number;          // over which loads were counted
  requestsPerSecond: number;
  retried: number;
  failed: number;
  flows: MeasuredFlow[];
  endpoints: MeasuredEndpoint[];
}

export interface Cost { perMonth: number; clusterWidePerMonth: number; gigabytesPerMonth: number }

export interface Family { family: string; endpoints: number; plan: Plan }

export interface Service {
  service: string;  // "shop/even"
  namespace: string;
  name: string;
  clusterIP: string | null;
  clusterIPs?: string[];  // of all address families
  policy: string;
  overload: number | string | null;
  annotated?: boolean;  // an annotation of the Service says the policy
  family?: string;      // of what follows: the first that it has, by which a lab's clients ask
  endpoints: number;
  plan: Plan | null;
  measured: Measured | null;
  cost: Cost | null;
  otherFamilies?: Family[];
}

export interface Zone { name: string; failed: boolean; demand: number | null; requestsPerSecond: number | null }

export interface Node {
  name: string;
  zone: string;
  ready: boolean;
  cordoned: boolean;
  power: boolean;
  address: string | null;
  status: string | null;
}

export interface Pod {
  namespace: string;
  name: string;
  node: string;
  zone: string;
  address: string | null;
  ready: boolean;
  terminating: boolean;
  services: string[];
  requestsPerSecond: number | null;
}

export interface Event { time: number; type: string; reason: string; object: string; message: string }

export interface Totals {
  local: number | null;
  worstOverload: number | null;
  measuring?: number | null;  // services whose overload is not known yet
  requestsPerSecond: number | null;
  retried: number | null;
  failed: number | null;
  failedEver: number | null;
  costPerMonth: number | null;
  clusterWidePerMonth: number | null;
}

// Of the node proxies of a cluster, which are asked for what they counted.
export interface Asked { nodes: number; asked: number; answered: number; problem: string | null }

export interface State {
  version: string;
  mode: 'lab' | 'simulator' | 'cluster';
  readOnly: boolean;
  time: number;  // Unix seconds
  revision: number;
  windowSeconds: number;
  loadWindowSeconds?: number;  // of the loads of endpoints, which need more requests to be even
  waitingFor?: string | null;  // what the program does not know yet
  price: { currency: string; perGb: number };
  zones: Zone[];
  nodes: Node[];
  pods: Pod[];
  services: Service[];
  notShown?: { services: number; pods: number };  // left out, because there are too many
  totals: Totals;
  asked?: Asked | null;  // null: nobody is asked
  events: Event[];
}

export type Figures = (number | null)[];

// The plan is that of each time, and null in what an older program sent.
export interface Recorded { local: Figures; overload: Figures; planLocal?: Figures; planOverload?: Figures; rate: Figures; failed: Figures; cost?: Figures }

export interface History {
  step: number;  // seconds
  times: number[];
  services: Record<string, Recorded>;
  totals: Recorded;
}

export interface Prediction { service: string; now: Plan; then: Plan }

// The documents of `proxima explain` and of a node's /debug/routes.
export interface Reason { code: string; severity?: string; sentence: string; remedy?: string }

export interface Explanation {
  policyChain?: Reason[];
  decisions?: Reason[];
  onNode?: Reason[];
  splitPermille?: Record<string, Record<string, number>>;
}

export interface RouteBackend { endpoint: string; permille: number; local: boolean; zone?: string }
export interface RouteFrontend { at: string; kind: string; fromPods: string; fromNode: string; fromOutside: string; takenBy?: string }
export interface RoutePort {
  namespace: string;
  service: string;
  port: string;
  protocol: string;
  reason: Reason;
  localReason?: Reason;
  frontends: RouteFrontend[];
  cluster: RouteBackend[];
  local: RouteBackend[];
}
export interface Routes { families: { family: string; ports: RoutePort[] }[] }
