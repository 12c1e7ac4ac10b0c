/**
 * A deck of 300 pages: continued as new on the way, condensed to the model's window, in flat memory. And continuing as new at every
 * possible moment does no slide twice and forgets none.
 */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { planWindows } from '../../domain/decks/pdf.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { generateLargeDeck } from '../../samples/generator/bulk.ts';
import { DECK_WORKFLOW, makeDeckWorkflowId } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { anAnalysis, deckInput } from '../../testing/make.ts';

const PAGES = 300;
const SAMPLE_INTERVAL_MS = 1000;
/** Two decks of five minutes each and half of one on a slow machine that runs other tests beside this one, and room. */
const TIMEOUT_MS = 25 * 60_000;
const WATCHED = ['control', 'convert', 'gateway'] as const;

let sampling: NodeJS.Timeout | undefined;
const rig = rigPerFile({ template: 'short' });
afterEach(() => clearInterval(sampling));

/** Resident memory of a process in MiB. */
function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

/** Number of runs a workflow was carried through. */
async function runsOf(workflowId: string): Promise<number> {
  const runs = new Set<string>();
  for await (const run of rig.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) runs.add(run.runId);
  return runs.size;
}

/** Highest resident memory of each watched process, in MiB, over the first and the second half of a piece of work. */
async function peaksDuring(work: () => Promise<void>): Promise<Record<string, { first: number; second: number }>> {
  const pids = await Promise.all(WATCHED.map((name) => rig.pidOf(name)));
  const samples = WATCHED.map((): number[] => []);
  const sample = (): void => samples.forEach((series, index) => series.push(residentMiB(pids[index] ?? 0)));
  sampling = setInterval(sample, SAMPLE_INTERVAL_MS);
  sample();
  await work();
  sample();
  clearInterval(sampling);
  return Object.fromEntries(
    WATCHED.map((name, index) => {
      const series = samples[index] ?? [];
      const middle = Math.floor(series.length / 2);
      return [name, { first: Math.max(...series.slice(0, middle)), second: Math.max(...series.slice(middle)) }];
    }),
  );
}

it(
  `${PAGES} pages are reviewed through continued runs, condensed, in flat memory`,
  async ({ annotate }) => {
    const peakOfDeck = new Map<string, number>();
    // A shorter deck warms the processes: heaps grow to their working size in the middle of it. The third one, of the same length as the
    // second, shows what that has left behind.
    await rig.review(await rig.upload((await generateLargeDeck({ slides: PAGES / 2, seed: 3 })).pdf, 'warming.pdf'));
    for (const seed of [5, 7]) {
      const { pdf, truth } = await generateLargeDeck({ slides: PAGES, seed });
      const deckId = await rig.upload(pdf, `large-${seed}.pdf`);
      let report: AnalysisReport | undefined;
      const peaks = await peaksDuring(async () => {
        report = await rig.review(deckId);
      });
      if (report === undefined) throw new Error('there is no report');

      expect(report.gaps).toEqual([]);
      expect(report.status).toBe('completed');
      expect(report.deck.slides).toBe(PAGES);
      expect(report.slides.filter((s) => s.legible === true && s.hasIssues !== null)).toHaveLength(PAGES);
      expect(report.company).toBe(truth.company);
      expect(report.overall.coverage).toBe(1);
      expect(report.condensed).toMatch(/\p{L}{3,}/u);
      const runs = await runsOf(makeDeckWorkflowId(report.analysisId));
      expect(runs).toBeGreaterThanOrEqual(2);

      const memory = Object.entries(peaks).map(([name, { first, second }]) => `${name} ${first} then ${second} MiB`);
      await annotate(`${PAGES} pages in ${report.durationMs} ms and ${runs} runs; peaks by half: ${memory.join(', ')}`);
      for (const [name, { first, second }] of Object.entries(peaks)) {
        expect(second, `${name}, second half`).toBeLessThanOrEqual(first * 1.3 + 64);
        const before = peakOfDeck.get(name);
        if (before !== undefined)
          expect(Math.max(first, second), `${name}, third deck`).toBeLessThanOrEqual(before * 1.3 + 64);
        peakOfDeck.set(name, Math.max(first, second));
      }
    }
  },
  TIMEOUT_MS,
);

it('a run continued as new again and again describes every slide once', async () => {
  const pages = 40;
  const { pdf } = await generateLargeDeck({ slides: pages, seed: 4 });
  const deckId = await rig.upload(pdf, 'continued.pdf');
  const { tenantId } = await rig.db.deck.findUniqueOrThrow({ where: { id: deckId } });
  const analysisId = `continued-${Date.now()}`;
  const analysis = await anAnalysis(rig.db, { id: analysisId, tenantId, deckId, status: 'queued', stage: null });
  const before = await rig.reader.stats();
  const handle = await rig.temporal.workflow.start(DECK_WORKFLOW, {
    workflowId: analysis.workflowId,
    taskQueue: CONTROL_QUEUE,
    args: [deckInput(analysis, { maxHistoryLength: 60 })],
  });
  await handle.result();

  const report: AnalysisReport = await rig.client.report(analysisId);
  expect(report.gaps).toEqual([]);
  expect(report.status).toBe('completed');
  expect(report.slides.filter((s) => s.legible === true)).toHaveLength(pages);
  expect(await runsOf(analysis.workflowId)).toBeGreaterThanOrEqual(3);
  const after = await rig.reader.stats();
  const asked = (task: string): number => (after.callsByTask[task] ?? 0) - (before.callsByTask[task] ?? 0);
  expect(asked('describe_slide')).toBe(pages);
  expect(asked('slide_feedback')).toBe(pages);
  expect(after.repeatedInputs).toBe(before.repeatedInputs);

  // The models had begun when the first window's last page was drawn.
  const lastOfWindow = Math.max(...(planWindows(pages)[0] ?? []));
  const drawn = await rig.db.slide.findFirstOrThrow({ where: { deckId, number: lastOfWindow } });
  const finding = await rig.db.slideFinding.findFirstOrThrow({ where: { analysisId }, orderBy: { createdAt: 'asc' } });
  expect(finding.createdAt.getTime()).toBeLessThan(drawn.createdAt.getTime());
});
