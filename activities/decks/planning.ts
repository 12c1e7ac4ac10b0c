/**
 * Planning of a run's stages: which calls each stage needs, and what is recorded instead when there is nothing to read.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import {
  ALL_ANSWERS_ITEM,
  callSubject,
  pageGapItem,
  taskOfField,
  taskOfSpecialised,
  tasksOfStep,
  type CallSubject,
  type ExtractionField,
  type SpecialisedKind,
} from '../../domain/models/model-tasks.ts';
import { visualCalls, type VisualScope } from '../../domain/decks/run-scope.ts';
import { counted } from '../../domain/text/words.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { pinnedSetup, type AnalysisContext, type AnalysisContexts } from '../models/analysis-context.ts';
import { CallInputSource } from '../models/call-input.ts';
import { assembleDeckText, slidesToCondense } from '../models/deck-text.ts';
import { planCalls, type CallPlan } from '../models/plan-calls.ts';
import { recordGap, type GapInput } from '../models/gaps.ts';
import type { MissingScope } from '../models/result-scope.ts';
import { storeSteering } from '../models/slide-results.ts';
import { gapOf, writeMissing } from '../models/store-result.ts';
import { keepFromOrigin } from './replay/keep.ts';
import type { AnalysisRef } from './stages.ts';
import { settleTemplate } from './template.ts';

const NOTHING_PLANNED: CallPlan = { calls: [], cached: 0, failed: 0 };
/** Code of gaps that follow from a deck in which no slide could be read. */
const NO_TEXT_CODE = 'no_readable_text';
const NO_TEXT = 'no slide of this deck could be read';

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
    input: AnalysisRef & VisualScope & { readonly pages: readonly number[] },
  ): Promise<CallPlan & { readonly failedPages: number }> {
    const context = await this.#contexts.get(input.analysisId);
    // Asked first: this is tried again every second while a machine boots.
    for (const { task } of visualCalls(input, [0])) pinnedSetup(context, task);
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
        item: pageGapItem(row.number),
        stage: 'slides',
        slideNumber: row.number,
        code: row.failureCode ?? 'page_render_failed',
        message: `Page ${row.number} could not be rendered: ${row.failureMessage ?? 'unknown reason'}`,
      });
    }
    const subjects = visualCalls(
      input,
      rendered.map((row) => row.number),
    );
    const source = new CallInputSource(this.#db, context, { slides: rendered });
    return { ...(await this.#plan(context, subjects, source)), failedPages: rows.length - rendered.length };
  }

  /** The calls that shorten a deck which does not fit the model's window; none when it fits. */
  async condensation(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const deck = await assembleDeckText(this.#db, context);
    await this.#db.analysis.update({ where: { id: input.analysisId }, data: { condensed: deck.tooLong } });
    if (!deck.tooLong) return NOTHING_PLANNED;
    const subjects = slidesToCondense(deck.slides).flatMap(({ number }) =>
      tasksOfStep('condensation').map((task) => callSubject(task, { slideNumber: number })),
    );
    return this.#plan(context, subjects, new CallInputSource(this.#db, context, { texts: deck.slides }));
  }

  /** The extraction calls; skipped with a reason when nothing could be read. */
  async extractions(input: AnalysisRef & { readonly fields: readonly ExtractionField[] }): Promise<CallPlan> {
    const subjects = input.fields.map((field) => callSubject(taskOfField(field)));
    return this.#deckCalls(await this.#contexts.get(input.analysisId), subjects);
  }

  /** The classification call; skipped with a reason when nothing could be read. */
  async classification(input: AnalysisRef): Promise<CallPlan> {
    const subjects = tasksOfStep('classification').map((task) => callSubject(task));
    return this.#deckCalls(await this.#contexts.get(input.analysisId), subjects);
  }

  /** Calls that read the whole deck. Where nothing of it could be read, each of them is a gap. */
  async #deckCalls(context: AnalysisContext, subjects: readonly CallSubject[]): Promise<CallPlan> {
    const source = new CallInputSource(this.#db, context);
    if (await isReadable(source, subjects)) return this.#plan(context, subjects, source);
    await this.#skip(context, subjects, NO_TEXT, (scope) => gapOf(scope, NO_TEXT_CODE));
    return NOTHING_PLANNED;
  }

  /** Writes that results are missing because their calls are not made, each with its gap where it is one. */
  async #skip(
    { tenantId, analysisId }: AnalysisContext,
    subjects: readonly CallSubject[],
    reason: string,
    gapOfSkipped?: (scope: MissingScope) => Promise<GapInput>,
  ): Promise<void> {
    await this.#db.$transaction(async (tx) => {
      for (const subject of subjects) {
        const scope = { tx, tenantId, analysisId, subject, status: 'skipped', reason } as const;
        await writeMissing(scope);
        if (gapOfSkipped !== undefined) await recordGap(tx, await gapOfSkipped(scope));
      }
    });
  }

  /**
   * Chooses the template, records why, and plans its answers. Where nothing could be read there is one gap for all of them.
   *
   * @throws DeckhandError `template_missing` when neither the asked template nor the fallback has questions.
   */
  async answers(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const questions = await settleTemplate(this.#db, context);
    const source = new CallInputSource(this.#db, context);
    const subjects = questions.flatMap(({ id }) =>
      tasksOfStep('answers').map((task) => callSubject(task, { questionId: id })),
    );
    if (await isReadable(source, subjects)) return this.#plan(context, subjects, source);
    await this.#skip(context, subjects, NO_TEXT);
    await recordGap(this.#db, {
      tenantId: context.tenantId,
      analysisId: context.analysisId,
      item: ALL_ANSWERS_ITEM,
      stage: 'template',
      code: NO_TEXT_CODE,
      message: `${counted(questions.length, 'question was', 'questions were')} not asked: ${NO_TEXT}`,
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
    const subjects = answers.flatMap(({ questionId }) =>
      tasksOfStep('scores').map((task) => callSubject(task, { questionId })),
    );
    return this.#plan(context, subjects);
  }

  /**
   * The specialised readings. In a full review only health sectors get them; asked for alone they are always made.
   */
  async specialised(
    input: AnalysisRef & { readonly kinds: readonly SpecialisedKind[]; readonly onlyForHealth: boolean },
  ): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const subjects = input.kinds.map((kind) => callSubject(taskOfSpecialised(kind)));
    const reason = await this.reasonToSkipSpecialised(input);
    if (reason === null) return this.#deckCalls(context, subjects);
    await this.#skip(context, subjects, reason);
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

/** True when these calls, which read the whole deck, have something to read. */
const isReadable = async (source: CallInputSource, [first]: readonly CallSubject[]): Promise<boolean> =>
  first !== undefined && (await source.deckText(first.task)).readableSlides > 0;
