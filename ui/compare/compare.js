// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

function startChooser() {
  const select = byId('policy');
  select.append(...[...otherIndices, ...balancedIndices].map((index) => make('option', { value: index },
    variantTitle(index) + (index === data.recommended ? ' (recommended)' : ''))));
  select.value = String(choice.variant);
  select.addEventListener('change', () => choice.set(Number(select.value)));
  choice.listeners.push(() => { select.value = String(choice.variant); });
}

drawFacts();
drawAssumptions();
drawSummary();
startChooser();
startFrontier();
startHeat();
drawGains();
drawIdle();
drawPolicies();
startServices();
choice.listeners.push(drawSummary, drawFrontier, drawHeat, drawGains, drawPolicies, drawServices);
document.documentElement.dataset.state = 'ready';
