/** Place in line and expected time of the runs of a tenant that are under way. */
import { FALLBACK_TEMPLATE } from '../../../domain/decks/template-choice.ts';
import {
  expectDeck,
  expectedCalls,
  fittedSpeed,
  secondsInLine,
  type AnsweredCall,
  type CallCosts,
  type CallSpeed,
  type DeckExpectation,
  type DeckSize,
} from '../../../domain/decks/expected-time.ts';
import { MODEL_TASKS, type ModelTask } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { speedOfRow } from '../../models/probes/store.ts';
import { Memo } from '../../../platform/memo.ts';
import { callsMadeLately } from '../../fleet/pool/demand.ts';
import { measuredTasks } from '../../../domain/fleet/pool/demand.ts';
import { linesOf, readPlacedRuns, readSlots, type PlacedRun } from './read-line.ts';
import { placesOf } from './places.ts';

/** Newest answered calls that speeds are taken from. */
const ANSWERS_READ = 200;
/** Tokens of a prompt beside the text of the deck. */
const OVERHEAD_TOKENS = 600;

/** Place and expected time of a run. */
export interface Outlook {
  /** 1 = the next one; null = it has begun. */
  readonly place: number | null;
  /** From now until its review is there. */
  readonly seconds: number;
  readonly deck: DeckExpectation;
  /** Tokens that the model of most of its calls reads a second; null = not measured. */
  readonly readTokensPerSec: number | null;
  /** Tokens of a prompt of an activity; null for one that makes no call of the deck. */
  readonly promptTokensOf: (activity: string) => number | null;
}

/** Many pages and commands follow the decks of a tenant, each several times a second. */
const KEPT_MS = 2000;
const kept = new WeakMap<PrismaClient, Memo<ReadonlyMap<string, Outlook>>>();

/** {@link readOutlooks}, at most two seconds old. */
export function recentOutlooks(db: PrismaClient, tenantId: string): Promise<ReadonlyMap<string, Outlook>> {
  const memo = kept.get(db) ?? new Memo<ReadonlyMap<string, Outlook>>({ keptMs: KEPT_MS });
  kept.set(db, memo);
  return memo.get(tenantId, () => readOutlooks(db, tenantId));
}

/** Outlooks by analysis; a run that has not asked for its place yet, or that no known pool serves, has none. */
export async function readOutlooks(db: PrismaClient, tenantId: string): Promise<ReadonlyMap<string, Outlook>> {
  const runs = (await readPlacedRuns(db)).filter((run) => run.tenantId === tenantId);
  if (runs.length === 0) return new Map();
  const ids = runs.map(({ id }) => id);
  const [places, slotsFor, analyses, questions, costsOf, stored] = await Promise.all([
    placesOf(db, tenantId),
    readSlots(db),
    db.analysis.findMany({
      where: { id: { in: ids } },
      select: { id: true, modelProfile: true, requestedTemplate: true, deck: { select: { pageCount: true } } },
    }),
    questionsByTemplate(db, tenantId),
    readCosts(db, tenantId),
    db.modelCall.groupBy({
      by: ['analysisId'],
      where: { analysisId: { in: ids }, state: { not: 'planned' }, cached: false },
      _count: true,
    }),
  ]);
  const analysisOf = new Map(analyses.map((row) => [row.id, row]));
  const doneOf = new Map(stored.map((row) => [row.analysisId, row._count]));
  return new Map(
    linesOf(runs).flatMap(([key, line]) => {
      const { slots } = slotsFor(key);
      if (slots === null) return [];
      const expected = line.map((run) => {
        const row = analysisOf.get(run.id);
        const { costs, windowTokens } = costsOf(row?.modelProfile ?? '');
        const size: DeckSize = {
          pages: row?.deck.pageCount ?? 0,
          missingPages: run.announcedPages,
          questions: questions.get(row?.requestedTemplate ?? FALLBACK_TEMPLATE) ?? 0,
          taskType: run.taskType,
          windowTokens,
        };
        const deck = expectDeck(size, costs, slots);
        return { run, expected: deck, left: leftOf(deck, run, doneOf.get(run.id) ?? 0), costs, size };
      });
      return secondsInLine(expected, slots).map((seconds, index) => {
        const { run, expected: deck, costs, size } = expected[index] as (typeof expected)[number];
        const readTokensPerSec = costs.speedOf('answer_question')?.readTokensPerSec ?? null;
        const promptTokensOf = (activity: string): number | null =>
          expectedCalls(size).find(({ task }) => MODEL_TASKS[task].activity === activity)?.promptTokens ?? null;
        const place = places.get(run.id)?.place ?? null;
        return [run.id, { place, seconds, deck, readTokensPerSec, promptTokensOf }] as const;
      });
    }),
  );
}

