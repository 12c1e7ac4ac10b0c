/**
 * The drop folder with everything behind it: many jobs, several watchers, one of them killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../../samples/generator/random.ts';
import { drawPlainDeck } from '../support/plain-deck.ts';
import { startRig, type Rig } from '../support/rig.ts';
import { until } from '../support/until.ts';
import { Drop, startWatcher } from '../support/watchers.ts';

const JOBS = 500;
const DECKS = 50;
const WATCHERS = 3;

let rig: Rig;
let scratch: string;
beforeAll(async () => {
  rig = await startRig();
  scratch = mkdtempSync(path.join(tmpdir(), 'deckhand-drop-'));
});
afterAll(async () => {
  await rig.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const oneSlide = (company: string): Promise<Buffer> =>
  drawPlainDeck([{ title: company, lines: [`${company} offers an app for heart failure patients`, 'March 2026'] }]);

it('500 jobs, three watchers, one killed at random: 500 analyses, 500 results, no error, no model call twice', async ({
  annotate,
}) => {
  const seed = Date.now();
  const random = randomFrom(seed);
  const drop = new Drop(path.join(scratch, 'many'));
  const decks = await Promise.all(
    Array.from({ length: DECKS }, async (_, i) => drop.deck(`deck-${i}.pdf`, await oneSlide(`Company ${i}`))),
  );
  for (let i = 0; i < JOBS; i += 1) {
    drop.job(`job_${i}`, { file_path: decks[i % DECKS], task_type: 'visual_analysis', pitch_deck_id: i });
  }
  const before = await rig.reader?.stats();
  const startedMs = performance.now();
  const watchers = Array.from({ length: WATCHERS }, () =>
    startWatcher(drop.dir, ['--lease-seconds', '3', '--poll-seconds', '0.5'], rig.config.environment),
  );
  const killed = watchers[random.int(0, WATCHERS - 1)];
  const afterResults = random.int(20, JOBS / 2);
  await until(
    async () => drop.names('results').length,
    (count) => count >= afterResults,
  );
  await delay(random.int(0, 1000));
  await killed?.kill();
  const atKill = drop.names('results').length;
  await until(
    async () => drop.names('results').length,
    (count) => count >= JOBS,
  );
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  await Promise.all(watchers.filter((w) => w !== killed).map((w) => w.stop()));

  const takenOver = watchers.flatMap((w) => w.events).filter((e) => e.event === 'claimed' && e.from !== null).length;
  await annotate(`seed ${seed}: killed at ${atKill} results, ${takenOver} jobs taken over, ${seconds} s`);
  expect(drop.names('results').toSorted()).toEqual(
    Array.from({ length: JOBS }, (_, i) => `job_${i}_results.json`).toSorted(),
  );
  expect(drop.names('bad')).toEqual([]);
  expect(drop.names('queue')).toEqual([]);
  const results = Array.from({ length: JOBS }, (_, i) => drop.result(`job_${i}`));
  expect(new Set(results.map((r) => r.analysis_id)).size).toBe(JOBS);
  expect(results.filter((r, i) => r.status !== 'completed' || r.job['pitch_deck_id'] !== i)).toEqual([]);
  expect(await rig.db.analysis.count()).toBe(JOBS);
  const archived = drop.names('archive').flatMap((day) => drop.names('archive', day));
  expect(archived).toHaveLength(JOBS);

  const keys = new Set((await rig.db.modelCall.findMany()).map((call) => call.contentKey)).size;
  const after = await rig.reader?.stats();
  expect(keys).toBe(DECKS);
  expect((after?.calls ?? 0) - (before?.calls ?? 0), `seed ${seed}`).toBe(keys);
});
