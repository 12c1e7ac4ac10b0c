/**
 * Hostile and broken decks against the whole of Deckhand: each gets an error by name, none hangs or ends a worker, and a good deck that is
 * analysed at the same time is not disturbed.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import {
  armed,
  bombImage,
  cyclicPageTree,
  endlessPage,
  endlessThenGood,
  goodDeck,
  onePage,
  zeroPages,
} from '../fixtures/hostile/decks.ts';
import { runCommand, type CommandRun } from '../../testing/command.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { folderPerFile } from '../../testing/per-file.ts';

const WORKERS = ['api', 'control', 'convert', 'gateway'];

const files = folderPerFile();
let pidsBefore: number[] = [];
const rig = rigPerFile({ template: 'short' });
beforeAll(async () => {
  pidsBefore = await Promise.all(WORKERS.map((name) => rig.pidOf(name)));
});

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
/** Reviews hostile decks while a good one is reviewed, which must end as if nothing were beside it. */
async function allBesideAGoodDeck(name: string, hostile: readonly Buffer[]): Promise<AnalysisReport[]> {
  const good = await rig.upload(await plainDeck(`Good beside ${name}`), 'good.pdf');
  const bad = await Promise.all(hostile.map((bytes, index) => rig.upload(bytes, `bad-${index}.pdf`)));
  const [goodReport, badReports] = await Promise.all([
    rig.review(good),
    Promise.all(bad.map((deckId) => rig.review(deckId))),
  ]);
  expect(goodReport.status).toBe('completed');
  expect(goodReport.gaps).toEqual([]);
  expect(goodReport.overall.coverage).toBe(1);
  return badReports;
}

async function besideAGoodDeck(name: string, hostile: Buffer): Promise<AnalysisReport> {
  const [report] = await allBesideAGoodDeck(name, [hostile]);
  if (report === undefined) throw new Error('there is no report');
  return report;
}

describe('refused when the file is looked into', () => {
  const cases = [
    ['pdf_encrypted', 'a deck that wants a password', () => goodDeck(1, { userPassword: 'secret' })],
    ['pdf_damaged', 'a deck cut off in the middle', async () => half(await goodDeck(30))],
    ['pdf_no_pages', 'a deck without pages', zeroPages],
    ['pdf_no_pages', 'a page tree that contains itself', cyclicPageTree],
    ['page_too_large', 'pages that cannot be shown', () => onePage('/MediaBox[0 0 14400 10]', '')],
  ] as const;
  const reports = new Map<string, AnalysisReport>();
  beforeAll(async () => {
    const files = await Promise.all(cases.map(async ([, , make]) => Buffer.from(await make())));
    const reviewed = await allBesideAGoodDeck('decks that are refused', files);
    cases.forEach(([, name], index) => reports.set(name, reviewed[index] as AnalysisReport));
  });

  it.each(cases)('%s: %s', async (code, name) => {
    const report = reports.get(name);
    expect(report?.status).toBe('failed');
    expect(report?.failure?.code).toBe(code);
    expect(report?.failure?.message).toMatch(/\p{L}{3,}/u);
    expect(report?.overall.score).toBeNull();
    const calls = await rig.db.modelCall.count({ where: { analysisId: report?.analysisId ?? '' } });
    expect(calls).toBe(0);
  });
});

it('a page of 200 inches is drawn smaller', async () => {
  const huge = onePage('/MediaBox[0 0 14400 14400]', '0 0 1 rg 100 100 9000 9000 re f');
  const report = await besideAGoodDeck('a huge page', huge);
  expect(report.slides).toHaveLength(1);
  expect(report.slides[0]?.failure).toBeNull();
  expect(report.slides[0]?.imageUrl).not.toBeNull();
});

it('scripts, programs and files inside are reported', async () => {
  const report = await besideAGoodDeck('scripts', armed());
  expect(report.deck.hazards.toSorted()).toEqual(['attachments', 'javascript', 'launch_action']);
  expect(report.slides[0]?.failure).toBeNull();
  // A picture without words: nothing to read, and nothing made up.
  expect(report.status).toBe('completed_with_gaps');
  expect(report.gaps.map((g) => g.code)).toContain('slide_illegible');
});

it('an image bomb is drawn within the limits or fails by name', async () => {
  const report = await besideAGoodDeck('a bomb', bombImage());
  if (report.status !== 'failed') return expect(report.slides[0]?.imageUrl).not.toBeNull();
  return expect(report.failure?.code).toMatch(/^page_render_(?:memory|timeout)$/u);
});

it('a page that never finishes fails the deck by name when there is no other', async () => {
  const report = await besideAGoodDeck('an endless page', endlessPage());
  expect(report.status).toBe('failed');
  expect(report.failure?.code).toMatch(/^page_render_(?:memory|timeout)$/u);
  expect(report.failure?.message).toMatch(/^No page of this deck could be rendered\. Page 1 could not be rendered: ./u);
});

it('a page that never finishes is a gap by name when there are others', async () => {
  const report = await besideAGoodDeck('an endless page among others', endlessThenGood(2));
  expect(report.status).toBe('completed_with_gaps');
  const gap = report.gaps.find((g) => g.slide === 1);
  expect(gap?.code).toMatch(/^page_render_(?:memory|timeout)$/u);
  expect(report.slides.map((s) => s.failure === null)).toEqual([false, true, true]);
});

/** Runs `deckhand …` beside the rig's runtime, which it joins. */
const deckhand = (...args: string[]): Promise<CommandRun> => runCommand(args, rig.config.environment);
const file = (name: string, bytes: Buffer): string => {
  const at = path.join(files, name);
  writeFileSync(at, bytes);
  return at;
};
/** What is said of the error: everything but progress. */
const complaint = ({ stderr }: CommandRun): string[] =>
  stderr.split('\n').filter((line) => line.startsWith('deckhand: '));

it.each([
  ['broken.pdf', 2, () => Buffer.from('not a deck')],
  ['empty.pdf', 2, () => Buffer.alloc(0)],
  ['locked.pdf', 2, () => goodDeck(1, { userPassword: 'secret' })],
  ['half.pdf', 2, async () => half(await goodDeck(30))],
] as const)('on the command line %s ends with exit code %i and one readable line', async (name, code, make) => {
  const run = await deckhand('analyze', file(name, Buffer.from(await make())));
  expect(run.code, run.stderr).toBe(code);
  expect(run.stdout).toBe('');
  expect(complaint(run)).toHaveLength(1);
  expect(run.stderr).not.toMatch(/^\s+at /mu);
});

it('a file that is not there ends with 4', async () => {
  const run = await deckhand('analyze', path.join(files, 'nowhere.pdf'));
  expect(run.code, run.stderr).toBe(4);
  expect(complaint(run)).toHaveLength(1);
});

it('a good deck beside a bad one gets its review, the exit code tells of the bad one', async () => {
  const good = file('good.pdf', await plainDeck('Beside'));
  const run = await deckhand('analyze', '--json', good, file('broken.pdf', Buffer.from('not a deck')));
  expect(run.code, run.stderr).toBe(2);
  const reports = JSON.parse(run.stdout) as AnalysisReport[];
  expect(reports.map((r) => r.status)).toEqual(['completed']);
  expect(complaint(run)).toHaveLength(1);
});

it('no worker was ended by any of it', async () => {
  expect(await Promise.all(WORKERS.map((name) => rig.pidOf(name)))).toEqual(pidsBefore);
});
