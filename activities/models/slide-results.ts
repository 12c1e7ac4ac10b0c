/**
 * Rows of the two visual calls of a slide, and of attempts to steer the score that stand on it.
 */
import { randomUUID } from 'node:crypto';
import { gapItemOf } from '../../domain/models/model-tasks.ts';
import type { ResultOf } from '../../domain/models/result-schemas.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { findSteering } from '../../domain/evidence/steering.ts';
import type { Transaction } from '../../platform/db.ts';
import { recordGap } from './gaps.ts';
import type { StoreScope } from './result-scope.ts';

function slideOf({ subject }: StoreScope): number {
  if (subject.slideNumber === null) throw new DeckhandError('internal', `a call of ${subject.task} names no slide`);
  return subject.slideNumber;
}

/** Stores what a slide shows. A slide the model could not read is a gap. */
export async function storeDescription(scope: StoreScope, output: ResultOf<'description'>): Promise<void> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const slideNumber = slideOf(scope);
  const columns = {
    legible: output.legible,
    title: output.title,
    visibleText: output.visibleText,
    summary: output.summary,
    modelResultId,
  };
  const finding = await tx.slideFinding.upsert({
    where: { analysisId_slideNumber_kind: { analysisId, slideNumber, kind: 'description' } },
    create: { id: randomUUID(), tenantId, analysisId, slideNumber, kind: 'description', ...columns },
    update: columns,
    select: { id: true },
  });
  await tx.slideFigure.deleteMany({ where: { findingId: finding.id } });
  await tx.slideFigure.createMany({
    data: output.figures.map((f, position) => ({ id: randomUUID(), tenantId, findingId: finding.id, position, ...f })),
  });
  if (output.legible) {
    await storeSteering(tx, { tenantId, analysisId, slideNumber, text: output.visibleText });
  } else {
    await recordGap(tx, {
      tenantId,
      analysisId,
      item: gapItemOf(scope.subject),
      stage: 'slides',
      slideNumber,
      code: 'slide_illegible',
      message: `Slide ${slideNumber} could not be read: the page is a picture without a text layer and the model read nothing in it.`,
    });
  }
}

/** Stores the ten-second check of a slide; silent when nothing is wrong. */
export async function storeFeedback(scope: StoreScope, output: ResultOf<'feedback'>): Promise<void> {
  const { tx, tenantId, analysisId, modelResultId } = scope;
  const slideNumber = slideOf(scope);
  const hasIssues = output.legible && output.hasIssues && output.feedback.trim() !== '';
  const columns = {
    legible: output.legible,
    hasIssues: output.legible ? hasIssues : null,
    feedback: hasIssues ? output.feedback : null,
    modelResultId,
  };
  await tx.slideFinding.upsert({
    where: { analysisId_slideNumber_kind: { analysisId, slideNumber, kind: 'feedback' } },
    create: { id: randomUUID(), tenantId, analysisId, slideNumber, kind: 'feedback', ...columns },
    update: columns,
  });
}

/** Records words on a slide that try to steer the score; nothing when there are none. */
export async function storeSteering(
  tx: Transaction,
  slide: {
    readonly tenantId: string;
    readonly analysisId: string;
    readonly slideNumber: number;
    readonly text: string;
  },
): Promise<void> {
  const found = findSteering(slide.text);
  if (found.length === 0) return;
  const { tenantId, analysisId, slideNumber } = slide;
  const steeringText = found.join('\n');
  await tx.slideFinding.upsert({
    where: { analysisId_slideNumber_kind: { analysisId, slideNumber, kind: 'steering_attempt' } },
    create: { id: randomUUID(), tenantId, analysisId, slideNumber, kind: 'steering_attempt', steeringText },
    update: { steeringText },
  });
}
