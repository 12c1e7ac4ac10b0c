/**
 * Turns a model's result, or its failure, into the rows of an analysis: findings, values, answers, scores, and the quotes that support them.
 * Idempotent: storing a result twice leaves what storing it once leaves.
 */
import { randomUUID } from 'node:crypto';
import { Prisma, type ModelCall, type ModelResult, type PrismaClient } from '../../generated/prisma/client.ts';
import { counted } from '../../domain/text/words.ts';
import { isByRules } from '../../domain/decks/review/statement.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { gapItemOf, MODEL_TASKS, modelTaskOf, type CallSubject } from '../../domain/models/model-tasks.ts';
import { quotesOfResult, RESULT_SCHEMAS, type ResultKind, type ResultOf } from '../../domain/models/result-schemas.ts';
import type { Transaction } from '../../platform/db.ts';
import { countCallEnds } from '../metrics/counting.ts';
import type { AnalysisContext } from './analysis-context.ts';
import { markBuiltWithout } from './built-without.ts';
import { checkQuotes, loadQuotePages, type QuotePages } from './check-quotes.ts';
import { closeGap, recordGap, type GapInput } from './gaps.ts';
import type { Claim, MissingScope, StoreScope } from './result-scope.ts';
import { valueByRules } from './value-by-rules.ts';
import { storeProfile, writeMissingProfile } from './profile-results.ts';
import { storeDescription, storeFeedback } from './slide-results.ts';
import {
  storeAnswer,
  storeClassification,
  storeExtraction,
  storeScore,
  storeSpecialised,
  writeMissingAnswer,
  writeMissingClassification,
  writeMissingExtraction,
  writeMissingScore,
  writeMissingSpecialised,
} from './text-results.ts';

interface ResultRows<Kind extends ResultKind> {
  /** Stores a result; returns the quotes that are to be stored with it. Absent where readers take it from the result itself. */
  readonly store?: (scope: StoreScope, output: ResultOf<Kind>) => Promise<Claim | readonly Claim[] | void>;
  /** Writes the row of a result that is missing. Absent where its gap says everything. */
  readonly writeMissing?: (scope: MissingScope) => Promise<void>;
}

/** The rows of each kind of result. */
const RESULT_ROWS: { readonly [Kind in ResultKind]: ResultRows<Kind> } = {
  description: { store: storeDescription },
  feedback: { store: storeFeedback },
  // The deck's text is assembled from the results themselves.
  condensation: {},
  extraction: { store: storeExtraction, writeMissing: writeMissingExtraction },
  classification: { store: storeClassification, writeMissing: writeMissingClassification },
  answer: { store: storeAnswer, writeMissing: writeMissingAnswer },
  score: { store: storeScore, writeMissing: writeMissingScore },
  specialised: { store: storeSpecialised, writeMissing: writeMissingSpecialised },
  profile: { store: storeProfile, writeMissing: writeMissingProfile },
};

type StoredResult = Pick<ModelResult, 'id' | 'output' | 'engineKind'>;

/** A result with what is computed before the transaction that stores it. */
type PreparedResult = StoredResult &
  Pick<StoreScope, 'byRules'> & {
    /** The pages on which its quotes are checked. */
    readonly pages: QuotePages;
  };

interface Answered<R> {
  readonly call: ModelCall;
  readonly result: R;
}

/** The pages on which the quotes of results are checked. */
export function quotePages(
  db: Pick<PrismaClient, 'slide'>,
  { deckId }: AnalysisContext,
  answered: readonly Answered<Pick<StoredResult, 'output' | 'engineKind'>>[],
): Promise<QuotePages> {
  const quoted = answered.map(({ call, result }) => {
    const output = RESULT_SCHEMAS[MODEL_TASKS[modelTaskOf(call.task)].result].parse(JSON.parse(result.output));
    return { quotes: quotesOfResult(output), isByReader: isByRules(result) };
  });
  return loadQuotePages(db, deckId, quoted);
}

