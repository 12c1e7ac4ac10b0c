/**
 * A machine that goes away by itself is told by what it was: a spot machine was evicted, any other is gone. Where the provider gives notice, a
 * spot machine is drained before.
 */
import { describe, expect, it } from 'vitest';
import { EVICTED, NOTICED } from '../../../../domain/fleet/instance-life/running.ts';
import { NOTICE_COMMAND, readNotice, type NoticeReading } from '../../../../domain/fleet/provider/eviction-notice.ts';
import { ownerOf } from '../../../../domain/fleet/provider/names.ts';
import { virtualAws } from '../../../../testing/fleet/virtual-cloud.ts';
import { atMostOne } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, ladderOfKeys, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';

/** Reasons of the history after the machine was taken away while it served. */
async function reasonsAfterLoss(market: 'spot' | 'ondemand'): Promise<string[]> {
  const rank = fixedLadder([simulatedOffer('1H100.80S.30V', 'FIN-01', market)]);
  const life = new VirtualInstance({ rank, check: atMostOne });
  await life.until('ready');
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

const SPOT = 'aws/eu-west-1a/g5.xlarge/spot';
const ON_DEMAND = 'aws/eu-west-1a/g5.xlarge/ondemand';

/** An instance at AWS, whose notice is read at the machine itself. */
class NoticedLife extends VirtualInstance {
  constructor(...offers: readonly string[]) {
    super({ cloud: virtualAws, rank: ladderOfKeys(...offers), check: atMostOne });
  }

  get machineId(): string {
    return this.living.find((i) => this.idOf(i) === this.state.machine?.providerId)?.id ?? '';
  }

  /** What the shell of the machine says of a notice. */
  read(): NoticeReading {
    const { core } = this.sim;
    const { hostname } = core.instance(this.machineId);
    const { installationId } = this.state.settings;
    const target = { installationId, instance: ownerOf(hostname, installationId)?.instance ?? '', modelUrl: '' };
    const answer = core.machines.run(target, NOTICE_COMMAND, core.settle());
    if (answer.kind !== 'said') throw new Error(`the machine answers ${answer.kind}`);
    return readNotice(answer.output, this.nowMs);
  }

  /** The provider gives notice, and the gateway reads and reports it. */
  notice(): number {
    this.sim.core.evict(this.machineId);
    const reading = this.read();
    if (reading.kind !== 'notice') throw new Error(`the machine reads ${reading.kind}`);
    this.report({ kind: 'eviction_noticed', commandId: this.attachment, endsAtMs: reading.endsAtMs });
    return reading.endsAtMs;
  }
}

describe('a notice of the provider', () => {
  it('is read at the machine, and two minutes ahead', async () => {
    const life = new NoticedLife(SPOT);
    await life.until('ready');
    expect(life.read()).toEqual({ kind: 'none' });
    expect(life.notice() - life.nowMs).toBeGreaterThan(118_000);
  });

  it('ends the service at once, is remembered for the offer, and ends the life before the machine is taken', async () => {
    const life = new NoticedLife(SPOT);
    await life.until('ready');
    const endsAtMs = life.notice();
    await life.until('cordoned');
    expect(life.state.reason.startsWith(NOTICED)).toBe(true);
    const drain = life.executed.find(({ command }) => command.kind === 'drain')?.command;
    expect(drain).toMatchObject({ kind: 'drain' });
    expect(drain?.kind === 'drain' ? drain.timeoutMs : 0).toBeLessThanOrEqual(120_000);
    await life.until('destroying');
    expect(life.nowMs).toBeLessThan(endsAtMs);
    await life.runUntil(() => life.isOver);
    const block = life.ladder.memory.get(SPOT);
    expect(block).toMatchObject({ errorClass: 'capacity_async', message: EVICTED, repeats: 1 });
    expect(life.transitions.filter((t) => t.reason === EVICTED && t.providerId !== null)).not.toEqual([]);
  });

  it('is not lifted by what is asked of the instance meanwhile', async () => {
    const life = new NoticedLife(SPOT);
    await life.until('ready');
    life.request('suspend');
    life.notice();
    life.request('wake');
    await life.runUntil(() => life.isOver);
    expect(life.phases).not.toContain('suspended');
    expect(life.state.phase).toBe('gone');
    expect(life.living).toEqual([]);
  });

  it('to a machine that is not ready yet has the next offer tried', async () => {
    const life = new NoticedLife(SPOT, ON_DEMAND);
    await life.runUntil(() => life.state.step.kind === 'checking');
    life.notice();
    await life.until('ready');
    expect(life.state.machine?.intent.offer).toBe(ON_DEMAND);
  });
});

it('a machine is sought on the market that its pool chose at the birth, and at each wake anew', async () => {
  const life = new VirtualInstance({
    rank: fixedLadder([simulatedOffer('1H100.80S.30V')]),
    check: atMostOne,
    settings: { market: 'spot' },
  });
  await life.until('ready');
  await life.ask('suspend', 'suspended');
  life.request('wake', { market: 'ondemand' });
  await life.until('ready');
  const markets = life.executed.flatMap(({ command }) => (command.kind === 'rank' ? [command.market] : []));
  expect(markets).toEqual(['spot', 'ondemand']);
});
