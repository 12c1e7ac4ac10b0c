/**
 * The exact input of a model call, built from stored rows alone: the control side builds it to find the content key, the gateway builds
 * it again to make the call. Both must get the same bytes.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { contentKeyMaterial } from '../../domain/models/content-key.ts';
import { assertNever, DeckhandError } from '../../domain/errors.ts';
import { MODEL_TASKS, type CallSubject, type ModelTask } from '../../domain/models/model-tasks.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import {
  answerUserMessage,
  classifyUserMessage,
  scoreUserMessage,
  slideBlock,
  slideUserMessage,
  type QuestionText,
  type SlideText,
} from '../../domain/models/prompt-assembly.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { Memo } from '../../platform/memo.ts';
import { pinnedSetup, type AnalysisContext } from './analysis-context.ts';
import { textOfSlideRow, type SlideWithText } from './deck-pages.ts';
import { assembleDeckText, deckTextTokenLimit, loadSlideText, type DeckText } from './deck-text.ts';

export interface CallInput {
  readonly user: string;
  /** Blob of the image the model sees; null for text calls. */
  readonly image: { readonly blobKey: string; readonly sha256: string } | null;
}

/** What visual calls need of a slide's row. */
export interface SlideRow extends SlideWithText {
  readonly modelBlobKey: string | null;
  readonly modelSha256: string | null;
}

/** Loads what calls of one analysis are built from, each thing at most once. One source serves one planning step or one call. */
export class CallInputSource {
  readonly #db: PrismaClient;
  readonly #context: AnalysisContext;
  readonly #deckText: (task: ModelTask) => Promise<DeckText>;
  readonly #slides: ReadonlyMap<number, SlideRow>;
  readonly #texts: ReadonlyMap<number, SlideText>;
  #healthFocus: Promise<boolean> | undefined;

  /**
   * @param known.deckText Shares assembled texts between sources; by default each source assembles its own.
   * @param known.slides Rows the caller has read already.
   * @param known.texts Slides with what was found on them that the caller has read already.
   */
  constructor(
    db: PrismaClient,
    context: AnalysisContext,
    known: {
      readonly deckText?: (task: ModelTask) => Promise<DeckText>;
      readonly slides?: readonly SlideRow[];
      readonly texts?: readonly SlideText[];
    } = {},
  ) {
    this.#db = db;
    this.#context = context;
    this.#slides = new Map(known.slides?.map((s) => [s.number, s]));
    this.#texts = new Map(known.texts?.map((s) => [s.number, s]));
    const own = new Memo<DeckText>({});
    this.#deckText =
      known.deckText ??
      ((task) => own.get(String(deckTextTokenLimit(context, task)), () => assembleDeckText(db, context, task)));
  }

  /** The deck's text as a task reads it. */
  deckText(task: ModelTask): Promise<DeckText> {
    return this.#deckText(task);
  }

