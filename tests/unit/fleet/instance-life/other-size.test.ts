/**
 * At Google a stopped machine can become another size of its series only: other types are passed over when it shall wake and its own is sold out.
 */
import { expect, it } from 'vitest';
import { virtualGoogle } from '../../../../testing/fleet/virtual-cloud.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { ladderOfKeys } from '../../../../testing/fleet/virtual-ladder.ts';

const MINUTE = 60_000;
const ZONE = 'europe-west4-a';
const offer = (instanceType: string): string => `google/${ZONE}/${instanceType}/ondemand`;

it('a machine whose size is sold out serves again as the next size, the same machine with the same disk', async () => {
  const life = new VirtualInstance({
    cloud: virtualGoogle,
    rank: ladderOfKeys(...['g2-standard-4', 'a2-highgpu-1g', 'g2-standard-8'].map(offer)),
    settings: { suspendStrategies: ['shutdown'] },
  });
  await life.until('ready');
  await life.ask('suspend', 'suspended', 30 * MINUTE);
  const before = life.state.machine;
  life.sim.core.setStock([{ types: 'g2-standard-4', count: 0 }]);
  await life.ask('wake', 'ready', 30 * MINUTE);
  expect(life.state.machine).toMatchObject({
    providerId: before?.providerId,
    osVolumeId: before?.osVolumeId,
    intent: { offer: offer('g2-standard-8') },
  });
});

it('a machine that was ended with its disk kept serves again from that disk, in the same zone', async () => {
  const life = new VirtualInstance({
    cloud: virtualGoogle,
    rank: ladderOfKeys(...['g2-standard-4', 'g2-standard-8'].map(offer)),
    settings: { suspendStrategies: ['discontinue_keep_volume'] },
  });
  await life.until('ready');
  const before = life.state.machine;
  await life.ask('suspend', 'suspended', 30 * MINUTE);
  expect(life.living).toEqual([]);
  life.sim.core.setStock([{ types: 'g2-standard-4', count: 0 }]);
  await life.ask('wake', 'ready', 30 * MINUTE);
  expect(life.state.machine?.osVolumeId).toBe(before?.osVolumeId);
  expect(life.state.machine?.providerId).not.toBe(before?.providerId);
  const kept = life.sim.core.volumes().filter(({ status }) => status !== 'purged');
  expect(kept.map(({ name }) => `${ZONE}/${name}`)).toEqual([before?.osVolumeId]);
});
