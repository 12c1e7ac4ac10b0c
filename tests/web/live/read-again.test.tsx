/** Events of the stream after which lists and overviews are read again: they may hold others now. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerApi, callsOf } from '../support/api.ts';
import { deckNamed, documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';

// One test: a reading that is planned is one for all pages of a file.
it('A filtered list is read again for what its filter looks at, and an overview once for many events', async () => {
  const { user } = await openPage('/?decision=meet');
  await screen.findByRole('row', { name: /Quayline/u });
  const lists = (): number => callsOf('GET /decks').filter(({ query }) => query['decision'] === 'meet').length;
  const before = lists();
  sendEvent({ type: 'deck', id: '9', data: { ...deckNamed('quayline.pdf'), decision: 'pass' } });
  await expect.poll(lists).toBeGreaterThan(before);
  await user.click(screen.getByRole('link', { name: 'Portfolio' }));
  await screen.findByText('4 decks');
  answerApi({ 'GET /decks/portfolio': { ...documents.portfolio(), total: 5 } });
  const reads = callsOf('GET /decks/portfolio').length;
  for (const score of [1, 2, 3]) {
    sendEvent({ type: 'deck', id: '10', data: { ...deckNamed('quayline.pdf'), score } });
  }
  await expect.poll(() => screen.queryByText('5 decks')).not.toBeNull();
  expect(callsOf('GET /decks/portfolio')).toHaveLength(reads + 1);
});
