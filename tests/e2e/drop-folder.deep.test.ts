/**
 * The drop folder with everything behind it: many jobs, several watchers, one of them killed.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { randomFrom } from '../../samples/generator/random.ts';
import { drawPlainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { Drop, killWatchers, startWatcher, type WatcherProcess } from '../../testing/watchers.ts';
import { folderPerFile } from '../../testing/per-file.ts';

const JOBS = 500;
const DECKS = 50;
const WATCHERS = 3;

/** Short waits where a test waits for them to pass, long ones where it must not. */
const LONG_WAITS = [
  '--poll-seconds',
  '0.2',
  '--settle-seconds',
  '0.3',
  '--job-wait-seconds',
  '600',
  '--file-wait-seconds',
  '600',
];
const ONE_CALL = { task_type: 'visual_analysis' };

const scratch = folderPerFile();
const rig = rigPerFile({ template: 'short', environment: { DECKHAND_DROP_DIR: path.join(scratch, 'service') } });
afterEach(() => killWatchers());

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
  const before = await rig.reader.stats();
  const analysesBefore = await rig.db.analysis.count();
  const startedMs = performance.now();
  const watchers = Array.from({ length: WATCHERS }, () =>
    startWatcher(drop.dir, ['--lease-seconds', '3', '--poll-seconds', '0.5'], rig.config.environment),
  );
  const killed = watchers[random.int(0, WATCHERS - 1)];
  const afterResults = random.int(20, JOBS / 2);
  await until(() => drop.names('results').length).is((count) => count >= afterResults);
  await delay(random.int(0, 1000));
  await killed?.kill();
  const atKill = drop.names('results').length;
  const archived = (): string[] => drop.names('archive').flatMap((day) => drop.names('archive', day));
  // A job is put away after its result is there.
  for (let part = 100; part <= JOBS; part += 100) {
    await until(() => archived().length).is((count) => count >= part);
  }
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
  expect((await rig.db.analysis.count()) - analysesBefore).toBe(JOBS);
  expect(archived()).toHaveLength(JOBS);

  const ids = results.map((r) => r.analysis_id);
  const calls = await rig.db.modelCall.findMany({ where: { analysisId: { in: ids } } });
  const keys = new Set(calls.map((call) => call.contentKey)).size;
  const after = await rig.reader.stats();
  expect(keys).toBe(DECKS);
  // A host that was idle for two minutes is asked whether it works: that is no call of a deck.
  const asked = (stats: typeof after): number => stats.calls - (stats.callsByTask['plain'] ?? 0);
  expect(asked(after) - asked(before), `seed ${seed}`).toBe(keys);
});

/** Waits until a job has one of its two files, and says which. */
const outcomeOf = (drop: Drop, name: string): Promise<'results' | 'error' | null> =>
  until(async () => {
    const [hasResult, hasError] = ['results', 'error'].map((each) =>
      existsSync(drop.at('results', `${name}_${each}.json`)),
    );
    expect(hasResult && hasError, `${name} has both`).toBe(false);
    if (hasResult === true) return 'results';
    return hasError === true ? 'error' : null;
  }).is((outcome) => outcome !== null);

const told = (watcher: WatcherProcess, event: string, job: string): Promise<unknown> =>
  until(() => watcher.events.some((e) => e.event === event && 'job' in e && e.job === job)).is(true);

it('waits for half a job file, half a PDF and a PDF that comes later, while other jobs go on', async () => {
  const drop = new Drop(path.join(scratch, 'halves'));
  const watcher = startWatcher(drop.dir, LONG_WAITS, rig.config.environment);
  const pdf = await oneSlide('Halves');
  const half = Math.floor(pdf.length / 2);
  drop.deck('half.pdf', pdf.subarray(0, half));
  drop.deck('whole.pdf', pdf);
  drop.deck('text.pdf', Buffer.from('no PDF at all'));
  drop.job('job_half_pdf', { file_path: 'decks/half.pdf', ...ONE_CALL });
  drop.job('job_late_pdf', { file_path: 'decks/late.pdf', ...ONE_CALL });
  drop.job('job_text', { file_path: 'decks/text.pdf', ...ONE_CALL });
  drop.job('job_template', { file_path: 'decks/whole.pdf', template: 'none_such' });
  const text = JSON.stringify({ job_id: 'job_half_job', file_path: 'decks/whole.pdf', ...ONE_CALL });
  writeFileSync(drop.at('queue', 'job_half_job.json'), text.slice(0, 20));

  await Promise.all(['job_half_pdf', 'job_late_pdf', 'job_half_job'].map((job) => told(watcher, 'waiting', job)));
  drop.job('job_other', { file_path: 'decks/whole.pdf', priority: 'high', ...ONE_CALL });
  expect(await outcomeOf(drop, 'job_other')).toBe('results');
  expect(await outcomeOf(drop, 'job_text')).toBe('error');
  expect(drop.error('job_text').error.code).toBe('not_a_pdf');
  expect(await outcomeOf(drop, 'job_template')).toBe('error');
  expect(drop.error('job_template').error.code).toBe('template_missing');
  expect(drop.names('queue').toSorted()).toEqual(['job_half_job.json', 'job_half_pdf.json', 'job_late_pdf.json']);

  appendFileSync(drop.at('decks', 'half.pdf'), pdf.subarray(half));
  drop.deck('late.pdf', pdf);
  appendFileSync(drop.at('queue', 'job_half_job.json'), text.slice(20));
  for (const name of ['job_half_pdf', 'job_late_pdf', 'job_half_job']) {
    expect(await outcomeOf(drop, name), name).toBe('results');
  }
  expect(drop.result('job_other').choices.priority).toBe(2);
  expect(await watcher.stop()).toBe(0);
});

