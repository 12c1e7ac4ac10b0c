/**
 * Gaps: what an analysis could not compute, one row per item, with its reason. A gap is closed when its item is computed after all.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { MODEL_TASK_NAMES, type ModelTask } from '../../../domain/models/model-tasks.ts';
import type { Stage } from '../../../domain/decks/progress.ts';
import type { Transaction } from './apply-result.ts';

export interface GapInput {
  readonly tenantId: string;
  readonly analysisId: string;
  /** Names the missing item, such as `slide/3/description`. */
  readonly item: string;
  readonly stage: Stage;
  readonly slideNumber?: number | null;
  readonly questionSlug?: string | null;
  readonly code: string;
  /** For people: what is missing and why. */
  readonly message: string;
}

/** Records a gap, or what is now known of one already recorded. */
export async function recordGap(tx: Transaction, gap: GapInput): Promise<void> {
  const { tenantId, analysisId, item, stage, code, message } = gap;
  const columns = {
    stage,
    code,
    message,
    slideNumber: gap.slideNumber ?? null,
    questionSlug: gap.questionSlug ?? null,
  };
  await tx.gap.upsert({
    where: { analysisId_item: { analysisId, item } },
    create: { id: randomUUID(), tenantId, analysisId, item, ...columns },
    update: columns,
  });
}

/** Removes the gap of an item that is there now. */
export async function closeGap(tx: Transaction, analysisId: string, item: string): Promise<void> {
  await tx.gap.deleteMany({ where: { analysisId, item } });
}

/** The model task a stored name stands for. */
export function modelTaskOf(name: string): ModelTask {
  const task = MODEL_TASK_NAMES.find((t) => t === name);
  if (task === undefined) throw new DeckhandError('internal', `unknown model task ${name}`);
  return task;
}

/** The item a call fills. */
export function gapItemOf(call: Pick<ModelCall, 'task' | 'slideNumber' | 'questionId'>): string {
  const task = modelTaskOf(call.task);
  const slide = call.slideNumber ?? 0;
  const question = call.questionId ?? '';
  switch (task) {
    case 'describe_slide':
      return gapItem.description(slide);
    case 'slide_feedback':
      return gapItem.feedback(slide);
    case 'condense_slide':
      return gapItem.condensation(slide);
    case 'extract_offering':
    case 'extract_company_name':
    case 'extract_funding':
    case 'extract_deck_date':
      return gapItem.extraction(task.slice('extract_'.length));
    case 'classify_sector':
      return gapItem.classification;
    case 'answer_question':
      return gapItem.answer(question);
    case 'score_answer':
      return gapItem.score(question);
    case 'specialised_clinical':
    case 'specialised_regulatory':
    case 'specialised_science':
      return gapItem.specialised(task.slice('specialised_'.length));
  }
}

/** Names of gap items: one place, so that writers and readers agree. */
export const gapItem = {
  page: (slide: number): string => `slide/${slide}/page`,
  description: (slide: number): string => `slide/${slide}/description`,
  feedback: (slide: number): string => `slide/${slide}/feedback`,
  condensation: (slide: number): string => `slide/${slide}/condensation`,
  extraction: (field: string): string => `extraction/${field}`,
  classification: 'classification',
  answer: (questionId: string): string => `answer/${questionId}`,
  score: (questionId: string): string => `score/${questionId}`,
  answers: 'answers',
  specialised: (kind: string): string => `specialised/${kind}`,
} as const;
