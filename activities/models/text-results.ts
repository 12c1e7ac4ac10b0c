/**
 * Rows of the results that text calls give: values, sector, answers, scores and specialised readings. Each kind has one function that stores
 * a result, and one that writes the row of a result that is missing: its state and reason, never a default value.
 */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../domain/errors.ts';
import { parseDeckDate } from '../../domain/decks/deck-date.ts';
import { agreementOf } from '../../domain/evidence/agreement.ts';
import { parseAmount } from '../../domain/evidence/money.ts';
import { checkValueQuote, isAmountOfMoney, type ValueKind } from '../../domain/evidence/value-check.ts';
import { checkedState, stateOf, VALUE_STATES } from '../../domain/evidence/value-state.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { ResultOf } from '../../domain/models/result-schemas.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { CheckedQuote, Claim, JudgeQuote, MissingScope, StoreScope } from './result-scope.ts';

/** Which result of its kind a task gives. @throws DeckhandError `internal` for a task that is the only one of its kind */
function partOf(scope: StoreScope | MissingScope): string {
  const { part } = MODEL_TASKS[scope.subject.task];
  if (part === null) throw new DeckhandError('internal', `task ${scope.subject.task} has no part`);
  return part;
}

function questionOf({ subject }: StoreScope | MissingScope): string {
  if (subject.questionId === null) throw new DeckhandError('internal', `a call of ${subject.task} names no question`);
  return subject.questionId;
}

const NOT_NORMALISED = { amount: null, minAmount: null, currency: null, isoDate: null };
const NO_VALUE = { raw: null, ...NOT_NORMALISED };

/** Money and dates by rule; the deck's own words stand beside them. */
function normalise(
  kind: ValueKind,
  raw: string,
): Pick<Prisma.ExtractionUncheckedCreateInput, keyof typeof NOT_NORMALISED> {
  const money = kind === 'amount' ? parseAmount(raw) : null;
  return {
    amount: money?.amount ?? null,
    minAmount: money?.minAmount ?? null,
    currency: money?.currency ?? null,
    isoDate: kind === 'date' ? parseDeckDate(raw) : null,
  };
}

/** Stores a value, or that none was found. Nothing stands in for a value that is not there. */
export async function storeExtraction(scope: StoreScope, output: ResultOf<'extraction'>): Promise<Claim> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const field = partOf(scope);
  const { value: kind = 'prose' } = MODEL_TASKS[scope.subject.task];
  const value = output.value.trim();
  const isStated = output.stated && value !== '';
  const judge: JudgeQuote = (quote, layout) => checkValueQuote(kind, value, quote, layout);
  const quotes = scope.check(output.evidence, isStated ? judge : undefined);
  const placed = quotes.map(({ quote, slide }) => ({ quote, layout: scope.pageOf.get(slide) ?? null }));
  // A number of people is no amount that was asked for; it stays with its quotes, so that everybody sees what the engine took for one.
  const isCount = isStated && kind === 'amount' && !isAmountOfMoney(value, placed);
  const status = isCount ? 'not_supported' : stateOf(isStated, quotes);
  const columns = {
    status,
    ...(isStated ? { raw: value, ...(isCount ? NOT_NORMALISED : normalise(kind, value)) } : NO_VALUE),
    reason: null,
    modelResultId,
  };
  const { id } = await tx.extraction.upsert({
    where: { analysisId_field: { analysisId, field } },
    create: { id: randomUUID(), tenantId, analysisId, field, ...columns },
    update: columns,
    select: { id: true },
  });
  return {
    owner: { extractionId: id },
    evidence: status === 'not_found' ? [] : comparedWithRules(scope, kind, value, quotes),
  };
}

/** Quotes of a value that a model found, judged by whether the rules of the reader find the same. */
function comparedWithRules(
  { isByReader, byRules }: StoreScope,
  kind: ValueKind,
  value: string,
  quotes: readonly CheckedQuote[],
): readonly CheckedQuote[] {
  const answering = isByReader || byRules === null ? null : agreementOf(kind, value, byRules);
  if (answering === null) return quotes;
  // A quote that the check of its page already doubts is not made better by a value that agrees.
  return quotes.map((quote) => (quote.answering === null ? { ...quote, answering, answeringBy: 'readings' } : quote));
}

export async function writeMissingExtraction(scope: MissingScope): Promise<void> {
  const { tx, tenantId, analysisId, status, reason } = scope;
  const field = partOf(scope);
  const columns = { status, reason, ...NO_VALUE };
  await tx.extraction.upsert({
    where: { analysisId_field: { analysisId, field } },
    create: { id: randomUUID(), tenantId, analysisId, field, ...columns },
    update: columns,
  });
}

/** Why a deck that was read has no sector. */
const TOO_LITTLE_TEXT = 'too little text to tell the sector';
const NO_SECTOR = { sectorSlug: null, secondarySlug: null, confidence: null, confident: false } as const;

/**
 * Stores the sector with the model's own confidence; whether it reaches the sector's minimum is said beside it, never corrected. The reader
 * may say that the deck does not tell it.
 */
export async function storeClassification(scope: StoreScope, output: ResultOf<'classification'>): Promise<void> {
  const { tx, tenantId, analysisId, modelResultId, isByReader } = scope;
  const isUnknown = isByReader && output.sectorKnown === false;
  const sector = await tx.sector.findUnique({
    where: { tenantId_slug: { tenantId, slug: output.sector } },
    select: { minConfidencePercent: true },
  });
  const columns = {
    status: 'classified',
    sectorSlug: output.sector,
    secondarySlug: output.secondarySector === 'none' ? null : output.secondarySector,
    confidence: output.confidencePercent / 100,
    confident: output.confidencePercent >= (sector?.minConfidencePercent ?? 0),
    ...(isUnknown ? NO_SECTOR : {}),
    reasoning: output.reasoning,
    keywords: output.keywords,
    reason: isUnknown ? TOO_LITTLE_TEXT : null,
    modelResultId,
  };
  await tx.classification.upsert({
    where: { analysisId },
    create: { id: randomUUID(), tenantId, analysisId, ...columns },
    update: columns,
  });
}