/** A result with what a transaction needs to store it. Not for a transaction, because it reads the whole deck. */
export async function prepareResult(
  db: PrismaClient,
  context: AnalysisContext,
  call: ModelCall,
  result: StoredResult,
  pages?: QuotePages,
): Promise<PreparedResult> {
  const byRules = isByRules(result) ? null : await valueByRules(db, context, modelTaskOf(call.task));
  return { ...result, byRules, pages: pages ?? (await quotePages(db, context, [{ call, result }])) };
}

/** Writes the rows of one result and marks its call stored, in one transaction. */
export async function applyResult(
  db: PrismaClient,
  context: AnalysisContext,
  call: ModelCall,
  result: StoredResult,
  options: { readonly cached: boolean },
): Promise<void> {
  const own = await prepareResult(db, context, call, result);
  await db.$transaction((tx) => applyInTransaction(tx, context, call, own, options));
  countCallEnds([call], 'stored', options.cached);
}

/** Results written in one transaction: few enough that it stays far below its time limit. */
const APPLIED_TOGETHER = 32;

/**
 * Writes the rows of stored results, several in one transaction: a replay of a whole review is a hundred of them. A call that has no row yet
 * gets one together with its result, so that it never counts as open work.
 */
export async function applyStoredResults(
  db: PrismaClient,
  context: AnalysisContext,
  answered: readonly Answered<StoredResult>[],
): Promise<void> {
  for (let from = 0; from < answered.length; from += APPLIED_TOGETHER) {
    const chosen = answered.slice(from, from + APPLIED_TOGETHER);
    const pages = await quotePages(db, context, chosen);
    const together: Answered<PreparedResult>[] = [];
    for (const { call, result } of chosen)
      together.push({ call, result: await prepareResult(db, context, call, result, pages) });
    await db.$transaction(async (tx) => {
      // In the order of a deletion, the analysis and then the results: otherwise each could wait for the other.
      await tx.modelCall.createMany({ data: together.map(({ call }) => call), skipDuplicates: true });
      await lockResults(
        tx,
        together.map(({ result }) => result.id),
      );
      for (const { call, result } of together) await writeResult(tx, context, call, result);
      await tx.modelCall.updateMany({
        where: { analysisId: context.analysisId, contentKey: { in: together.map(({ call }) => call.contentKey) } },
        data: storedNow({ cached: true }),
      });
    });
    countCallEnds(
      together.map(({ call }) => call),
      'stored',
      true,
    );
  }
}

/**
 * Keeps results from being removed with a deleted deck until the transaction ends and calls name them.
 *
 * @throws DeckhandError `internal` when one is gone already; its call is then planned again, for a model
 */
