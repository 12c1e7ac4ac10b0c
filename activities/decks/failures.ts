/**
 * What stands in the rows of an item that failed for good: its state and reason, never a default value.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import {
  EXTRACTION_FIELDS,
  SPECIALISED_KINDS,
  taskOfField,
  taskOfSpecialised,
} from '../../domain/models/model-tasks.ts';
import type { Transaction } from '../models/store/apply-result.ts';
import { countCallEnds } from '../metrics/counting.ts';
import { gapItemOf, modelTaskOf, recordGap } from '../models/store/gaps.ts';

export interface CallFailure {
  readonly callId: string;
  readonly code: string;
  readonly message: string;
}

/** Records that a call failed for good: its own row, the row it was to fill, and a gap. */
export async function recordCallFailure(db: PrismaClient, failure: CallFailure): Promise<void> {
  const call = await db.modelCall.findUnique({ where: { id: failure.callId } });
  if (call === null) throw new DeckhandError('not_found', `model call ${failure.callId} does not exist any more`);
  await db.$transaction(async (tx) => {
    await tx.modelCall.update({
      where: { id: call.id },
      data: { state: 'failed', failureCode: failure.code, failureMessage: failure.message, finishedAt: new Date() },
    });
    await writeFailedRow(tx, call, failure);
  });
  countCallEnds([call], 'failed', call.cached);
}

async function writeFailedRow(tx: Transaction, call: ModelCall, failure: CallFailure): Promise<void> {
  const { tenantId, analysisId, slideNumber, questionId } = call;
  const { code, message: reason } = failure;
  const status = code === 'model_output_unparseable' ? 'unparseable' : 'failed';
  const scope = { tenantId, analysisId };
  const gap = { ...scope, item: gapItemOf(call), code, slideNumber };
  const task = modelTaskOf(call.task);
  switch (task) {
    case 'describe_slide':
      return recordGap(tx, {
        ...gap,
        stage: 'slides',
        message: `Slide ${slideNumber} was not described: ${reason}`,
      });
    case 'slide_feedback':
      return recordGap(tx, {
        ...gap,
        stage: 'slides',
        message: `Slide ${slideNumber} got no feedback: ${reason}`,
      });
    case 'condense_slide':
      return recordGap(tx, {
        ...gap,
        stage: 'slides',
        message: `Slide ${slideNumber} could not be condensed and was cut instead: ${reason}`,
      });
    case 'extract_offering':
    case 'extract_company_name':
    case 'extract_funding':
    case 'extract_deck_date': {
      const field = EXTRACTION_FIELDS.find((f) => taskOfField(f) === task) ?? task;
      await writeExtraction(tx, scope, field, status, reason);
      return recordGap(tx, {
        ...gap,
        stage: 'extraction',
        message: `${field} was not extracted: ${reason}`,
      });
    }
    case 'classify_sector':
      await writeClassification(tx, scope, status, reason);
      return recordGap(tx, {
        ...gap,
        stage: 'classification',
        message: `The sector was not classified: ${reason}`,
      });
    case 'answer_question': {
      const question = await tx.question.findUniqueOrThrow({ where: { id: questionId ?? '' } });
      await writeAnswer(tx, scope, question.id, {
        status,
        reason,
        scoreStatus: 'skipped',
        scoreReason: 'there is no answer to score',
      });
      return recordGap(tx, {
        ...gap,
        stage: 'template',
        questionSlug: question.slug,
        message: `Question ${question.slug} was not answered: ${reason}`,
      });
    }
    case 'score_answer': {
      const question = await tx.question.findUniqueOrThrow({ where: { id: questionId ?? '' } });
      await tx.answer.update({
        where: { analysisId_questionId: { analysisId, questionId: question.id } },
        data: { scoreStatus: status, scoreReason: reason, score: null },
      });
      return recordGap(tx, {
        ...gap,
        stage: 'scoring',
        questionSlug: question.slug,
        message: `The answer to ${question.slug} was not scored: ${reason}`,
      });
    }
    case 'specialised_clinical':
    case 'specialised_regulatory':
    case 'specialised_science': {
      const kind = SPECIALISED_KINDS.find((k) => taskOfSpecialised(k) === task) ?? task;
      await writeSpecialised(tx, scope, kind, status, reason);
      return recordGap(tx, {
        ...gap,
        stage: 'specialised',
        message: `The ${kind} reading was not made: ${reason}`,
      });
    }
  }
}

interface Scope {
  readonly tenantId: string;
  readonly analysisId: string;
}

/** Writes an extraction that has no value. */
export async function writeExtraction(
  tx: Transaction,
  scope: Scope,
  field: string,
  status: string,
  reason: string,
): Promise<void> {
  const { analysisId } = scope;
  const columns = { status, reason, raw: null, amount: null, currency: null, isoDate: null };
  await tx.extraction.upsert({
    where: { analysisId_field: { analysisId, field } },
    create: { id: randomUUID(), ...scope, field, ...columns },
    update: columns,
  });
}

/** Writes a classification that has no sector. */
export async function writeClassification(
  tx: Transaction,
  scope: Scope,
  status: string,
  reason: string,
): Promise<void> {
  const { analysisId } = scope;
  const columns = { status, reason, sectorSlug: null, secondarySlug: null, confidence: null, confident: false };
  await tx.classification.upsert({
    where: { analysisId },
    create: { id: randomUUID(), ...scope, ...columns, keywords: [] },
    update: columns,
  });
}

/** Writes an answer that has no text. */
export async function writeAnswer(
  tx: Transaction,
  scope: Scope,
  questionId: string,
  columns: {
    readonly status: string;
    readonly reason: string;
    readonly scoreStatus: string;
    readonly scoreReason: string;
  },
): Promise<void> {
  const { analysisId } = scope;
  await tx.answer.upsert({
    where: { analysisId_questionId: { analysisId, questionId } },
    create: { id: randomUUID(), ...scope, questionId, ...columns },
    update: columns,
  });
}

/** Writes a specialised reading that was not made. */
export async function writeSpecialised(
  tx: Transaction,
  scope: Scope,
  kind: string,
  status: string,
  reason: string,
): Promise<void> {
  const { analysisId } = scope;
  const columns = { status, reason, summary: null, covered: null };
  await tx.specialisedAnalysis.upsert({
    where: { analysisId_kind: { analysisId, kind } },
    create: { id: randomUUID(), ...scope, kind, ...columns },
    update: columns,
  });
}