  /** Input of one call. @throws DeckhandError `internal` when a row it is built from is not there. */
  async build(subject: CallSubject): Promise<CallInput> {
    const input = MODEL_TASKS[subject.task].input;
    switch (input) {
      case 'slide_image':
        return this.#slideImage(subject);
      case 'slide_text':
        return textOnly(await this.#slideText(subject));
      case 'deck':
        return textOnly((await this.#deckText(subject.task)).block);
      case 'deck_and_sectors':
        return textOnly(await this.#deckAndSectors(subject));
      case 'deck_and_question':
        return textOnly(answerUserMessage(await this.#question(subject), (await this.#deckText(subject.task)).block));
      case 'answer':
        return textOnly(await this.#answer(subject));
      default:
        return assertNever(input);
    }
  }

  async #slideText(subject: CallSubject): Promise<string> {
    const number = subject.slideNumber ?? 0;
    const slide = this.#texts.get(number) ?? (await loadSlideText(this.#db, this.#context, number));
    return slideBlock(required(slide, subject));
  }

  async #slideImage(subject: CallSubject): Promise<CallInput> {
    const slide = this.#slides.get(subject.slideNumber ?? 0) ?? (await this.#loadSlide(subject.slideNumber ?? 0));
    const row = required(slide, subject);
    const { modelBlobKey, modelSha256 } = row;
    if (modelBlobKey === null || modelSha256 === null) {
      throw new DeckhandError('internal', `slide ${subject.slideNumber} has no image`);
    }
    return {
      user: slideUserMessage(textOfSlideRow(row)),
      image: { blobKey: modelBlobKey, sha256: modelSha256 },
    };
  }

  #loadSlide(number: number): Promise<SlideRow | null> {
    return this.#db.slide.findUnique({
      where: { deckId_renderKey_number: { deckId: this.#context.deckId, renderKey: RENDER_KEY, number } },
      select: { number: true, text: true, layout: true, modelBlobKey: true, modelSha256: true },
    });
  }

  async #deckAndSectors({ task }: CallSubject): Promise<string> {
    const [offering, sectors, deck] = await Promise.all([
      this.#db.extraction.findUnique({
        where: { analysisId_field: { analysisId: this.#context.analysisId, field: 'offering' } },
        select: { raw: true },
      }),
      this.#db.sector.findMany({ where: { tenantId: this.#context.tenantId }, orderBy: { slug: 'asc' } }),
      this.#deckText(task),
    ]);
    return classifyUserMessage(offering?.raw ?? '', sectors, deck.block);
  }

  async #question(subject: CallSubject): Promise<QuestionText> {
    this.#healthFocus ??= this.#isHealth();
    const [row, isHealth] = await Promise.all([
      this.#db.question.findUnique({ where: { id: subject.questionId ?? '' } }),
      this.#healthFocus,
    ]);
    const question = required(row, subject);
    return {
      slug: question.slug,
      text: question.text,
      criteria: question.criteria,
      healthFocus: isHealth ? question.healthFocus : '',
    };
  }

  async #isHealth(): Promise<boolean> {
    const classification = await this.#db.classification.findUnique({
      where: { analysisId: this.#context.analysisId },
      select: { sectorSlug: true },
    });
    const slug = classification?.sectorSlug ?? null;
    if (slug === null) return false;
    const sector = await this.#db.sector.findUnique({
      where: { tenantId_slug: { tenantId: this.#context.tenantId, slug } },
      select: { isHealth: true },
    });
    return sector?.isHealth ?? false;
  }

  async #answer(subject: CallSubject): Promise<string> {
    const [question, answer] = await Promise.all([
      this.#question(subject),
      this.#db.answer.findUnique({
        where: {
          analysisId_questionId: { analysisId: this.#context.analysisId, questionId: subject.questionId ?? '' },
        },
        include: { evidence: { orderBy: { position: 'asc' } } },
      }),
    ]);
    const row = required(answer, subject);
    // A quote that the slide does not say, or not in one place, must not earn points.
    const quotes = row.evidence
      .filter((e) => e.verdict === 'verified' || e.verdict === 'unverified')
      .map((e) => ({ slide: e.slideNumber, quote: e.quote }));
    return scoreUserMessage(question, row.answer ?? '', quotes);
  }
}

const textOnly = (user: string): CallInput => ({ user, image: null });

function required<T>(value: T | null | undefined, subject: CallSubject): T {
  if (value === null || value === undefined) {
    throw new DeckhandError(
      'internal',
      `nothing stored to build ${subject.task} from (slide ${subject.slideNumber}, question ${subject.questionId})`,
    );
  }
  return value;
}

/**
 * Content key of a call with this input.
 *
 * @throws DeckhandError `model_not_ready` (retried) while no host has shown the task's model
 */
export function contentKeyOf(context: AnalysisContext, task: ModelTask, input: CallInput): string {
  const setup = pinnedSetup(context, task);
  return sha256Hex(
    contentKeyMaterial({
      tenantId: context.tenantId,
      task,
      userSha256: sha256Hex(input.user),
      imageSha256: input.image?.sha256 ?? null,
      modelDigest: setup.modelDigest,
      promptVersion: setup.promptVersion,
      schemaSha256: setup.schemaSha256,
      language: context.language,
      numCtx: setup.numCtx,
      numPredict: setup.numPredict,
      temperature: setup.temperature,
      topP: setup.topP,
      edition: setup.edition,
    }),
  );
}
