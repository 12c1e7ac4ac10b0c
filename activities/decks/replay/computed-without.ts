/**
 * A replay that fills gaps takes over values of the earlier analysis. This file finds the slides that such a value lacks: slides that were
 * missing when it was computed, exist now, and would have changed the model's input.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { AnalysisContext } from '../../models/analysis-context.ts';
import { MODEL_TASKS, readsAnswer, type CallSubject } from '../../../domain/models/model-tasks.ts';
import { deckTextTokenLimit, fitDeckText, loadDeckParts, type DeckParts } from '../../models/deck-text.ts';
import { slidesLackedByAnswers } from '../../models/built-without.ts';
import { filledSlides } from './origin.ts';

/** Slides that a taken-over value lacks, in order. */
export type SlidesLacked = (subject: CallSubject) => Promise<readonly number[]>;

/** Decides for the values of one planning step. Reads the deck only for a value that was built on its text. */
export function slidesLacked(db: PrismaClient, context: AnalysisContext): SlidesLacked {
  const compared = new Map<number, readonly number[]>();
  let read: Promise<Inputs> | undefined;
  const ofDeckText = async (subject: CallSubject): Promise<readonly number[]> => {
    const { parts, filled } = await (read ??= readInputs(db, context));
    const tokenLimit = deckTextTokenLimit(context, subject.task);
    const known = compared.get(tokenLimit) ?? thatMatter(parts, filled, tokenLimit);
    compared.set(tokenLimit, known);
    return known;
  };
  // Read when the answers exist: scores are planned after them.
  let answers: Promise<ReadonlyMap<string | null, number[]>> | undefined;
  const ofAnswers = (): Promise<ReadonlyMap<string | null, number[]>> =>
    (answers ??= slidesLackedByAnswers(db, context.analysisId));
  return async (subject) => {
    // A score lacks what its answer lacks.
    if (readsAnswer(subject.task)) return (await ofAnswers()).get(subject.questionId) ?? [];
    return MODEL_TASKS[subject.task].readsDeck ? ofDeckText(subject) : [];
  };
}

interface Inputs {
  readonly parts: DeckParts;
  readonly filled: readonly { readonly number: number; readonly hadPage: boolean }[];
}

async function readInputs(db: PrismaClient, context: AnalysisContext): Promise<Inputs> {
  const filled = await filledSlides(db, context);
  return { filled, parts: filled.length === 0 ? NO_PARTS : await loadDeckParts(db, context) };
}

const NO_PARTS: DeckParts = { slides: [], running: [], title: '', steering: [], condensed: new Map() };

/** The filled slides that change the text of the deck. */
function thatMatter(parts: DeckParts, filled: Inputs['filled'], tokenLimit: number): number[] {
  const { slides, condensed } = parts;
  const { block } = fitDeckText(parts, tokenLimit);
  return filled
    .filter(({ number, hadPage }) => {
      const without = slides.flatMap((slide) => {
        if (slide.number !== number) return [slide];
        return hadPage ? [{ ...slide, description: null }] : [];
      });
      const sentences = new Map([...condensed].filter(([slide]) => slide !== number));
      return fitDeckText({ ...parts, slides: without, condensed: sentences }, tokenLimit).block !== block;
    })
    .map(({ number }) => number);
}
