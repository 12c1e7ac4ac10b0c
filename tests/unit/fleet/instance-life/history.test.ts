/** What the rows of an instance's history tell the ledger: the disks there were, and how long its models took to load. */
import { expect, it } from 'vitest';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { PROOF_FACTS } from '../../../../testing/fleet/virtual-gateway.ts';

const LADDER = fixedLadder([simulatedOffer('1H100.80S.30V')]);

const until = (life: VirtualInstance, phase: string): Promise<void> => life.runUntil(() => life.state.phase === phase);

it('the history of an instance names the disks of the machine, and the one that is kept while there is no machine', async () => {
  const life = new VirtualInstance({ rank: LADDER });
  await until(life, 'ready');
  const disk = life.state.machine?.osVolumeId ?? '';
  expect(life.transitions.at(-1)).toMatchObject({ to: 'ready', volumeIds: [disk] });
  life.request('suspend');
  await until(life, 'suspended');
  expect(life.transitions.at(-1)).toMatchObject({ to: 'suspended', providerId: null, volumeIds: [disk] });
  life.request('wake');
  await until(life, 'ready');
  expect(life.transitions.at(-1)?.volumeIds).toEqual([disk]);
});

it('the history of an instance says on the row that enters `ready` how long the models took to load, once for each proof', async () => {
  const life = new VirtualInstance({ rank: LADDER });
  await until(life, 'ready');
  expect(life.transitions.filter((row) => row.loadMs !== null).map((row) => [row.from, row.to, row.loadMs])).toEqual([
    ['booting', 'ready', PROOF_FACTS.loadMs],
  ]);
  life.report({ kind: 'serve_ended', commandId: life.attachment, reason: 'the gateway died' });
  await until(life, 'booting');
  await until(life, 'ready');
  expect(life.transitions.filter((row) => row.loadMs !== null)).toHaveLength(2);
});
