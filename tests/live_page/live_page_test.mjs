// SPDX-License-Identifier: Apache-2.0
// The live page in headless Chromium over a fake program: every control, both themes, three widths.
//   node live_page_test.mjs FOLDER    (where the page was built)
// Exit code 77: there is no browser, and nothing of this was shown.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Browser, findBrowser } from './browser.mjs';
import { FakeProgram, recorded, shapes } from './fake_program.mjs';
import { clean, looks } from './looks.mjs';

if (!findBrowser()) {
  console.log('no chromium on the path and none in CHROMIUM: the live page was not looked at');
  process.exit(77);
}
const folder = process.argv[2];
let browser;
before(async () => { browser = await Browser.start(); });
after(() => browser.stop());

// A tab over a program of its own; both are gone afterwards.
const page = (name, { shape = 'lab', address = '#/', ...look }, body) => test(name, { timeout: 60000 }, async () => {
  const program = new FakeProgram(folder, shapes[shape]);
  const url = await program.listen();
  const tab = await browser.open(look);
  try {
    await tab.go(url + address);
    await body(tab, program);
    assert.deepEqual(tab.errors, []);
  } finally {
    await tab.close();
    await program.close();
  }
});

const lastPost = (program) => program.posts[program.posts.length - 1];
const posted = async (tab, program, count) => {
  for (let i = 0; i < 100 && program.posts.length < count; ++i) await tab.pause(50);
  return lastPost(program);
};

// How it looks.
for (const [shape, address, ready] of [
  ['lab', '#/', '.service-row a'], ['lab', '#/service/shop/lopsided', '#explanation'], ['lab', '#/node/node-1', '#routes details'],
  ['cluster', '#/service/shop/even', '#explanation'], ['many', '#/nodes', '.node-row a'], ['many', '#/', '.service-row a'], ['empty', '#/', '.empty'],
]) {
  page(`${shape} ${address} is whole and readable at every width, light and dark`, { shape, address }, async (tab) => {
    await tab.until(`document.querySelector(${JSON.stringify(ready)})`);
    for (const width of [400, 1280, 1920]) {
      for (const dark of [false, true]) {
        await tab.size(width, 800);
        await tab.prefer({ dark });
        await tab.settled();
        assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' }, `${width} ${dark ? 'dark' : 'light'}`);
      }
    }
  });
}

page('what fails and what is lost is readable too', {}, async (tab, program) => {
  program.cluster.failZone('zone-b');
  program.cluster.killNode('node-1');
  await tab.click('[data-zone="zone-c"] .fail');
  await tab.until('document.querySelectorAll(".zone.failed").length === 2');
  for (const width of [400, 1280]) {
    for (const dark of [false, true]) {
      await tab.size(width, 800);
      await tab.prefer({ dark });
      await tab.settled();
      assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' }, `${width} ${dark ? 'dark' : 'light'}`);
    }
  }
});

page('large type fits as well', { width: 1280 }, async (tab) => {
  const size = () => tab.read('parseFloat(getComputedStyle(document.body).fontSize)');
  const before = await size();
  await tab.click('#large');
  assert.ok(await size() > before * 1.2);
  await tab.settled();
  const { sticksOut, outside, overlapping, cutOff } = await tab.read(`(${looks})()`);
  assert.deepEqual({ sticksOut, outside, overlapping, cutOff }, { sticksOut: 0, outside: [], overlapping: [], cutOff: [] });
});

page('a theme can be chosen and is kept', { dark: false }, async (tab) => {
  await tab.click('.switch [data-value="dark"]');
  assert.equal((await tab.read(`(${looks})()`)).theme, 'dark');
  await tab.send('Page.reload');
  await tab.until('document.querySelector("main")?.dataset.ready');
  assert.equal((await tab.read(`(${looks})()`)).theme, 'dark');
});

page('dashes do not move for those who asked for that', { reducedMotion: true }, async (tab) => {
  assert.equal(await tab.read('getComputedStyle(document.querySelector(".dashes")).display'), 'none');
});
page('and move for others', {}, async (tab) => {
  assert.equal(await tab.read('getComputedStyle(document.querySelector(".dashes")).animationName'), 'flow');
});