export async function writeMissingClassification(scope: MissingScope): Promise<void> {
  const { tx, tenantId, analysisId, status, reason } = scope;
  const columns = { status, reason, ...NO_SECTOR };
  await tx.classification.upsert({
    where: { analysisId },
    create: { id: randomUUID(), tenantId, analysisId, ...columns, keywords: [] },
    update: columns,
  });
}

/** Stores the answer to a question. */
export async function storeAnswer(scope: StoreScope, output: ResultOf<'answer'>): Promise<Claim> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const questionId = questionOf(scope);
  const quotes = scope.check(output.evidence);
  const state = stateOf(output.covered !== 'no', quotes);
  // What an engine says of a deck in which it found nothing is no statement of the deck.
  const found =
    state === 'not_found'
      ? { covered: null, answer: null }
      : { covered: state === 'found' ? output.covered : null, answer: output.answer };
  const where = { analysisId_questionId: { analysisId, questionId } };
  const known = await tx.answer.findUnique({ where, select: { supported: true } });
  const checks = { answering: quotes.map(({ answering }) => answering), supported: known?.supported ?? null };
  const columns = { status: 'answered', state: checkedState(state, checks), ...found, reason: null, modelResultId };
  const { id } = await tx.answer.upsert({
    where,
    create: { id: randomUUID(), tenantId, analysisId, questionId, ...columns },
    update: columns,
    select: { id: true },
  });
  return { owner: { answerId: id }, evidence: state === 'not_found' ? [] : quotes };
}

export async function writeMissingAnswer(scope: MissingScope): Promise<void> {
  const { tx, tenantId, analysisId, status, reason } = scope;
  const questionId = questionOf(scope);
  const scoreReason = status === 'skipped' || status === 'unreadable' ? reason : 'there is no answer to score';
  const columns = { status, state: null, reason, scoreStatus: 'skipped', scoreReason, supported: null };
  await tx.answer.upsert({
    where: { analysisId_questionId: { analysisId, questionId } },
    create: { id: randomUUID(), tenantId, analysisId, questionId, ...columns },
    update: columns,
  });
}

/** Stores the score of an answer that is there, and whether it supports the answer. */
export async function storeScore(scope: StoreScope, output: ResultOf<'score'>): Promise<void> {
  const { modelResultId: scoreModelResultId, isByReader } = scope;
  const { score, rationale } = output;
  const supported = isByReader ? (output.supported ?? score > 0) : score > 0;
  await updateScore(scope, {
    scoreStatus: 'scored',
    score,
    rationale,
    scoreReason: null,
    scoreModelResultId,
    supported,
  });
}

/** Writes the columns of a score, and the state of its answer that follows. Which of the two is stored first does not matter. */
async function updateScore(
  scope: StoreScope | MissingScope,
  columns: Pick<Prisma.AnswerUpdateInput, 'scoreStatus' | 'scoreReason' | 'score' | 'rationale'> & {
    readonly scoreModelResultId?: string;
    readonly supported: boolean | null;
  },
): Promise<void> {
  const { tx, analysisId } = scope;
  const { id, state, evidence } = await tx.answer.findUniqueOrThrow({
    where: { analysisId_questionId: { analysisId, questionId: questionOf(scope) } },
    select: { id: true, state: true, evidence: { select: { answering: true } } },
  });
  const own = memberOf(VALUE_STATES, state);
  const checks = { answering: evidence.map(({ answering }) => answering), supported: columns.supported };
  await tx.answer.update({
    where: { id },
    data: { ...columns, ...(own === null ? {} : { state: checkedState(own, checks) }) },
  });
}

export async function writeMissingScore(scope: MissingScope): Promise<void> {
  const { status, reason } = scope;
  await updateScore(scope, { scoreStatus: status, scoreReason: reason, score: null, supported: null });
}

/** Stores one specialised reading with its points. */
export async function storeSpecialised(scope: StoreScope, output: ResultOf<'specialised'>): Promise<Claim> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const kind = partOf(scope);
  const quotes = scope.check(output.evidence);
  const state = stateOf(output.covered !== 'no', quotes);
  const points = state === 'not_found' ? [] : output.points;
  const columns = {
    status: 'analysed',
    state,
    covered: state === 'found' ? output.covered : null,
    summary: state === 'not_found' ? null : output.summary,
    reason: null,
    modelResultId,
  };
  const { id: specialisedId } = await tx.specialisedAnalysis.upsert({
    where: { analysisId_kind: { analysisId, kind } },
    create: { id: randomUUID(), tenantId, analysisId, kind, ...columns },
    update: columns,
    select: { id: true },
  });
  await tx.specialisedPoint.deleteMany({ where: { specialisedId } });
  await tx.specialisedPoint.createMany({
    data: points.map((point, position) => ({ id: randomUUID(), tenantId, specialisedId, position, ...point })),
  });
  return { owner: { specialisedId }, evidence: state === 'not_found' ? [] : quotes };
}

export async function writeMissingSpecialised(scope: MissingScope): Promise<void> {
  const { tx, tenantId, analysisId, status, reason } = scope;
  const kind = partOf(scope);
  const columns = { status, reason, state: null, summary: null, covered: null };
  await tx.specialisedAnalysis.upsert({
    where: { analysisId_kind: { analysisId, kind } },
    create: { id: randomUUID(), tenantId, analysisId, kind, ...columns },
    update: columns,
  });
}
