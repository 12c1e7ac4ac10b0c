/**
 * Planning of a run's stages: which calls each stage needs, and what is recorded instead when there is nothing to read.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import {
  SPECIALISED_KINDS,
  taskOfField,
  taskOfSpecialised,
  type ExtractionField,
  type SpecialisedKind,
} from '../../domain/models/model-tasks.ts';
import { counted } from '../../domain/text/words.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { pinnedSetup, type AnalysisContext, type AnalysisContexts } from '../models/plan/analysis-context.ts';
import { CallInputSource, type CallSubject } from '../models/plan/call-input.ts';
import { assembleDeckText, slidesToCondense } from '../models/plan/deck-text.ts';
import { planCalls, type CallPlan } from '../models/plan/plan-calls.ts';
import { gapItem, recordGap } from '../models/store/gaps.ts';
import { storeSteering } from '../models/store/slide-findings.ts';
import { writeAnswer, writeClassification, writeExtraction, writeSpecialised } from './failures.ts';
import { keepFromOrigin } from './replay/keep.ts';
import type { AnalysisRef } from './stages.ts';
import { settleTemplate } from './template.ts';

const NOTHING_PLANNED: CallPlan = { calls: [], cached: 0, failed: 0 };
/** Code of gaps that follow from a deck in which no slide could be read. */
const NO_TEXT_CODE = 'no_readable_text';
const NO_TEXT = 'no slide of this deck could be read';

const subject = (task: CallSubject['task'], about: Partial<CallSubject> = {}): CallSubject => ({
  task,
  slideNumber: null,
  questionId: null,
  ...about,
});

/** Plans what the stages of one analysis need. */
export class StagePlanner {
  readonly #db: PrismaClient;
  readonly #contexts: AnalysisContexts;

  constructor(db: PrismaClient, contexts: AnalysisContexts) {
    this.#db = db;
    this.#contexts = contexts;
  }

  /** Takes over what a replay keeps, and plans the rest. */
  async #plan(context: AnalysisContext, subjects: readonly CallSubject[], source?: CallInputSource): Promise<CallPlan> {
    const kept = await keepFromOrigin(this.#db, context, subjects);
    const plan = await planCalls(this.#db, context, kept.open, source);
    return { calls: plan.calls, cached: plan.cached + kept.cached, failed: plan.failed + kept.failed };
  }

  /** The visual calls of rendered pages; pages that could not be rendered become gaps. */
  async slides(
    input: AnalysisRef & { readonly pages: readonly number[]; readonly describe: boolean; readonly feedback: boolean },
  ): Promise<CallPlan & { readonly failedPages: number }> {
    const context = await this.#contexts.get(input.analysisId);
    // Asked first: this is tried again every second while a machine boots.
    if (input.describe) pinnedSetup(context, 'describe_slide');
    if (input.feedback) pinnedSetup(context, 'slide_feedback');
    const rows = await this.#db.slide.findMany({
      where: { deckId: context.deckId, renderKey: RENDER_KEY, number: { in: [...input.pages] } },
      orderBy: { number: 'asc' },
    });
    const { tenantId, analysisId } = context;
    const rendered = rows.filter((r) => r.modelBlobKey !== null);
    for (const row of rows) {
      if (row.modelBlobKey !== null) {
        await storeSteering(this.#db, { tenantId, analysisId, slideNumber: row.number, text: row.text });
        continue;
      }
      await recordGap(this.#db, {
        tenantId,
        analysisId,
        item: gapItem.page(row.number),
        stage: 'slides',
        slideNumber: row.number,
        code: row.failureCode ?? 'page_render_failed',
        message: `Page ${row.number} could not be rendered: ${row.failureMessage ?? 'unknown reason'}`,
      });
    }
    const subjects = rendered.flatMap((row) => [
      ...(input.describe ? [subject('describe_slide', { slideNumber: row.number })] : []),
      ...(input.feedback ? [subject('slide_feedback', { slideNumber: row.number })] : []),
    ]);
    const source = new CallInputSource(this.#db, context, { slides: rendered });
    return { ...(await this.#plan(context, subjects, source)), failedPages: rows.length - rendered.length };
  }

  /** The calls that shorten a deck which does not fit the model's window; none when it fits. */
  async condensation(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const deck = await assembleDeckText(this.#db, context);
    await this.#db.analysis.update({ where: { id: input.analysisId }, data: { condensed: deck.tooLong } });
    if (!deck.tooLong) return NOTHING_PLANNED;
    const subjects = slidesToCondense(deck.slides).map((s) => subject('condense_slide', { slideNumber: s.number }));
    return this.#plan(context, subjects, new CallInputSource(this.#db, context, { texts: deck.slides }));
  }

  /** The extraction calls; skipped with a reason when nothing could be read. */
  async extractions(input: AnalysisRef & { readonly fields: readonly ExtractionField[] }): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const source = new CallInputSource(this.#db, context);
    if ((await source.deckText('extract_offering')).readableSlides > 0) {
      return this.#plan(
        context,
        input.fields.map((field) => subject(taskOfField(field))),
        source,
      );
    }
    for (const field of input.fields) {
      await this.#db.$transaction(async (tx) => {
        await writeExtraction(tx, idsOf(context), field, 'skipped', NO_TEXT);
        await recordGap(tx, {
          ...idsOf(context),
          item: gapItem.extraction(field),
          stage: 'extraction',
          code: NO_TEXT_CODE,
          message: `${field} was not extracted: ${NO_TEXT}`,
        });
      });
    }
    return NOTHING_PLANNED;
  }