// What it shows.
page('zones, nodes, pods and flows are on the map', {}, async (tab) => {
  await tab.until('document.querySelector(".flow-map")');
  assert.equal(await tab.count('.flow-map .panel'), 3);
  assert.equal(await tab.count('.flow-map .node'), 6);
  assert.equal(await tab.count('.flow-map .pod'), 13);
  assert.ok(await tab.count('.band.leaves') > 0 && await tab.count('.band.stays') > 0);
  assert.equal(await tab.count('#flow-table tbody tr'), await tab.count('.band'));
  await tab.click('.map [data-value="plan"]');
  assert.match(await tab.text('.map .note'), /As planned/);
});

page('thicker is more', {}, async (tab) => {
  await tab.until('document.querySelector(".band")');
  const bands = await tab.read('[...document.querySelectorAll(".band")].map((b) => [parseFloat(b.querySelector("title").textContent.split(": ")[1]), parseFloat(b.querySelector(".body").getAttribute("stroke-width"))])');
  const widest = bands.reduce((a, b) => (b[1] > a[1] ? b : a));
  assert.equal(widest[0], Math.max(...bands.map(([rate]) => rate)));
});

page('figures of the whole cluster are at the top', {}, async (tab) => {
  assert.equal(await tab.count('.tile'), 5);
  assert.match(await tab.text('[data-tile="cost"]'), /\$8\.\d\d.*saved: \$12\.40 cluster-wide/);
  assert.match(await tab.text('[data-tile="rate"]'), /0 failed ever/);
});

page('a service in the list has policy, shares, reason and money', {}, async (tab) => {
  const row = await tab.read('document.querySelector("[data-service=\\"shop/lopsided\\"]").closest("[role=row]").textContent');
  assert.match(row, /shop\/lopsided.*3\d%.*planned 33%.*\$4.*auto.*Unable to allocate minimum required endpoints/);
  await tab.click('[data-sort="local"] button');
  assert.notEqual(await tab.text('.service-row a'), 'shop/even', 'the other two are measured to be a third, more or less');
  await tab.click('[data-sort="local"] button');
  assert.equal(await tab.text('.service-row a'), 'shop/even');
  assert.equal(await tab.read('document.querySelector("[data-sort=local]").getAttribute("aria-sort")'), 'descending');
});

page('a thousand services are filtered, and few of them are drawn', { shape: 'many' }, async (tab, program) => {
  assert.ok(await tab.count('.service-row') < 40);
  assert.equal(await tab.read('document.querySelector(".service-table").getAttribute("aria-rowcount")'), '1001');
  await tab.set('#filter', 'TEAM-07 price-4', 'input');
  const wanted = program.cluster.services.map(({ service }) => service).filter((name) => name.startsWith('team-07/price-4'));
  assert.equal(wanted.length, 4);
  await tab.until('document.querySelector("#count").textContent.startsWith("4 of 1,000")');
  assert.deepEqual(await tab.read('[...document.querySelectorAll(".service-row a")].map(({ textContent }) => textContent)'), wanted);
  await tab.set('#filter', 'no such service', 'input');
  await tab.until('document.querySelector(".service-table .empty")');
  await tab.set('#filter', '', 'input');
  await tab.set('#filter-policy', 'balanced', 'change');
  await tab.until('document.querySelector("#count").textContent.startsWith("250 of")');
  await tab.read('document.querySelector(".rows").scrollTop = 5000');
  await tab.until('document.querySelector(".rows-in-sight .service-row").getAttribute("aria-rowindex") > 50');
  await tab.click('#filter-attention');
  await tab.until('!document.querySelector("#count").textContent.startsWith("250 of")');
});

page('a state with a thousand services costs little to draw', { shape: 'many' }, async (tab, program) => {
  // The processor's time of the page's thread, so that a busy machine does not count.
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await tab.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const [before, revision] = [await spent(), program.cluster.revision];
  for (let i = 0; i < 4; ++i) {
    const time = await tab.text('#connection');
    await tab.until(`document.querySelector("#connection").textContent !== ${JSON.stringify(time)}`);
  }
  const each = (await spent() - before) / (program.cluster.revision - revision);
  assert.ok(each < 0.5, `${each} s of processor time a state`);
});

