/**
 * The text of a deck as text calls read it: page text with what the pictures show, or the condensed sentences where the deck did not fit
 * the model's window.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DECK_TASKS, MODEL_TASKS, type ModelTask } from '../../domain/models/model-tasks.ts';
import { condenseSlideSchema, type DescribeSlideOutput } from '../../domain/models/result-schemas.ts';
import {
  deckBlock,
  isReadable,
  slideBlock,
  textOfSlide,
  type RunningText,
  type SlideText,
} from '../../domain/models/prompt-assembly.ts';
import { clipToTotal, deckTokenLimit } from '../../domain/models/token-limit.ts';
import { estimateTokens } from '../../domain/models/token-estimate.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { isSteering, otherLines } from '../../domain/evidence/steering.ts';
import type { SpreadAttempt } from '../../domain/pages/without-spread-steering.ts';
import type { AnalysisContext, TaskSetup } from './analysis-context.ts';
import { loadDeckPages, textOfSlideRow } from './deck-pages.ts';

/** Tokens a question and its focus may add beside the system message. */
const QUESTION_TOKENS = 600;
/** Tokens the offering and the list of sectors add to the classification. */
const SECTORS_TOKENS = 3000;
/** Clipped text is measured by characters; this much is kept free for the difference. */
const CLIP_MARGIN = 0.95;
/** Characters of the fences around one slide. */
const FENCE_CHARS = 60;
/** An opening slide up to this long is never condensed. */
const OPENING_TOKENS = 300;

export interface DeckText {
  readonly slides: readonly SlideText[];
  /** The fenced block that goes into prompts; within the token limit. */
  readonly block: string;
  readonly readableSlides: number;
  /** True when the deck does not fit uncondensed. */
  readonly tooLong: boolean;
  /** Attempts to steer a score that are spread over slides; none of their words are in the text. */
  readonly steering: readonly SpreadAttempt[];
}

/** Tokens of deck that fit a task's window beside its instructions and its answer. */
function taskTokenLimit(setup: TaskSetup, numCtx: number): number {
  const more = MODEL_TASKS[setup.task].input === 'deck_and_sectors' ? SECTORS_TOKENS : QUESTION_TOKENS;
  return deckTokenLimit({
    numCtx,
    numPredict: setup.numPredict,
    overheadTokens: estimateTokens(setup.system) + more,
  });
}

/**
 * Tokens of deck that fit every task's window; one figure for all, so that the server's prompt cache serves them all. A task that another
 * model answers in this analysis has less where that model's window is smaller; the others go on as they are configured, and their
 * stored results with them.
 */
export function deckTextTokenLimit(context: AnalysisContext, task?: ModelTask): number {
  const shared = Math.min(
    ...DECK_TASKS.map((each) => taskTokenLimit(context.tasks[each], context.tasks[each].configuredNumCtx)),
  );
  return task === undefined || !DECK_TASKS.includes(task)
    ? shared
    : Math.min(shared, taskTokenLimit(context.tasks[task], context.tasks[task].numCtx));
}

/** What was found on the slides of an analysis: of all of them, or of the one of the given number. */
async function loadDescriptions(
  db: PrismaClient,
  { analysisId }: AnalysisContext,
  slideNumber?: number,
): Promise<ReadonlyMap<number, DescribeSlideOutput>> {
  const findings = await db.slideFinding.findMany({
    where: { analysisId, kind: 'description', ...(slideNumber === undefined ? {} : { slideNumber }) },
    include: { figures: { orderBy: { position: 'asc' } } },
  });
  return new Map(
    findings.map((finding) => [
      finding.slideNumber,
      {
        legible: finding.legible,
        title: finding.title ?? '',
        visibleText: otherLines(finding.visibleText ?? ''),
        summary: finding.summary ?? '',
        figures: finding.figures
          .filter((f) => !isSteering([f.description]))
          .map((f) => ({ kind: f.kind as 'other', description: f.description })),
      },
    ]),
  );
}

/** One slide with what was found on it; null when there is no such page. */
export async function loadSlideText(
  db: PrismaClient,
  context: AnalysisContext,
  number: number,
): Promise<SlideText | null> {
  const [slide, descriptions] = await Promise.all([
    db.slide.findUnique({
      where: { deckId_renderKey_number: { deckId: context.deckId, renderKey: RENDER_KEY, number } },
      select: { number: true, text: true, layout: true },
    }),
    loadDescriptions(db, context, number),
  ]);
  return slide === null ? null : { ...textOfSlideRow(slide), description: descriptions.get(number) ?? null };
}

