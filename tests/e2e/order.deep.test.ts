/**
 * Forty decks on a server that takes a second for a call and two calls at a time: they are reviewed one after the other, not all at once, and
 * each says its place. Their task is the smallest one of two steps, six calls a deck, so that all of them are two minutes of calls.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../simulators/ollama/stats.ts';
import { folderPerFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const DECKS = 40;
const CALL_MS = 1000;
const SLOTS = 2;
/** Calls that the slots can use: two in them, and three that lie ready, for 1.5 s. So many decks are open at most, each with one of them. */
const OPEN = 5;
/** Describes every slide, then looks for the name. */
const TASK = { models: 'reader', taskType: 'startup_name_extraction' } as const;

const journal = path.join(folderPerFile(), 'journal');
const rig = rigPerFile({
  readerArgs: ['--parallel', String(SLOTS), '--journal', journal],
  environment: { DECKHAND_MODEL_CONCURRENCY: String(SLOTS) },
});

/** When the server has answered each call, by its own log; in order. */
const answeredAtMs = (): readonly number[] =>
  readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry)
    .flatMap((entry) => (entry.event === 'closed' && entry.how === 'completed' ? [entry.atMs] : []));

interface ReviewedDeck {
  /** Its place in the line, from 0 on. */
  readonly place: number;
  readonly createdAtMs: number;
  /** Begin of its first call. */
  readonly begunAtMs: number;
  readonly finishedAtMs: number;
}

/** The decks in the order in which they were finished. */
async function readDecks(ids: readonly string[]): Promise<readonly ReviewedDeck[]> {
  const [rows, begun] = await Promise.all([
    rig.db.analysis.findMany({ where: { id: { in: [...ids] }, status: 'completed' }, orderBy: { finishedAt: 'asc' } }),
    rig.db.callAttempt.groupBy({
      by: ['analysisId'],
      where: { analysisId: { in: [...ids] } },
      _min: { startedAt: true },
    }),
  ]);
  return rows.map(({ id, createdAt, finishedAt }) => ({
    place: ids.indexOf(id),
    createdAtMs: createdAt.getTime(),
    begunAtMs: begun.find(({ analysisId }) => analysisId === id)?._min.startedAt?.getTime() ?? Number.NaN,
    finishedAtMs: finishedAt?.getTime() ?? Number.NaN,
  }));
}

it('forty decks are reviewed in the order in which they came, and few are begun before the first is done', async ({
  annotate,
}) => {
  await rig.reader.script({ callSeconds: CALL_MS / 1000 });
  const alone = await rig.review(await rig.upload(await plainDeck('Alone'), 'alone.pdf'), TASK);
  const callsPerDeck = await rig.db.callAttempt.count({ where: { analysisId: alone.analysisId } });
  const answeredBefore = answeredAtMs().length;

  const decks: string[] = [];
  for (let n = 0; n < DECKS; n++) decks.push(await rig.upload(await plainDeck(`Ordered ${n}`), `ordered-${n}.pdf`));
  const ids: string[] = [];
  for (const deckId of decks) ids.push((await rig.client.startAnalysis(deckId, TASK)).analysisId);
  // Its pages are counted first.
  await until(() => rig.analysis(ids.at(-1) ?? '')).is(
    ({ progress, expected }) =>
      /^its place in line: \d+(?:st|nd|rd|th)$/u.test(progress.waitingFor ?? '') && (expected?.place ?? 0) > 1,
  );
  await Promise.all(ids.map((id) => rig.ended(id)));

  const reviewed = await readDecks(ids);
  expect(reviewed).toHaveLength(DECKS);
  const answered = answeredAtMs().slice(answeredBefore);
  expect(answered).toHaveLength(DECKS * callsPerDeck);

  const firstAtMs = reviewed[0]?.finishedAtMs ?? Number.NaN;
  const answeredByThen = answered.filter((atMs) => atMs <= firstAtMs).length;
  expect(answeredByThen).toBeGreaterThanOrEqual(callsPerDeck);
  expect(answeredByThen).toBeLessThanOrEqual(OPEN * callsPerDeck);

  // Decks that are open together may end in another order.
  const inversions = reviewed.flatMap(({ place }, index) =>
    reviewed.slice(index + 1).filter((later) => later.place < place),
  );
  expect(inversions.length).toBeLessThanOrEqual(OPEN);

  for (const { begunAtMs } of reviewed) {
    const open = reviewed.filter((deck) => deck.begunAtMs <= begunAtMs && begunAtMs < deck.finishedAtMs);
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThanOrEqual(OPEN);
  }

  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const startedAtMs = Math.min(...reviewed.map(({ createdAtMs }) => createdAtMs));
  await annotate(
    `first review of ${DECKS} after ${seconds(firstAtMs - startedAtMs)} s, one deck alone ${seconds(alone.durationMs ?? Number.NaN)} s, ` +
      `${answeredByThen} of ${answered.length} calls answered by then, ${inversions.length} inversions`,
  );
});