page('a click on a service shows plan against measured', {}, async (tab) => {
  await tab.click('[data-service="shop/lopsided"]');
  await tab.until('document.querySelector("#plan-measured")');
  assert.match(await tab.text('#why'), /Unable to allocate.*overload_too_high.*use policy balanced/s);
  assert.equal(await tab.count('#matrix tbody td'), 9);
  assert.equal(await tab.count('#endpoints tbody tr'), 4);
  assert.match(await tab.text('#endpoints tbody tr'), /lopsided-1zone-a, node-\d1\.00×\d\.\d\d×/);
  assert.match(await tab.text('#map-title'), /shop\/lopsided/);
  assert.match(await tab.text('#history-title'), /shop\/lopsided/);
  assert.equal(await tab.read('document.activeElement.id'), 'detail-title');
  assert.equal(await tab.read('document.title'), 'shop/lopsided – Proxima live');
  await tab.until('document.querySelector("#explanation [data-code=overload_too_high]")');
  await tab.set('#explain-from', 'zone-c', 'change');
  await tab.press('Tab');
  await tab.read('history.back()');
  await tab.until('document.querySelector(".service-table")');
});

page('a service that is gone is said to be gone', { address: '#/service/shop/nothing' }, async (tab) => {
  assert.match(await tab.text('.side'), /There is no Service shop\/nothing/);
});

page('the dial predicts, applies, and shows what comes of it', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  assert.equal(await tab.count('#apply, #prediction'), 0);
  assert.equal(await tab.read('document.querySelector("#theta").disabled'), true);
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("leaves its zone, the least that an overload bound of 20%")');
  assert.equal(program.posts.length, 0, 'a prediction changes nothing');
  await tab.read('document.querySelector("#theta").focus()');
  await tab.press('ArrowRight');
  await tab.press('ArrowRight');
  await tab.until('document.querySelector("#prediction").textContent.includes("bound of 30%")');
  assert.equal(await tab.read('document.querySelector("#theta").getAttribute("aria-valuetext")'), '30%');
  await tab.click('#undo');
  await tab.until('document.querySelector("#policy").value === "auto"');
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#apply")');
  await tab.click('#apply');
  await tab.until('document.querySelector("#watch")');
  assert.deepEqual(program.posts, [['/api/services/shop/lopsided/policy', { policy: 'balanced', overload: 0.2 }]]);
  await tab.until('/→ 9\\d%/.test(document.querySelector("#watch").textContent)');
  assert.match(await tab.text('#outcome'), /annotated with balanced/);
  await tab.until('document.activeElement.id === "watch"');
  assert.equal(await tab.read('document.querySelector("#policy").value'), 'balanced');
});

page('the dial ends with no bound at all', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  await tab.set('#policy', 'balanced', 'change');
  await tab.read('document.querySelector("#theta").focus()');
  await tab.press('End');
  assert.equal(await tab.text('.dial output'), '∞');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("All traffic stays in its zone")');
  await tab.click('#apply');
  assert.deepEqual(await posted(tab, program, 1), ['/api/services/shop/lopsided/policy', { policy: 'balanced', overload: 'inf' }]);
  await tab.until('document.querySelector("#detail-title + .facts .chip").textContent === "balanced θ ∞"');
  assert.equal(await tab.text('.dial output'), '∞', 'what is in force');
});

page('an overload without enough requests is no figure', {}, async (tab, program) => {
  await tab.until('/%|none/.test(document.querySelector("[data-tile=overload] .figure").textContent)');
  program.cluster.measuring = true;
  await tab.until('document.querySelector("[data-tile=overload] .figure").textContent === "measuring"');
  assert.equal(await tab.text('.service-row:not(.headings) .column-overload'), 'measuring');
  for (const width of [400, 1280]) {
    await tab.size(width, 800);
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' }, `${width}`);
  }
  await tab.click('[data-service="shop/even"]');
  await tab.until('document.querySelector("#plan-measured")');
  assert.match(await tab.text('#plan-measured'), /Worst overload.*measuring/);
  assert.match(await tab.text('#endpoints'), /–/);
  assert.match(await tab.text('.readout'), /overload –/);
  program.cluster.measuring = false;
  await tab.until('/by chance, 47 s/.test(document.querySelector("#plan-measured").textContent) || /none/.test(document.querySelector("#plan-measured").textContent)');
});

page('annotations can be taken away again', { address: '#/service/shop/even' }, async (tab, program) => {
  await tab.set('#policy', '', 'change');
  await tab.until('document.querySelector("#apply")');
  await tab.click('#apply');
  assert.deepEqual(await posted(tab, program, 1), ['/api/services/shop/even/policy', { policy: null }]);
});

