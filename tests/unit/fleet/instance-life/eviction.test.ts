/** A machine that goes away by itself is told by what it was: a spot machine was evicted, any other is gone. */
import { expect, it } from 'vitest';
import { EVICTED } from '../../../../domain/fleet/instance-life/running.ts';
import { atMostOne } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';

/** Reasons of the history after the machine was taken away while it served. */
async function reasonsAfterLoss(market: 'spot' | 'ondemand'): Promise<string[]> {
  const rank = fixedLadder([simulatedOffer('1H100.80S.30V', 'FIN-01', market)]);
  const life = new VirtualInstance({ rank, check: atMostOne });
  await life.runUntil(() => life.state.phase === 'ready');
  const { length } = life.transitions;
  const id = life.state.machine?.providerId ?? '';
  if (market === 'spot') life.sim.core.evict(id);
  else life.sim.core.delete(id);
  await life.runUntil(() => life.isOver);
  return life.transitions.slice(length).map((t) => t.reason);
}

it('a spot machine that the provider takes back is said to be evicted', async () =>
  expect(await reasonsAfterLoss('spot')).toContain(EVICTED));

it('a machine on demand is not said to be evicted', async () => {
  const reasons = await reasonsAfterLoss('ondemand');
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons.join(' ')).not.toContain('evicted');
});
