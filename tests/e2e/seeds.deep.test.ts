/**
 * How often the built-in reader is right: 40 decks made from seeds, German and English, in many wordings and number formats, some without
 * an ask or a date. Every fact is compared with the truth the generator wrote down beside the slides.
 *
 * The single task types are started instead of full reviews where they compute all that is compared.
 */
import { beforeAll, expect, it } from 'vitest';
import type { TaskType } from '../../domain/models/model-tasks.ts';
import { isProof, type AnalysisReport, type ReportEvidence } from '../../domain/decks/report.ts';
import { generateDeck } from '../../samples/generator/generate.ts';
import { joinSharedStack, questionsOf } from '../../testing/rig.ts';
import { factsRight, type TruthScore } from '../../testing/truth-score.ts';
import { perFile } from '../../testing/per-file.ts';

/** Seeds apart from those the rules were tried on while they were written. */
const SEEDS = Array.from({ length: 40 }, (_, index) => 1000 + index);
/** Every fifth deck gets its questions answered as well, for the quotes. */
const ANSWERED_EVERY = 5;
/** Decks in work at the same time. */
const AT_ONCE = 4;

interface Outcome {
  readonly seed: number;
  readonly score: TruthScore;
  readonly evidence: readonly ReportEvidence[];
}

const outcomes: Outcome[] = [];

async function readDeck(seed: number): Promise<Outcome> {
  const { pdf, truth } = await generateDeck({ seed });
  const deckId = await rig.upload(pdf, `seed-${seed}.pdf`);
  const run = async (taskType: TaskType): Promise<AnalysisReport> => {
    const report = await rig.review(deckId, { taskType });
    expect(report.status, `seed ${seed}, ${taskType}: ${JSON.stringify(report.gaps)}`).toBe('completed');
    return report;
  };
  // In turn: the slides are described once, and the later ones find them stored.
  const name = await run('startup_name_extraction');
  const sector = await run(seed % ANSWERED_EVERY === 0 ? 'template_analysis' : 'healthcare_classification');
  const funding = await run('funding_amount_extraction');
  const date = await run('deck_date_extraction');
  const reports = [name, sector, funding, date];
  const whole = { ...sector, company: name.company, funding: funding.funding, deckDate: date.deckDate };
  const evidence = reports.flatMap((r) => [
    ...r.extractions.flatMap((e) => e.evidence),
    ...questionsOf(r).flatMap((q) => q.evidence),
  ]);
  return { seed, score: factsRight(whole, truth), evidence };
}

const rig = perFile(() => joinSharedStack(), 900_000);
beforeAll(async () => {
  const waiting = [...SEEDS];
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) outcomes.push(await readDeck(seed));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}, 900_000);

it('at least 70 % of the facts are right', async ({ annotate }) => {
  const right = outcomes.reduce((sum, o) => sum + o.score.right, 0);
  const asked = outcomes.reduce((sum, o) => sum + o.score.asked, 0);
  const wrong = outcomes.filter((o) => o.score.wrong.length > 0).map((o) => `${o.seed}: ${o.score.wrong.join('; ')}`);
  await annotate(`${right} of ${asked} facts right (${((100 * right) / asked).toFixed(1)} %)\n${wrong.join('\n')}`);
  expect(outcomes).toHaveLength(SEEDS.length);
  expect(right / asked, wrong.join('\n')).toBeGreaterThanOrEqual(0.7);
});

it('no amount and no date is given where the deck states none', () => {
  const invented = outcomes.flatMap((o) => o.score.invented.map((i) => `${o.seed}: ${i}`));
  expect(invented).toEqual([]);
});

it('at least 90 % of the quotes are verified', async ({ annotate }) => {
  const evidence = outcomes.flatMap((o) => o.evidence);
  const verified = evidence.filter(isProof).length;
  await annotate(`${verified} of ${evidence.length} quotes verified`);
  expect(evidence.length).toBeGreaterThan(200);
  expect(verified / evidence.length).toBeGreaterThanOrEqual(0.9);
});