async function loadCondensed(db: PrismaClient, context: AnalysisContext): Promise<Map<number, readonly string[]>> {
  const calls = await db.modelCall.findMany({
    where: { analysisId: context.analysisId, task: 'condense_slide', state: 'stored' },
    select: { contentKey: true, slideNumber: true },
  });
  const results = await db.modelResult.findMany({
    where: { tenantId: context.tenantId, contentKey: { in: calls.map((c) => c.contentKey) } },
    select: { contentKey: true, output: true },
  });
  const outputs = new Map(results.map((r) => [r.contentKey, r.output]));
  const condensed = new Map<number, readonly string[]>();
  for (const call of calls) {
    const output = outputs.get(call.contentKey);
    if (output === undefined || call.slideNumber === null) continue;
    condensed.set(call.slideNumber, condenseSlideSchema.parse(JSON.parse(output)).keySentences);
  }
  return condensed;
}

/**
 * The slides of a deck that is too long which are to be condensed: all but the opening one, whose few words name the company and the date
 * and are no sentences that a condensation would keep.
 */
export function slidesToCondense(slides: readonly SlideText[]): SlideText[] {
  return slides
    .filter(isReadable)
    .filter((slide, index) => index > 0 || estimateTokens(slideBlock(slide)) > OPENING_TOKENS);
}

/** What a deck's text is assembled from. */
export interface DeckParts {
  /** In order, with what was found on them. */
  readonly slides: readonly SlideText[];
  /** Lines that several slides carry. */
  readonly running: readonly RunningText[];
  /** Words of the file's title that the slides say as well. */
  readonly title: string;
  readonly steering: readonly SpreadAttempt[];
  /** Sentences kept of a slide, by its number; none where nothing was condensed. */
  readonly condensed: ReadonlyMap<number, readonly string[]>;
}

/** Reads the parts; condensed sentences only where the deck does not fit without them. */
export async function loadDeckParts(db: PrismaClient, context: AnalysisContext): Promise<DeckParts> {
  const [{ pages, running, title, steering }, descriptions] = await Promise.all([
    loadDeckPages(db, context.deckId),
    loadDescriptions(db, context),
  ]);
  const slides = pages.map((page): SlideText => ({ ...page, description: descriptions.get(page.number) ?? null }));
  const tightest = Math.min(...DECK_TASKS.map((task) => deckTextTokenLimit(context, task)));
  const fits = estimateTokens(deckBlock(slides, running, title)) <= tightest;
  return { slides, running, title, steering, condensed: fits ? new Map() : await loadCondensed(db, context) };
}

/** Fits a deck into so many tokens. Condensed sentences are used as soon as they are stored; what still does not fit is clipped evenly. */
export function fitDeckText({ slides, running, title, steering, condensed }: DeckParts, tokenLimit: number): DeckText {
  const readable = slides.filter(isReadable);
  const whole = deckBlock(slides, running, title);
  if (estimateTokens(whole) <= tokenLimit)
    return { slides, block: whole, readableSlides: readable.length, tooLong: false, steering };

  const shortened = readable.map((slide): SlideText => {
    const sentences = condensed.get(slide.number);
    // A slide that is not condensed, or whose condensation failed, stays in, to be clipped like the others.
    return { ...slide, condensed: sentences ?? [textOfSlide(slide)] };
  });
  const joined = shortened.map((s) => (s.condensed ?? []).join('\n\n'));
  const all = joined.join('\n');
  const charsPerToken = all.length / Math.max(1, estimateTokens(all));
  const said = deckBlock([], running, title).length;
  const room = Math.floor(tokenLimit * charsPerToken * CLIP_MARGIN) - FENCE_CHARS * (shortened.length + 1) - said;
  const texts = clipToTotal(joined, room);
  const fitted = shortened.map((s, i): SlideText => ({ ...s, condensed: [texts[i] ?? ''] }));
  return { slides, block: deckBlock(fitted, running, title), readableSlides: readable.length, tooLong: true, steering };
}

/** Assembles the deck's text as a task reads it; without a task, as all of them do that the configured models answer. */
export async function assembleDeckText(
  db: PrismaClient,
  context: AnalysisContext,
  task?: ModelTask,
): Promise<DeckText> {
  return fitDeckText(await loadDeckParts(db, context), deckTextTokenLimit(context, task));
}
