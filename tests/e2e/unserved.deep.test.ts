/** A deck whose only model server does not answer ends by name with what it has. */
import { expect, it } from 'vitest';
import { perFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { startRig } from '../../testing/rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';

const rig = perFile(() =>
  startRig({
    servers: sharedServers,
    template: 'short',
    // Port 9 is `discard`: nothing answers there.
    ollamaHost: 'http://127.0.0.1:9',
    environment: { DECKHAND_UNSERVED_HOURS: '0.0005' },
  }),
);

it('a deck ends with a named gap when its only server does not answer and nothing can be rented', async () => {
  const deckId = await rig.upload(await plainDeck('Allein'), 'allein.pdf');
  const report = await rig.review(deckId);
  expect(report.status).toBe('completed_with_gaps');
  expect(report.gaps.map(({ code }) => code)).toEqual(['unserved']);
  expect(report.gaps[0]?.message).toContain('no model server has answered for this deck since');
});
