/**
 * At Google a stopped machine can become another size of its series only: other types are passed over when it shall wake and its own is sold out.
 */
import { expect, it } from 'vitest';
import type { OfferId } from '../../../../domain/fleet/selection/offer.ts';
import { virtualGoogle } from '../../../../testing/fleet/virtual-cloud.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder } from '../../../../testing/fleet/virtual-ladder.ts';

const MINUTE = 60_000;
const ZONE = 'europe-west4-a';
const offer = (instanceType: string): OfferId => ({
  provider: 'google',
  location: ZONE,
  instanceType,
  market: 'ondemand',
});

it('a machine whose size is sold out serves again as the next size, the same machine with the same disk', async () => {
  const life = new VirtualInstance({
    cloud: virtualGoogle,
    rank: fixedLadder([offer('g2-standard-4'), offer('a2-highgpu-1g'), offer('g2-standard-8')]),
    settings: { suspendStrategies: ['shutdown'] },
  });
  await life.runUntil(() => life.state.phase === 'ready');
  life.request('suspend');
  await life.runUntil(() => life.state.phase === 'suspended', 30 * MINUTE);
  const before = life.state.machine;
  life.sim.core.setStock([{ types: 'g2-standard-4', count: 0 }]);
  life.request('wake');
  await life.runUntil(() => life.state.phase === 'ready', 30 * MINUTE);
  expect(life.state.machine).toMatchObject({
    providerId: before?.providerId,
    osVolumeId: before?.osVolumeId,
    intent: { offer: `google/${ZONE}/g2-standard-8/ondemand` },
  });
});

it('a machine that was ended with its disk kept serves again from that disk, in the same zone', async () => {
  const life = new VirtualInstance({
    cloud: virtualGoogle,
    rank: fixedLadder([offer('g2-standard-4'), offer('g2-standard-8')]),
    settings: { suspendStrategies: ['discontinue_keep_volume'] },
  });
  await life.runUntil(() => life.state.phase === 'ready');
  const before = life.state.machine;
  life.request('suspend');
  await life.runUntil(() => life.state.phase === 'suspended', 30 * MINUTE);
  expect(life.living).toEqual([]);
  life.sim.core.setStock([{ types: 'g2-standard-4', count: 0 }]);
  life.request('wake');
  await life.runUntil(() => life.state.phase === 'ready', 30 * MINUTE);
  expect(life.state.machine?.osVolumeId).toBe(before?.osVolumeId);
  expect(life.state.machine?.providerId).not.toBe(before?.providerId);
  const kept = life.sim.core.volumes().filter(({ status }) => status !== 'purged');
  expect(kept.map(({ name }) => `${ZONE}/${name}`)).toEqual([before?.osVolumeId]);
});