  /** The classification call; skipped with a reason when nothing could be read. */
  async classification(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const source = new CallInputSource(this.#db, context);
    if ((await source.deckText('classify_sector')).readableSlides > 0) {
      return this.#plan(context, [subject('classify_sector')], source);
    }
    await this.#db.$transaction(async (tx) => {
      await writeClassification(tx, idsOf(context), 'skipped', NO_TEXT);
      await recordGap(tx, {
        ...idsOf(context),
        item: gapItem.classification,
        stage: 'classification',
        code: NO_TEXT_CODE,
        message: `The sector was not classified: ${NO_TEXT}`,
      });
    });
    return NOTHING_PLANNED;
  }

  /**
   * Chooses the template, records why, and plans its answers.
   *
   * @throws DeckhandError `template_missing` when neither the asked template nor the fallback has questions.
   */
  async answers(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const questions = await settleTemplate(this.#db, context);
    const source = new CallInputSource(this.#db, context);
    if ((await source.deckText('answer_question')).readableSlides > 0) {
      const subjects = questions.map((q) => subject('answer_question', { questionId: q.id }));
      return this.#plan(context, subjects, source);
    }
    await this.#db.$transaction(async (tx) => {
      for (const { id } of questions) {
        await writeAnswer(tx, idsOf(context), id, {
          status: 'skipped',
          reason: NO_TEXT,
          scoreStatus: 'skipped',
          scoreReason: NO_TEXT,
        });
      }
      await recordGap(tx, {
        ...idsOf(context),
        item: gapItem.answers,
        stage: 'template',
        code: NO_TEXT_CODE,
        message: `${counted(questions.length, 'question was', 'questions were')} not asked: ${NO_TEXT}`,
      });
    });
    return NOTHING_PLANNED;
  }

  /** The scoring calls of every answer that is there, or of the one to a question. */
  async scores(input: AnalysisRef & { readonly questionId?: string }): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const answers = await this.#db.answer.findMany({
      where: {
        analysisId: input.analysisId,
        status: 'answered',
        ...(input.questionId === undefined ? {} : { questionId: input.questionId }),
      },
      select: { questionId: true },
    });
    return this.#plan(
      context,
      answers.map((a) => subject('score_answer', { questionId: a.questionId })),
    );
  }

  /**
   * The specialised readings. In a full review only health sectors get them; asked for alone they are always made.
   */
  async specialised(
    input: AnalysisRef & { readonly kinds: readonly SpecialisedKind[]; readonly onlyForHealth: boolean },
  ): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const skip = await this.reasonToSkipSpecialised(input);
    const source = new CallInputSource(this.#db, context);
    const readable = (await source.deckText('specialised_clinical')).readableSlides > 0;
    if (skip === null && readable) {
      return this.#plan(
        context,
        input.kinds.map((kind) => subject(taskOfSpecialised(kind))),
        source,
      );
    }
    await this.#db.$transaction(async (tx) => {
      for (const kind of SPECIALISED_KINDS.filter((k) => input.kinds.includes(k))) {
        await writeSpecialised(tx, idsOf(context), kind, 'skipped', skip ?? NO_TEXT);
        if (skip !== null) continue;
        await recordGap(tx, {
          ...idsOf(context),
          item: gapItem.specialised(kind),
          stage: 'specialised',
          code: NO_TEXT_CODE,
          message: `The ${kind} reading was not made: ${NO_TEXT}`,
        });
      }
    });
    return NOTHING_PLANNED;
  }

  /** Why a full review makes no specialised readings of this deck; null when it makes them. */
  async reasonToSkipSpecialised(input: AnalysisRef & { readonly onlyForHealth: boolean }): Promise<string | null> {
    if (!input.onlyForHealth) return null;
    const context = await this.#contexts.get(input.analysisId);
    const { tenantId, analysisId } = context;
    const classification = await this.#db.classification.findUnique({ where: { analysisId } });
    const slug = classification?.sectorSlug ?? null;
    if (slug === null) return 'the sector of this deck is not known; specialised readings are for health sectors';
    const sector = await this.#db.sector.findUnique({
      where: { tenantId_slug: { tenantId, slug } },
    });
    return sector?.isHealth === true ? null : `sector ${sector?.name ?? slug} is not a health sector`;
  }
}

const idsOf = (context: AnalysisContext): { tenantId: string; analysisId: string } => ({
  tenantId: context.tenantId,
  analysisId: context.analysisId,
});