page('a dual-stack service has a plan for each family', { address: '#/service/shop/even' }, async (tab) => {
  await tab.until('document.querySelector(".families")');
  assert.match(await tab.text('.detail .facts'), /172\.30\.0\.1, fd00:172:30::1/);
  assert.equal(await tab.text('#plan-measured thead'), 'FigurePlanMeasured');
  await tab.click('.families [data-value="IPv6"]');
  await tab.until('document.querySelector("#family-note")?.textContent.includes("What is shown of IPv6 is the plan.")');
  assert.equal(await tab.text('#plan-measured thead'), 'FigurePlan');
  assert.equal(await tab.count('.dial'), 0, 'a policy is for both');
  await tab.settled();
  assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' });
  await tab.click('.families [data-value="IPv4"]');
  await tab.until('document.querySelector(".dial")');
});

page('a simulator says that it has neither proxies nor clients', { shape: 'simulator', address: '#/node/node-1' }, async (tab) => {
  await tab.until('document.querySelector("#routes .empty")');
  assert.match(await tab.text('#routes'), /A simulator has no machines: no proxy runs on this node/);
  assert.ok(!(await tab.text('.detail')).includes('Req/s'));
  assert.match(await tab.text('.lab'), /no clients whose demand could be moved/);
  assert.equal(await tab.count('.lab input[type=range]'), 0);
  await tab.until('document.querySelector("#why-planned")');
  assert.match(await tab.text('#why-planned'), /what is drawn is the plan/);
  for (const dark of [false, true]) {
    await tab.prefer({ dark });
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: dark ? 'dark' : 'light' });
  }
});

page('the history of a cluster is that of its plans, and says so', { shape: 'cluster', address: '#/service/shop/even' }, async (tab) => {
  await tab.until('document.querySelectorAll(".chart canvas").length === 2');
  assert.match(await tab.text('.readout'), /100% local/);
  assert.match(await tab.text('.history'), /Stays in its zone, planned/);
  assert.match(await tab.text('#why-planned'), /does not see traffic.*proxima_service_connections_total/);
});

page('a node has its pods and its routes with reasons', {}, async (tab) => {
  await tab.read('document.querySelector("[data-node=node-1]").focus()');
  await tab.press('Enter');
  await tab.until('document.querySelector("#routes details")');
  assert.equal(await tab.count('#routes details'), 3);
  assert.match(await tab.text('#routes details'), /shop\/even.*Topology Aware Hints has been enabled\..*hints_assigned.*172\.30\.0\.1:80\/TCP.*50%/s);
  assert.match(await tab.text('.detail'), /shop\/even-\d/);
  await tab.click('#routes-again');
});

page('a node without power says why there are no routes', { address: '#/node/node-1' }, async (tab, program) => {
  await tab.click('.detail .kill');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/kill-node', { node: 'node-1' }]);
  await tab.until('document.querySelector("#routes").textContent.includes("No routes: node node-1 cannot be reached")');
  assert.equal(await tab.count('.flow-map .node.no-power'), 1);
  await tab.until('document.querySelector(".detail .heal")');
  await tab.click('.detail .heal');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/heal', { node: 'node-1' }]);
  await tab.until('document.querySelector("#routes details")');
});

page('history is drawn, told and marked', { address: '#/service/shop/even' }, async (tab, program) => {
  await tab.until('document.querySelectorAll(".chart canvas").length === 2');
  await tab.settled();
  const painted = 'document.querySelectorAll(".chart canvas")[0].getContext("2d").getImageData(0, 0, 600, 100).data.some((byte) => byte > 0)';
  assert.ok(await tab.read(painted));
  assert.match(await tab.text('.readout'), /100% local/);
  const first = await tab.text('#history-table tbody th');
  await tab.until(`document.querySelector("#history-table tbody th").textContent !== ${JSON.stringify(first)}`);
  await tab.click('.history [data-value="900"]');
  program.cluster.setPolicy('shop/even', { policy: 'balanced', overload: 0.2 });
  await tab.until('/[12] decisions? in sight/.test(document.querySelector(".readout").textContent)');
});

page('decisions are logged, those of a service with the service', {}, async (tab, program) => {
  assert.equal(await tab.count('.events li'), 3);
  program.cluster.failZone('zone-b');
  await tab.until('document.querySelector(".events li.warning")');
  assert.match(await tab.text('[role=status].hidden'), /NodeNotReady.*zone-b lost power/);
  await tab.click('[data-service="shop/even"]');
  await tab.until('document.querySelectorAll(".events li").length === 1');
});

