/**
 * The work of a chaos run: new decks are uploaded and their reviews started by a client that asks again until it is heard.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isFinished, type AnalysisStatus } from '../../domain/report.ts';
import { LOST_WORKER_MEMO } from '../../domain/lost-worker.ts';
import {
  CONTROL_QUEUE,
  DECK_WORKFLOW,
  makeDeckWorkflowId,
  type DeckWorkflowInput,
} from '../../workflows/deck/contract.ts';
import { drawPlainDeck, plainSlides, type PlainSlide } from '../support/plain-deck.ts';
import { insist } from './insist.ts';
import type { ChaosPlan, PlannedDeck } from './plan.ts';
import { LOST_WORKER_MS, type ChaosWorld } from './world.ts';

/** A review that was accepted. */
export interface StartedReview {
  readonly analysisId: string;
  readonly slides: number;
}

const START_LIMIT_MS = 3000;

/** Slides that no other run has. */
function slidesOf(company: string, count: number): PlainSlide[] {
  const slides = plainSlides(company);
  const team: PlainSlide = {
    title: `The team of ${company}`,
    lines: [`${company} was founded by Dr. Ines Falk and two engineers.`, 'They built two medical devices before.'],
  };
  return [...slides, team].slice(0, count);
}

/** Brings in a deck and starts its review. */
async function start(world: ChaosWorld, company: string, planned: PlannedDeck): Promise<StartedReview> {
  const { rig } = world;
  const pdf = await drawPlainDeck(slidesOf(company, planned.slides));
  if (planned.through === 'drop folder') return dropped(world, company, pdf, planned.slides);
  const deckId = await insist(`upload of ${company}`, () => rig.upload(pdf, `${company}.pdf`));
  if (planned.continueAsNewAt === null) {
    const options = { models: 'reader', idempotencyKey: company } as const;
    const { analysisId } = await insist(`start of ${company}`, () => rig.client.startAnalysis(deckId, options));
    return { analysisId, slides: planned.slides };
  }
  const analysisId = `chaos-${company.toLowerCase()}`;
  await startContinuing({ rig }, { analysisId, deckId, maxHistoryLength: planned.continueAsNewAt });
  return { analysisId, slides: planned.slides };
}

/** Puts a deck and a job into the drop folder. Resolves when its result or error is there. */
async function dropped(
  { watchers: { drop } }: ChaosWorld,
  company: string,
  pdf: Uint8Array,
  slides: number,
): Promise<StartedReview> {
  const job = `job_${company.toLowerCase()}`;
  drop.job(job, { file_path: drop.deck(`${company}.pdf`, pdf) });
  const outcomes = await insist(
    `result of ${job}`,
    async () => drop.names('results').filter((name) => name.startsWith(`${job}_`)),
    (names) => names.length > 0,
  );
  if (outcomes.length > 1 || outcomes[0] !== `${job}_results.json`) {
    throw new Error(`${job} came to ${outcomes.join(', ')}: ${JSON.stringify(drop.error(job))}`);
  }
  return { analysisId: drop.result(job).analysis_id, slides };
}

/** A run that continues as new early: the API has no such choice. */
async function startContinuing(
  { rig }: Pick<ChaosWorld, 'rig'>,
  {
    analysisId,
    deckId,
    maxHistoryLength,
  }: Pick<DeckWorkflowInput, 'analysisId' | 'deckId'> & { maxHistoryLength: number },
): Promise<void> {
  const workflowId = makeDeckWorkflowId(analysisId);
  const { tenantId } = await insist('row of the deck', () => rig.db.deck.findUniqueOrThrow({ where: { id: deckId } }));
  const row = { id: analysisId, tenantId, deckId, language: 'en', modelProfile: 'reader', workflowId };
  await insist('row of the analysis', () => rig.db.analysis.createMany({ data: [row], skipDuplicates: true }));
  const input: DeckWorkflowInput = {
    tenantId,
    analysisId,
    deckId,
    language: 'en',
    profile: 'reader',
    priority: 3,
    requestedTemplate: null,
    taskType: null,
    maxHistoryLength,
  };
  await insist('start of a continued run', () =>
    rig.temporal.withDeadline(Date.now() + START_LIMIT_MS, () =>
      rig.temporal.workflow.start(DECK_WORKFLOW, {
        workflowId,
        taskQueue: CONTROL_QUEUE,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowTaskTimeout: LOST_WORKER_MS,
        memo: { [LOST_WORKER_MEMO]: LOST_WORKER_MS },
      }),
    ),
  );
}

/**
 * Has the model asked otherwise than in every other run: decks of one kind share some questions word for word (an answer that says that the
 * deck does not say), and those would be answered from what an earlier run stored.
 *
 * @param run number of this run in its world
 */
export async function beginAnew({ rig }: ChaosWorld, run: number): Promise<void> {
  await rig.db.modelConfiguration.updateMany({ data: { temperature: run / 1000 } });
}

const companyOf = (plan: ChaosPlan, run: number, what: string | number): string =>
  `Chaosana${plan.seed}x${run}x${what}`;

/** Starts what a plan says. */
export function startReviews(world: ChaosWorld, plan: ChaosPlan, run: number): Promise<StartedReview[]> {
  return Promise.all(plan.decks.map((deck, index) => start(world, companyOf(plan, run, index), deck)));
}

/** Has a deck reviewed and deletes it on the way, as planned. Resolves when nothing of it is in the database; gives its id, null without. */
export async function deleteOne(
  { rig }: ChaosWorld,
  plan: ChaosPlan,
  run: number,
  startedMs: number,
): Promise<string | null> {
  if (plan.deletion === null) return null;
  const company = companyOf(plan, run, 'deleted');
  const pdf = await drawPlainDeck(slidesOf(company, plan.deletion.slides));
  const deckId = await insist(`upload of ${company}`, () => rig.upload(pdf, `${company}.pdf`));
  // In another language it shares no question with the decks that stay.
  const options = { models: 'reader', idempotencyKey: company, language: 'de' } as const;
  await insist(`start of ${company}`, () => rig.client.startAnalysis(deckId, options));
  await delay(Math.max(0, startedMs + plan.deletion.atMs - Date.now()));
  await insist(`deletion of ${company}`, () => rig.client.deleteDeck(deckId));
  await insist(
    `end of the deletion of ${company}`,
    async () => ({
      decks: await rig.db.deck.count({ where: { id: deckId } }),
      slides: await rig.db.slide.count({ where: { deckId } }),
      analyses: await rig.db.analysis.count({ where: { deckId } }),
    }),
    ({ decks, slides, analyses }) => decks + slides + analyses === 0,
  );
  return deckId;
}

/** Waits until all of them have ended, however. */
export async function untilFinished({ rig }: ChaosWorld, reviews: readonly StartedReview[]): Promise<void> {
  const ids = reviews.map((review) => review.analysisId);
  await insist(
    'end of every review',
    () => rig.db.analysis.findMany({ where: { id: { in: ids } }, select: { id: true, status: true, stage: true } }),
    (rows) => rows.length === ids.length && rows.every((row) => isFinished(row.status as AnalysisStatus)),
  );
}
