// SPDX-License-Identifier: Apache-2.0
// The model of the other stories is ours; these documents are the program's own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeProgram, recorded } from '../fake_program.mjs';
import { clean, looks } from '../looks.mjs';
import { folder, openTab } from '../story.mjs';

test('what the real program writes is shown', { timeout: 180000 }, async () => {
  const program = new FakeProgram(folder);
  program.documents = await recorded();
  const { state, explain, routes, predict } = program.documents;
  const url = await program.listen();
  const tab = await openTab();
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
