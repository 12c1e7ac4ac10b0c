/** `deckhand export`: every deck with its reviews and human verdicts as files. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deckPdfKey } from '../../../platform/blobs.ts';
import { TENANT } from '../../../testing/make.ts';
import { folderPerTest, perFile } from '../../../testing/per-file.ts';
import { aValue } from './list/support.ts';
import { startTestApi } from './support.ts';

const api = perFile(startTestApi);

const parsed = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

it('writes every deck, review and verdict, and what it can where a file is lost', { timeout: 120_000 }, async () => {
  const folder = path.join(folderPerTest(), 'new');
  const deck = await api.deck();
  const analysis = await api.analysisRow({ deckId: deck.id, status: 'completed' });
  await aValue(api.db, { analysisId: analysis.id, field: 'company_name', raw: 'Acme <b>Robotics</b>' });
  const empty = await api.analysisRow({ deckId: deck.id, status: 'cancelled' });
  for (const text of ['Met them in Berlin.', 'Ask about churn.']) {
    await api.post(`/decks/${deck.id}/verdicts`, { kind: 'note', subject: 'deck', text });
  }

  const first = await api.deckhand(['export', folder, '--json']);
  expect(first.code, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toEqual({ folder, decks: 1, reviews: 2, verdicts: 2, failed: [] });
  const directory = path.join(folder, deck.id);
  expect((await readdir(directory)).toSorted()).toEqual(
    [
      'deck.json',
      'deck.pdf',
      ...[analysis.id, empty.id].flatMap((id) => [`review-${id}.html`, `review-${id}.json`]),
      'verdicts.json',
    ].toSorted(),
  );
  expect(await readFile(path.join(directory, 'deck.pdf'))).toEqual(
    Buffer.from(await api.blobs.get(deckPdfKey(TENANT, deck.sha256))),
  );
  expect(await parsed(path.join(directory, `review-${analysis.id}.json`))).toMatchObject({
    analysisId: analysis.id,
    deck: { id: deck.id },
  });
  const page = await readFile(path.join(directory, `review-${analysis.id}.html`), 'utf8');
  expect(page).toContain('Acme &lt;b&gt;Robotics');
  expect(await parsed(path.join(directory, 'verdicts.json'))).toMatchObject([
    { text: 'Met them in Berlin.' },
    { text: 'Ask about churn.' },
  ]);

  // A deck whose PDF is lost is named, and the others are written all the same.
  const lost = await api.deck();
  await api.blobs.delete(deckPdfKey(TENANT, lost.sha256));
  const second = await api.deckhand(['export', folder, '--json']);
  expect(second.code).toBe(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ decks: 2, reviews: 2, failed: [{ deckId: lost.id }] });
  expect(second.stderr).toContain('1 deck was not written completely.');
  expect(await readdir(directory)).toHaveLength(7);
});
