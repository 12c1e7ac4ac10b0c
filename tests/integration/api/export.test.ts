/** `deckhand export`: every deck with its reviews and human verdicts as files. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deckPdfKey } from '../../../platform/blobs.ts';
import { runCommand } from '../../../testing/command.ts';
import { TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startTestApi } from './support.ts';

const api = perFile(startTestApi);

const exportTo = (folder: string, ...options: readonly string[]) =>
  runCommand(['export', folder, ...options], {
    ...api.config.environment,
    DECKHAND_HOME: api.config.home,
    DECKHAND_API_URL: api.url,
    DECKHAND_API_KEY: api.apiKey,
  });

const parsed = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

it('writes every deck, review and verdict, and what it can where a file is lost', { timeout: 120_000 }, async () => {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'deckhand-export-')), 'new');
  onTestFinished(() => rm(path.dirname(folder), { recursive: true, force: true }));
  const deck = await api.deck();
  const analysis = await api.analysisRow(deck.id, { status: 'completed' });
  const part = { tenantId: TENANT, analysisId: analysis.id };
  await api.db.extraction.create({
    data: { ...part, id: randomUUID(), field: 'company_name', status: 'found', raw: 'Acme <b>Robotics</b>' },
  });
  const empty = await api.analysisRow(deck.id, { status: 'cancelled' });
  for (const text of ['Met them in Berlin.', 'Ask about churn.']) {
    await api.post(`/decks/${deck.id}/verdicts`, { kind: 'note', subject: 'deck', text });
  }

  const first = await exportTo(folder, '--json');
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
    Buffer.from(await (await fetchPdf(deck.id)).arrayBuffer()),
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
  const second = await exportTo(folder, '--json');
  expect(second.code).toBe(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ decks: 2, reviews: 2, failed: [{ deckId: lost.id }] });
  expect(second.stderr).toContain('1 deck was not written completely.');
  expect(await readdir(directory)).toHaveLength(7);
});

const fetchPdf = (deckId: string): Promise<Response> =>
  fetch(`${api.url}/api/v1/decks/${deckId}/pdf`, { headers: { authorization: `Bearer ${api.apiKey}` } });