// The model above is ours; these documents are the program's own.
test('what the real program writes is shown', { timeout: 60000 }, async () => {
  const program = new FakeProgram(folder);
  program.documents = await recorded();
  const { state, explain, routes, predict } = program.documents;
  const url = await program.listen();
  const tab = await browser.open();
  try {
    await tab.go(`${url}#/service/shop/lopsided`);
    await tab.until('document.querySelector("#explanation")');
    const { plan, measured } = state.services.find(({ service }) => service === 'shop/lopsided');
    assert.ok((await tab.text('#why')).toLowerCase().includes(plan.why.text.toLowerCase()));
    assert.ok((await tab.text('#why')).toLowerCase().includes(plan.why.advice.toLowerCase()));
    for (const { code, sentence } of [...explain.policyChain, ...explain.decisions, ...explain.onNode]) {
      const shown = await tab.text(`#explanation [data-code="${code}"]`);
      assert.ok(shown.toLowerCase().includes(sentence.toLowerCase()), `${shown} is not: ${sentence}`);
    }
    assert.equal(await tab.count('#endpoints tbody tr'), plan.endpoints.length);
    assert.equal(await tab.count('.band'), measured.flows.filter(({ requestsPerSecond }) => requestsPerSecond > 0).length);
    await tab.until('document.querySelectorAll(".chart canvas").length === 2');
    await tab.set('#policy', 'balanced', 'change');
    await tab.until('document.querySelector("#prediction")');
    assert.ok((await tab.text('#prediction')).toLowerCase().includes(predict.then.why.text.toLowerCase()));
    await tab.settled();
    assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' });
    await tab.read(`location.hash = '#/node/${state.nodes[0].name}'`);
    await tab.until('document.querySelector("#routes details")');
    assert.equal(await tab.count('#routes details'), routes.families.reduce((sum, { ports }) => sum + ports.length, 0));
    assert.deepEqual(tab.errors, []);
  } finally {
    await tab.close();
    await program.close();
  }
});

// What can be done in the lab.
page('a zone fails and heals', {}, async (tab, program) => {
  await tab.click('[data-zone="zone-b"] .fail');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/fail-zone', { zone: 'zone-b' }]);
  await tab.until('document.querySelector(".zone.failed")');
  assert.match(await tab.text('[data-tile="nodes"]'), /4 of 6/);
  assert.match(await tab.text('[role=status].hidden'), /zone-b has no power now/);
  await tab.click('[data-zone="zone-b"] .heal');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/heal', { zone: 'zone-b' }]);
  await tab.until('!document.querySelector(".zone.failed")');
  await tab.click('[data-zone="zone-a"] .fail');
  await tab.until('!document.querySelector("#heal-all").disabled');
  await tab.click('#heal-all');
  assert.deepEqual(await posted(tab, program, 4), ['/api/lab/heal', {}]);
});

page('nodes are added and killed from lists', {}, async (tab, program) => {
  await tab.click('[data-zone="zone-c"] .add');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/add-node', { zone: 'zone-c' }]);
  await tab.until('document.querySelectorAll(".flow-map .node").length === 7');
  await tab.click('.tabs a[href="#/nodes"]');
  await tab.until('document.querySelectorAll(".node-row .kill").length === 7');
  await tab.click('.node-row .kill');
  assert.deepEqual(await posted(tab, program, 2), ['/api/lab/kill-node', { node: 'node-1' }]);
  await tab.until('document.querySelector(".node-row .heal")');
});

page('demand is moved by keys, and makes a whole', {}, async (tab, program) => {
  await tab.read('document.querySelector("[data-demand=zone-a]").focus()');
  for (let i = 0; i < 7; ++i) await tab.press('ArrowRight');
  const [path, { zones }] = await posted(tab, program, 1);
  assert.equal(path, '/api/lab/demand');
  assert.deepEqual(zones, { 'zone-a': 0.4, 'zone-b': 0.3, 'zone-c': 0.3 });
  await tab.until('document.querySelector("[data-zone=zone-a] output").textContent === "40%"');
  await tab.press('End');
  assert.deepEqual((await posted(tab, program, 2))[1].zones, { 'zone-a': 1, 'zone-b': 0, 'zone-c': 0 });
});

page('a service is scaled by zone', { address: '#/service/shop/lopsided' }, async (tab, program) => {
  assert.equal(await tab.read('document.querySelector("#scale").disabled'), true);
  await tab.set('[data-scale="zone-c"]', '3', 'input');
  await tab.until('!document.querySelector("#scale").disabled');
  await tab.click('#scale');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/scale', { service: 'shop/lopsided', zones: { 'zone-c': 3 } }]);
  await tab.until('document.querySelectorAll("#endpoints tbody tr").length === 6');
});