/** Share of a deck that is still to be done: at least what is planned. */
function leftOf({ calls }: DeckExpectation, { visualCalls, textCalls }: PlacedRun, done: number): number {
  if (calls === 0) return 0;
  const open = visualCalls + textCalls;
  return Math.min(1, Math.max(calls - done, open) / Math.max(calls, done + open));
}

/** Questions of the newest version of each template, by slug. */
async function questionsByTemplate(db: PrismaClient, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ readonly slug: string; readonly questions: number }[]>`
    SELECT DISTINCT ON (t.slug) t.slug, (
      SELECT count(*)::int FROM "Chapter" c JOIN "Question" q ON q."chapterId" = c.id WHERE c."templateVersionId" = v.id
    ) AS questions
    FROM "Template" t JOIN "TemplateVersion" v ON v."templateId" = t.id
    WHERE t."tenantId" = ${tenantId} ORDER BY t.slug, v.version DESC`;
  return new Map(rows.map(({ slug, questions }) => [slug, questions]));
}

interface ProfileCosts {
  readonly costs: CallCosts;
  /** Tokens of a deck's text that fit. */
  readonly windowTokens: number;
}

/** Time that calls of each model profile take. */
async function readCosts(db: PrismaClient, tenantId: string): Promise<(profile: string) => ProfileCosts> {
  const [configured, machines, answered, lately] = await Promise.all([
    db.modelConfiguration.findMany({
      where: { tenantId },
      select: { profile: true, task: true, modelName: true, numCtx: true, numPredict: true },
    }),
    db.machineSpeed.findMany({ orderBy: { measuredAt: 'asc' } }),
    db.$queryRaw<(AnsweredCall & { readonly modelName: string })[]>`
      SELECT "modelName", "promptTokens", "outputTokens",
             greatest(0, extract(epoch FROM "endedAt" - "startedAt") - "loadMs" / 1000.0)::float8 AS seconds
      FROM "CallAttempt" WHERE outcome = 'stored' ORDER BY "startedAt" DESC LIMIT ${ANSWERS_READ}`,
    callsMadeLately(db),
  ]);
  const fitted = [...Map.groupBy(answered, ({ modelName }) => modelName)].map(
    ([model, calls]) => [model, fittedSpeed(calls)] as const,
  );
  // The last measurement, with every slot in use where that was measured, stands before the speed that follows from answers.
  const measuredSpeeds = machines.map((row): readonly [string, CallSpeed] => {
    const { alone, full } = speedOfRow(row);
    return [row.modelName, full ?? alone];
  });
  const speeds = new Map<string, CallSpeed | null>([...fitted, ...measuredSpeeds]);
  const measured = measuredTasks(lately);
  return (profile) => {
    const own = new Map(configured.filter((row) => row.profile === profile).map((row) => [row.task, row]));
    const modelOf = (task: ModelTask): string | null => own.get(task)?.modelName ?? null;
    const { numCtx = Infinity, numPredict = MODEL_TASKS.answer_question.numPredict } = own.get('answer_question') ?? {};
    return {
      windowTokens: Math.max(0, numCtx - numPredict - OVERHEAD_TOKENS),
      costs: {
        speedOf: (task) => speeds.get(modelOf(task) ?? '') ?? null,
        secondsOf: (task) => {
          const calls = measured.get(task);
          return calls !== undefined && calls.modelName === modelOf(task) ? calls.meanSeconds : null;
        },
      },
    };
  };
}
