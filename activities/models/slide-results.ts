/** Rows of the two visual calls of a slide, and of attempts to steer the score that stand on it. */
import { randomUUID } from 'node:crypto';
import { gapItemOf } from '../../domain/models/model-tasks.ts';
import type { ResultOf } from '../../domain/models/result-schemas.ts';
import { ILLEGIBLE_CODE } from '../../domain/decks/unread.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { pageNoteOf } from '../../domain/pages/page.ts';
import { pageLayoutSchema } from '../../domain/pages/page-schemas.ts';
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
    await storeSteering(tx, { tenantId, analysisId, slideNumber, found: findSteering(output.visibleText) });
    return;
  }
  const reason = await reasonOfIllegible(tx, { analysisId, slideNumber });
  if (reason === null) return;
  await recordGap(tx, {
    tenantId,
    analysisId,
    item: gapItemOf(scope.subject),
    stage: 'slides',
    slideNumber,
    code: ILLEGIBLE_CODE,
    message: `Slide ${slideNumber} could not be read: ${reason}, and the model read nothing in it.`,
  });
}

/** Why nothing was read of a slide before a model looked at it; null for a blank page, of which nothing is missing. */
async function reasonOfIllegible(
  tx: Transaction,
  { analysisId, slideNumber }: { readonly analysisId: string; readonly slideNumber: number },
): Promise<string | null> {
  const slide = await tx.slide.findFirst({
    where: { number: slideNumber, renderKey: RENDER_KEY, deck: { analyses: { some: { id: analysisId } } } },
    select: { layout: true },
  });
  const note = slide === null || slide.layout === null ? 'no_text' : pageNoteOf(pageLayoutSchema.parse(slide.layout));
  switch (note) {
    case 'blank':
      return null;
    case 'not_recognised':
      return 'the text in its picture could not be recognised';
    case 'no_text':
      return 'it has no text layer, no text was recognised in its picture';
    case 'recognised':
    case null:
      return 'its text says nothing';
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

/** Most attempts kept of one slide. */
const MAX_ATTEMPTS = 5;

/** Records words on a slide that try to steer the score, beside those that were recorded before; nothing when there are none. */
export async function storeSteering(
  tx: Transaction,
  slide: {
    readonly tenantId: string;
    readonly analysisId: string;
    readonly slideNumber: number;
    readonly found: readonly string[];
  },
): Promise<void> {
  const { tenantId, analysisId, slideNumber, found } = slide;
  if (found.length === 0) return;
  const where = { analysisId_slideNumber_kind: { analysisId, slideNumber, kind: 'steering_attempt' } } as const;
  const known = await tx.slideFinding.findUnique({ where, select: { steeringText: true } });
  const lines = [...(known?.steeringText?.split('\n') ?? []), ...found.map((text) => text.replaceAll('\n', ' '))];
  const steeringText = [...new Set(lines)].slice(0, MAX_ATTEMPTS).join('\n');
  await tx.slideFinding.upsert({
    where,
    create: { id: randomUUID(), tenantId, analysisId, slideNumber, kind: 'steering_attempt', steeringText },
    update: { steeringText },
  });
}