page('a refusal is told in the program\'s words', {}, async (tab, program) => {
  program.refuse = 'zone-a is the last zone with power';
  await tab.click('[data-zone="zone-a"] .fail');
  await tab.until('document.querySelector("#outcome")?.textContent.includes("zone-a is the last zone with power")');
  await tab.click('#outcome button');
  await tab.until('!document.querySelector("#outcome")');
});

// Where there is no lab.
page('a read-only cluster has no controls, and predicts all the same', { shape: 'cluster', address: '#/service/shop/lopsided' }, async (tab) => {
  assert.equal(await tab.count('.lab, #apply, .kill, [data-scale]'), 0);
  assert.equal(await tab.text('#read-only'), 'read-only');
  await tab.set('#policy', 'balanced', 'change');
  await tab.until('document.querySelector("#prediction")?.textContent.includes("leaves its zone")');
  assert.match(await tab.text('.map .note'), /As planned/);
  assert.match(await tab.text('.map .legend'), /share of traffic/);
});

page('a lab without traffic has its controls, and shows plans', { shape: 'simulator' }, async (tab, program) => {
  assert.match(await tab.text('.map .note'), /As planned/);
  await tab.click('[data-zone="zone-b"] .fail');
  assert.deepEqual(await posted(tab, program, 1), ['/api/lab/fail-zone', { zone: 'zone-b' }]);
  await tab.until('document.querySelector(".zone.failed")');
});

page('an empty cluster says what is missing', { shape: 'empty' }, async (tab) => {
  assert.match(await tab.text('.map'), /No node has joined yet/);
  assert.match(await tab.text('.side'), /There is no Service yet/);
});

// The connection.
page('states come by themselves', {}, async (tab, program) => {
  await tab.until(`document.querySelector("#connection").textContent.includes("live")`);
  const before = await tab.text('#connection');
  await tab.until(`document.querySelector("#connection").textContent !== ${JSON.stringify(before)}`);
  program.cluster.addNode('zone-a');
  await tab.until('document.querySelectorAll(".flow-map .node").length === 7');
});

page('a lost connection is told, and found again by itself', {}, async (tab, program) => {
  await program.close();
  await tab.until('document.querySelector(".banner.lost[role=alert]")?.textContent.includes("Connection lost.")');
  assert.match(await tab.text('[role=status].hidden'), /lost/);
  await tab.settled();
  assert.deepEqual(await tab.read(`(${looks})()`), { ...clean, theme: 'light' });
  await program.listen();
  await tab.until('!document.querySelector(".banner.lost")', 15000);
  assert.match(await tab.text('#connection'), /live/);
  assert.match(await tab.text('[role=status].hidden'), /Connected again/);
});

test('a wrong token is told as such', { timeout: 60000 }, async () => {
  const program = new FakeProgram(folder);
  program.token = false;
  const tab = await browser.open();
  try {
    await tab.send('Page.navigate', { url: await program.listen() });
    await tab.until('document.querySelector(".banner.lost")?.textContent.includes("does not accept this page\'s token")');
    program.token = true;
    await tab.until('document.querySelector("main")?.dataset.ready', 15000);
  } finally {
    await tab.close();
    await program.close();
  }
});

// Keys.
page('the keyboard reaches everything, and focus is seen', {}, async (tab) => {
  await tab.until('document.querySelector(".chart canvas")');
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await tab.press('Tab');
    const at = await tab.read(`(() => {
      const e = document.activeElement;
      const style = getComputedStyle(e);
      const box = e.querySelector(':scope > .node-box');
      return { what: (e.id || e.getAttribute('data-node') || e.getAttribute('data-demand') || e.getAttribute('data-service') || e.className || e.tagName) + '', seen: style.outlineStyle !== 'none' || (box && getComputedStyle(box).strokeWidth === '2.5px') };
    })()`);
    if (at.what === 'BODY') break;
    assert.ok(at.seen, `focus on ${at.what} is not seen`);
    seen.add(at.what);
  }
  for (const what of ['skip', 'large', 'node-1', 'zone-a', 'shop/even', 'shop/single']) assert.ok(seen.has(what), `${what} is not reached: ${[...seen]}`);
});
