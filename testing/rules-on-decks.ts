/**
 * What the built-in reader finds in a PDF, judged by the deck's truth: the text is read as a render process reads it, the rules are asked
 * as the pipeline asks them, without servers.
 */
import { labelOfSample } from '../cli/evaluation/folder.ts';
import { parseDeckDate } from '../domain/decks/deck-date.ts';
import type { DeckTruth } from '../domain/evaluation/deck-truth.ts';
import { judgeFields, type Field, type FoundValues, type Judgement, type Outcome } from '../domain/evaluation/judge.ts';
import { parseAmount } from '../domain/evidence/money.ts';
import { checkQuote } from '../domain/evidence/quote-check.ts';
import { checkedState } from '../domain/evidence/value-state.ts';
import type { Language } from '../domain/models/model-tasks.ts';
import { deckBlock } from '../domain/models/prompt-assembly.ts';
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { textOfPages } from '../domain/pages/deck-pages.ts';
import type { PageLayout } from '../domain/pages/page.ts';
import { MIN_READABLE_SHARE } from '../domain/pages/readable.ts';
import { withoutSteering } from '../domain/pages/without-steering.ts';
import { SEVEN_CHAPTER_REVIEW } from '../prisma/seed/seven-chapter-review.ts';
import { answerOf, ask, classifyDeck } from '../tests/unit/reader/ask.ts';
import { layoutsOf } from './read-pdf.ts';

const QUESTIONS = SEVEN_CHAPTER_REVIEW.chapters.flatMap(({ questions }) => questions.map(({ slug }) => slug));
/** Share of the words of an offering that a right sentence has. */
const SAME_OFFERING = 0.6;

/** One deck as the rules read it. */
export interface RuleReading {
  readonly judgements: readonly Judgement[];
  /** Outcome of each question; none are asked of a deck in a language that the rules do not read. */
  readonly questions: ReadonlyMap<string, Extract<Outcome, 'right' | 'missed' | 'rightly_none' | 'invented'>>;
  readonly quotes: number;
  readonly verified: number;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

function graded(judgement: Judgement): Judgement {
  const { field, outcome, wanted, found } = judgement;
  if (field !== 'offering' || outcome !== 'not_graded' || wanted === null || found === null) return judgement;
  const offered = wordsOf(wanted);
  const shared = [...wordsOf(found)].filter((word) => offered.has(word)).length;
  return { ...judgement, outcome: shared / Math.max(1, offered.size) >= SAME_OFFERING ? 'right' : 'wrong' };
}

const valueOf = ({ stated, value }: ExtractValueOutput): string | null => (stated && value !== '' ? value : null);

/** A text layer that is no language is none. */
const believed = (layout: PageLayout): PageLayout =>
  layout.readableShare !== null && layout.readableShare < MIN_READABLE_SHARE
    ? { ...layout, source: 'none', words: [], blocks: [] }
    : layout;

/** Reads a deck by the rules, without character recognition, and judges what they find. */
export async function readByRules(pdf: Uint8Array, truth: DeckTruth): Promise<RuleReading> {
  const layouts = (await layoutsOf(pdf)).map((layout) => withoutSteering(believed(layout)).layout);
  const { pages, running } = textOfPages(layouts.map((layout, index) => ({ number: index + 1, layout })));
  const deck = deckBlock(
    pages.map((page) => ({ ...page, description: null })),
    running,
  );
  const offering = valueOf(ask('extract_offering', deck));
  const raw = valueOf(ask('extract_funding', deck));
  const money = parseAmount(raw ?? '');
  const sector = classifyDeck(offering ?? '', deck);
  const found: FoundValues = {
    company: valueOf(ask('extract_company_name', deck)),
    offering,
    ask: raw === null ? null : { amount: money?.amount ?? null, currency: money?.currency ?? null, raw },
    date: parseDeckDate(valueOf(ask('extract_deck_date', deck)) ?? ''),
    sector: sector.sectorKnown === false ? null : sector.sector,
  };
  const isRead = truth.language === 'en' || truth.language === 'de';
  const answers = isRead
    ? QUESTIONS.map((slug) => ({ slug, ...answerOf(slug, deck, truth.language as Language) }))
    : [];
  const evidence = answers.flatMap((answer) => answer.evidence);
  return {
    judgements: judgeFields(labelOfSample(truth), found).map(graded),
    questions: new Map(
      answers.map(({ slug, covered, evidence: quotes }) => {
        const stated = (truth.visionOnly ?? truth).answered[slug as keyof DeckTruth['answered']] !== undefined;
        const checks = { answering: quotes.map(({ answering }) => answering ?? null), supported: null };
        const isAnswered = covered !== 'no' && checkedState('found', checks) === 'found';
        return [slug, stated ? (isAnswered ? 'right' : 'missed') : isAnswered ? 'invented' : 'rightly_none'];
      }),
    ),
    quotes: evidence.length,
    verified: evidence.filter(({ slide, quote }) => {
      const layout = layouts[slide - 1];
      return layout !== undefined && checkQuote(quote, layout).verdict === 'verified';
    }).length,
  };
}

/** What is right of what is counted. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/** Right and stated values of a field over several decks. */
export function shareOf(readings: readonly RuleReading[], field: Field): Share {
  const outcomes = readings.flatMap(({ judgements }) =>
    judgements.filter((one) => one.field === field).map(({ outcome }) => outcome),
  );
  const stated = outcomes.filter((outcome) => outcome !== 'rightly_none' && outcome !== 'invented');
  return { right: stated.filter((outcome) => outcome === 'right').length, of: stated.length };
}
