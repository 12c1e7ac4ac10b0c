/**
 * The work of a chaos run: new decks are uploaded and their reviews started, steered and replayed by a client that asks again until it is
 * heard.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isFinished } from '../../domain/decks/report.ts';
import { LOST_WORKER_MEMO } from '../../domain/temporal/lost-worker.ts';
import { DECK_WORKFLOW, makeDeckWorkflowId, type DeckWorkflowInput } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { drawPlainDeck, plainSlides, type PlainSlide } from '../../testing/plain-deck.ts';
import { deckInput } from '../../testing/make.ts';
import { insist } from './insist.ts';
import type { ChaosPlan, PlannedDeck } from './plan.ts';
import { steer, type Steered } from './steering.ts';
import { LOST_WORKER_MS, type ChaosWorld } from './world.ts';

/** A review that was accepted. */
export interface StartedReview {
  readonly analysisId: string;
  readonly slides: number;
}

/** A review that has ended. */
export interface EndedWork extends StartedReview {
  /** What was asked of it on the way; null where nothing was planned. */
  readonly steered: Steered | null;
  /** Id of its replay, which has ended, too; null where none was planned. */
  readonly replayId: string | null;
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
  const input = deckInput({ id: analysisId, tenantId, deckId }, { maxHistoryLength });
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

/** Has every deck reviewed as planned. Resolves when all reviews, and the replay of one, have ended, however. */
export function doReviews(world: ChaosWorld, plan: ChaosPlan, run: number, startedMs: number): Promise<EndedWork[]> {
  return Promise.all(
    plan.decks.map(async (deck, index) => {
      const review = await start(world, companyOf(plan, run, index), deck);
      const { analysisId } = review;
      const [steered] = await Promise.all([
        deck.steering === null ? null : steer(world, analysisId, deck.steering, startedMs),
        untilFinished(world, analysisId),
      ]);
      return { ...review, steered, replayId: index === plan.replayed ? await replay(world, analysisId) : null };
    }),
  );
}

/** The replays of these reviews, as reviews of their own. */
export const replaysOf = (reviews: readonly EndedWork[]): StartedReview[] =>
  reviews.flatMap(({ replayId, slides }) => (replayId === null ? [] : [{ analysisId: replayId, slides }]));

/** Replays a finished review, with one key until it is heard. Resolves with its id when it has ended. */
async function replay(world: ChaosWorld, originId: string): Promise<string> {
  const options = { idempotencyKey: `replay of ${originId}` };
  const { analysisId } = await insist(`replay of ${originId}`, () => world.rig.client.replay(originId, options));
  await untilFinished(world, analysisId);
  return analysisId;
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
  await insist(`deletion of ${company}`, () => rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } }));
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

async function untilFinished({ rig }: ChaosWorld, analysisId: string): Promise<void> {
  await insist(
    `end of ${analysisId}`,
    () =>
      rig.db.analysis.findUniqueOrThrow({
        where: { id: analysisId },
        select: { status: true, stage: true, pausedAt: true },
      }),
    (row) => isFinished(row.status),
  );
}