it('a job that is dropped again has the same result; another one under its name is refused and changes nothing', async () => {
  const drop = new Drop(path.join(scratch, 'again'));
  const watcher = startWatcher(drop.dir, LONG_WAITS, rig.config.environment);
  const job = { file_path: drop.deck('a.pdf', await oneSlide('Again')), ...ONE_CALL };
  drop.job('job_1', job);
  await outcomeOf(drop, 'job_1');
  const first = drop.result('job_1');
  const file = drop.at('results', 'job_1_results.json');
  const before = statSync(file);

  drop.job('job_1', { ...job, priority: 'low' });
  await told(watcher, 'already_done', 'job_1');
  drop.job('job_1', { file_path: drop.deck('b.pdf', await oneSlide('Other')), ...ONE_CALL });
  const conflict = await until(() => drop.names('results').find((name) => name.startsWith('job_1@conflict-'))).is(
    (name) => name !== undefined,
  );
  expect(JSON.parse(readFileSync(drop.at('results', conflict ?? ''), 'utf8'))).toMatchObject({
    job_id: 'job_1',
    error: { code: 'conflict' },
    job: { file_path: 'decks/b.pdf' },
  });
  expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  expect(existsSync(drop.at('results', 'job_1_error.json'))).toBe(false);

  // The client took its result away and asks again: the API knows the analysis, and that another deck is another one.
  rmSync(file);
  drop.job('job_1', job);
  await outcomeOf(drop, 'job_1');
  expect(drop.result('job_1')).toMatchObject({ analysis_id: first.analysis_id, report: first.report });
  rmSync(file);
  rmSync(drop.at('results', conflict ?? ''));
  drop.job('job_1', { file_path: 'decks/b.pdf', ...ONE_CALL, note: 'once more' });
  await until(() => drop.names('results')).is((names) => names.some((name) => name.startsWith('job_1@conflict-')));
  expect(await watcher.stop()).toBe(0);
});

it('a job that failed is tried again when it is moved back, and its error goes when it succeeds', async () => {
  const drop = new Drop(path.join(scratch, 'retried'));
  const watcher = startWatcher(drop.dir, LONG_WAITS, rig.config.environment);
  const damaged = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2000, 'x'), Buffer.from('\n%%EOF\n')]);
  drop.deck('a.pdf', damaged);
  drop.job('job_1', { file_path: 'decks/a.pdf', ...ONE_CALL });
  expect(await outcomeOf(drop, 'job_1')).toBe('error');
  const { error, analysis_id: failed } = drop.error('job_1');
  expect(error.code).toBe('pdf_damaged');
  expect(failed).not.toBeNull();
  await until(() => drop.names('bad')).is((names) => names.includes('job_1.json'));

  drop.deck('a.pdf', await oneSlide('Repaired'));
  renameSync(drop.at('bad', 'job_1.json'), drop.at('queue', 'job_1.json'));
  await until(() => drop.names('results')).is((names) => names.join() === 'job_1_results.json');
  expect(drop.result('job_1').analysis_id).not.toBe(failed);
  expect(drop.names('bad')).toEqual([]);
  expect(await watcher.stop()).toBe(0);
});

it('a watcher that comes late finishes what a killed one had started, also when the PDF is gone', async () => {
  const drop = new Drop(path.join(scratch, 'late'));
  await rig.reader.script({ callSeconds: 3 });
  const first = startWatcher(drop.dir, [...LONG_WAITS, '--lease-seconds', '1'], rig.config.environment);
  drop.job('job_1', { file_path: drop.deck('a.pdf', await oneSlide('Late')), ...ONE_CALL });
  await told(first, 'started', 'job_1');
  await first.kill();
  await rig.reader.script({});
  expect(drop.names('results')).toEqual([]);
  rmSync(drop.at('decks', 'a.pdf'));
  const second = startWatcher(drop.dir, [...LONG_WAITS, '--lease-seconds', '1'], rig.config.environment);
  expect(await outcomeOf(drop, 'job_1')).toBe('results');
  expect(await second.stop()).toBe(0);
  const started = first.events.find((e) => e.event === 'started');
  expect(drop.result('job_1').analysis_id).toBe(started?.event === 'started' ? started.analysisId : '');
});

it('while the API is away jobs wait, and go on when it is back', async () => {
  const drop = new Drop(path.join(scratch, 'away'));
  const watcher = startWatcher(drop.dir, LONG_WAITS, rig.config.environment);
  const file = drop.deck('a.pdf', await oneSlide('Away'));
  await until(() => watcher.events.length).is((count) => count > 0);
  process.kill(await rig.pidOf('api'), 'SIGKILL');
  for (let i = 0; i < 5; i += 1) drop.job(`job_${i}`, { file_path: file, ...ONE_CALL });
  for (let i = 0; i < 5; i += 1) expect(await outcomeOf(drop, `job_${i}`)).toBe('results');
  expect(drop.names('bad')).toEqual([]);
  expect(await watcher.stop()).toBe(0);
});

it('the runtime watches DECKHAND_DROP_DIR by itself, as soon as the folder is there', async () => {
  const drop = new Drop(path.join(scratch, 'service'));
  drop.job('job_1', { file_path: drop.deck('a.pdf', await oneSlide('Service')), ...ONE_CALL });
  expect(await outcomeOf(drop, 'job_1')).toBe('results');
  expect(await rig.pidOf('watch')).toBeGreaterThan(0);
});
