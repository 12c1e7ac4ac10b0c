/** What the rows of an instance's history tell the ledger: the disks there were, and how long its models took to load. */
import { expect, it } from 'vitest';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { PROOF_FACTS } from '../../../../testing/fleet/virtual-gateway.ts';

const LADDER = fixedLadder([simulatedOffer('1H100.80S.30V')]);

it('the history of an instance names the disks of the machine, and the one that is kept while there is no machine', async () => {
  const life = new VirtualInstance({ rank: LADDER });
  await life.until('ready');
  const disk = life.state.machine?.osVolumeId ?? '';
  expect(life.transitions.at(-1)).toMatchObject({ to: 'ready', volumeIds: [disk] });
  await life.ask('suspend', 'suspended');
  expect(life.transitions.at(-1)).toMatchObject({ to: 'suspended', providerId: null, volumeIds: [disk] });
  await life.ask('wake', 'ready');
  expect(life.transitions.at(-1)?.volumeIds).toEqual([disk]);
});

it('the history of an instance says on the row that enters `ready` how long the models took to load, once for each proof', async () => {
  const life = new VirtualInstance({ rank: LADDER });
  await life.until('ready');
  expect(life.transitions.filter((row) => row.loadMs !== null).map((row) => [row.from, row.to, row.loadMs])).toEqual([
    ['booting', 'ready', PROOF_FACTS.loadMs],
  ]);
  life.report({ kind: 'serve_ended', commandId: life.attachment, reason: 'the gateway died' });
  await life.until('booting');
  await life.until('ready');
  expect(life.transitions.filter((row) => row.loadMs !== null)).toHaveLength(2);
});