async function lockResults(tx: Transaction, ids: readonly string[]): Promise<void> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT "id" FROM "ModelResult" WHERE "id" = ANY(${ids}) ORDER BY "id" FOR KEY SHARE`;
  if (locked.length < new Set(ids).size) {
    throw new DeckhandError('internal', 'a stored result was removed with a deleted deck');
  }
}

/** {@link applyResult} within a transaction that already runs. */
export async function applyInTransaction(
  tx: Transaction,
  context: AnalysisContext,
  call: ModelCall,
  result: PreparedResult,
  options: { readonly cached: boolean },
): Promise<void> {
  await writeResult(tx, context, call, result);
  await tx.modelCall.update({ where: { id: call.id }, data: storedNow(options) });
}

/** Columns of a call whose result is stored. */
const storedNow = ({ cached }: { readonly cached: boolean }) =>
  ({ state: 'stored', cached, finishedAt: new Date(), failureCode: null, failureMessage: null }) as const;

async function writeResult(
  tx: Transaction,
  context: AnalysisContext,
  call: ModelCall,
  result: PreparedResult,
): Promise<void> {
  const subject = subjectOf(call);
  const kind = MODEL_TASKS[subject.task].result;
  const output: unknown = JSON.parse(result.output);
  // Only a call that failed before can have left a gap.
  if (call.failureCode !== null) {
    await closeGap(tx, context.analysisId, gapItemOf(call));
    if (kind === 'description' && RESULT_SCHEMAS.description.parse(output).legible) await markBuiltWithout(tx, call);
  }
  const { tenantId, analysisId } = context;
  const { id: modelResultId, byRules, pages } = result;
  const isByReader = isByRules(result);
  const check: StoreScope['check'] = (quotes, judge) => checkQuotes(pages, { quotes, isByReader }, judge);
  const scope = { tx, tenantId, analysisId, subject, modelResultId, isByReader, byRules, pageOf: pages.pageOf, check };
  const claims = await storeAs(kind, scope, output);
  for (const claim of claims) await replaceEvidence(tx, tenantId, claim);
}

/** The function of a kind, on the output as the kind's schema reads it. */
async function storeAs<Kind extends ResultKind>(
  kind: Kind,
  scope: StoreScope,
  output: unknown,
): Promise<readonly Claim[]> {
  const rows: ResultRows<Kind> = RESULT_ROWS[kind];
  const stored = (await rows.store?.(scope, RESULT_SCHEMAS[kind].parse(output) as ResultOf<Kind>)) ?? [];
  return 'owner' in stored ? [stored] : stored;
}

/** Replaces the quotes of a claim. */
async function replaceEvidence(tx: Transaction, tenantId: string, { owner, evidence }: Claim): Promise<void> {
  await tx.evidence.deleteMany({ where: owner });
  await tx.evidence.createMany({
    data: evidence.map(({ slide: slideNumber, boxes, ...checked }, position) => ({
      id: randomUUID(),
      tenantId,
      ...owner,
      position,
      slideNumber,
      ...checked,
      boxes: boxes ?? Prisma.DbNull,
    })),
  });
}

/** A call that failed for good. */
export interface CallFailure {
  readonly callId: string;
  readonly code: string;
  readonly message: string;
}

/** Records that a call failed for good: its own row, the row it was to fill, and a gap. */
export async function recordCallFailure(db: PrismaClient, { callId, code, message }: CallFailure): Promise<void> {
  const call = await db.modelCall.findUnique({ where: { id: callId } });
  if (call === null) throw new DeckhandError('not_found', `model call ${callId} does not exist any more`);
  await db.$transaction(async (tx) => {
    await tx.modelCall.update({
      where: { id: call.id },
      data: { state: 'failed', failureCode: code, failureMessage: message, finishedAt: new Date() },
    });
    const { tenantId, analysisId } = call;
    const status = code === 'model_output_unparseable' ? 'unparseable' : 'failed';
    const reason = withLosses(message, code, call);
    const scope = { tx, tenantId, analysisId, subject: subjectOf(call), status, reason } as const;
    await writeMissing(scope);
    await recordGap(tx, await gapOf(scope, code));
  });
  countCallEnds([call], 'failed', call.cached);
}

/** A reason with how often the call was lost besides; that of the last allowed send says it already. */
function withLosses(message: string, code: string, { lostSends }: ModelCall): string {
  if (lostSends === 0 || code === 'model_sends_exhausted') return message;
  return `${message} It was also lost ${counted(lostSends, 'time')} with its machine, gateway or network.`;
}

/** Writes the row of a result that is missing, with its state and reason. */
export async function writeMissing(scope: MissingScope): Promise<void> {
  await RESULT_ROWS[MODEL_TASKS[scope.subject.task].result].writeMissing?.(scope);
}

/** The gap of a result that is missing. */
export async function gapOf(
  { tx, tenantId, analysisId, subject, reason }: MissingScope,
  code: string,
): Promise<GapInput> {
  const { missing, stage, subject: about } = MODEL_TASKS[subject.task];
  const { slideNumber, questionId } = subject;
  const question =
    about === 'question' ? await tx.question.findUniqueOrThrow({ where: { id: questionId ?? '' } }) : null;
  return {
    tenantId,
    analysisId,
    item: gapItemOf(subject),
    // What is missing of a slide is shown with the slides, whatever needs it.
    stage: about === 'slide' ? 'slides' : stage,
    slideNumber,
    questionSlug: question?.slug ?? null,
    code,
    message: `${missing(question?.slug ?? String(slideNumber))}: ${reason}`,
  };
}

/** What a call is about. */
export const subjectOf = (call: Pick<ModelCall, 'task' | 'slideNumber' | 'questionId'>): CallSubject => ({
  task: modelTaskOf(call.task),
  slideNumber: call.slideNumber,
  questionId: call.questionId,
});
