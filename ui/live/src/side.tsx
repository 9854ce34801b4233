// SPDX-License-Identifier: Apache-2.0
// Beside the map: the lists, or the one thing that was chosen.
import { useEffect, useRef } from 'preact/hooks';
import { plural } from './format';
import { NodeDetail } from './node_detail';
import { NodeList } from './node_list';
import { address, route, type Route } from './route';
import { ServiceDetail } from './service_detail';
import { ServiceList } from './service_list';
import { state } from './store';

function Body({ to }: { to: Route }) {
  switch (to.view) {
    case 'service': return <ServiceDetail name={to.service} />;
    case 'node': return <NodeDetail name={to.node} />;
    case 'nodes': return <NodeList />;
    case 'services': return <ServiceList />;
  }
}

export function Side() {
  const to = route.value;
  const first = useRef(true);
  // Focus follows to what was opened, as it does when a link leads to another page.
  useEffect(() => {
    if (first.current) first.current = false;
    else (document.getElementById('detail-title') ?? document.getElementById('side'))?.focus({ preventScroll: matchMedia('(min-width: 1100px)').matches });
  }, [address(to)]);
  const { services, nodes } = state.value!;
  const onNodes = to.view === 'nodes' || to.view === 'node';
  return (
    <section class="card side" id="side" tabIndex={-1} aria-label="Services and nodes">
      <nav class="tabs" aria-label="Lists">
        <a href="#/" {...(onNodes ? {} : { 'aria-current': 'true' as const })}>{plural(services.length, 'service')}</a>
        <a href="#/nodes" {...(onNodes ? { 'aria-current': 'true' as const } : {})}>{plural(nodes.length, 'node')}</a>
      </nav>
      <Body to={to} />
    </section>
  );
}
