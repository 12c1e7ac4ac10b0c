/** Events of the stream on open pages: what is shown of a deck changes at once. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { answerApi, callsOf } from '../support/api.ts';
import { deckNamed, documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { sendEvent } from '../support/stream.ts';

const changed = (change: Partial<DeckEntry>): DeckEntry => ({ ...deckNamed('quayline.pdf'), ...change });
const send = (data: DeckEntry): void => sendEvent({ type: 'deck', id: '9', data });
const row = (): HTMLElement => screen.getByRole('row', { name: /Quayline/u });

it('An event changes the row of its deck without a request, and a deck that is gone leaves the list', async () => {
  await openPage('/');
  await screen.findByText('Live');
  await screen.findByRole('row', { name: /Quayline/u });
  const reads = callsOf('GET /decks').length;
  send(changed({ decision: 'pass' }));
  await expect.poll(() => within(row()).queryByText('Pass')).not.toBeNull();
  expect(callsOf('GET /decks')).toHaveLength(reads);
  const { items } = documents.decks();
  answerApi({
    'GET /decks': {
      ...documents.decks(),
      items: items.filter(({ fileName }) => fileName !== 'quayline.pdf'),
      total: 3,
    },
  });
  sendEvent({ type: 'gone', data: { id: changed({}).id } });
  await expect.poll(() => screen.queryByRole('row', { name: /Quayline/u })).toBeNull();
  // What is counted over many decks is read again.
  await expect.poll(() => callsOf('GET /decks').length).toBeGreaterThan(reads);
});

it('A deck that is being deleted leaves the list at once', async () => {
  await openPage('/');
  await screen.findByRole('row', { name: /Quayline/u });
  const reads = callsOf('GET /decks').length;
  send(changed({ deletingAt: '2026-11-28T10:00:00.000Z' }));
  await expect.poll(() => screen.queryByRole('row', { name: /Quayline/u })).toBeNull();
  expect(callsOf('GET /decks')).toHaveLength(reads);
});

it('The progress of a running review stands in its row', async () => {
  await openPage('/');
  await screen.findByRole('row', { name: /Quayline/u });
  const { analysis } = changed({});
  send(changed({ status: 'running', ...(analysis === null ? {} : { analysis: { ...analysis, stage: 'slides' } }) }));
  sendEvent({
    type: 'progress',
    data: { [changed({}).id]: { stage: 'slides', done: 3, total: 14, failed: 0, place: null, expectedSeconds: null } },
  });
  await expect.poll(() => within(row()).queryByText('Slide 3 of 14')).not.toBeNull();
});
