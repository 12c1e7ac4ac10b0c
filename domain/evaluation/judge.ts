/**
 * Judges what a review found in a deck by the labels of the deck, field by field.
 */
import type { AnalysisReport, ReportQuestion } from '../decks/report.ts';
import { hasBox } from './label-values.ts';
import { attributionOf, type Attribution, type PageSizes } from './attribution.ts';
import type { DeckLabel } from './labels.ts';
import { hasSameWords, isSameDate, isSameMoney, isSameName, isSameSector, type FoundMoney } from './names.ts';

/** What is judged. A company whose name stands only in a picture is a field of its own: not every engine reads pictures. */
export const FIELDS = ['company', 'company_in_picture', 'offering', 'ask', 'date', 'sector'] as const;
export type Field = (typeof FIELDS)[number];

/**
 * `right`, `partly`, `wrong`: the deck states a value and the review gives one. `missed`: the review gives none. `rightly_none`,
 * `invented`: the deck states none, and the review gives none or one. `not_graded`: only a person can say.
 */
export const OUTCOMES = ['right', 'partly', 'wrong', 'missed', 'rightly_none', 'invented', 'not_graded'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The values of a review that labels judge; null = the review gives none. */
export interface FoundValues {
  readonly company: string | null;
  readonly offering: string | null;
  /** Also where only its words were found and no amount. */
  readonly ask: (FoundMoney & { readonly raw: string | null }) | null;
  /** ISO 8601. */
  readonly date: string | null;
  readonly sector: string | null;
}

/** What a deck gives that could not be reviewed. */
export const NOTHING_FOUND: FoundValues = { company: null, offering: null, ask: null, date: null, sector: null };

/** One field of one deck. */
export interface Judgement {
  readonly field: Field;
  readonly outcome: Outcome;
  /** As people write it; null = none. */
  readonly wanted: string | null;
  readonly found: string | null;
}

/** The values of a review. */
export function foundValues({ company, offering, funding, deckDate, sector }: AnalysisReport): FoundValues {
  const { amount, currency, raw } = funding;
  const asks = amount !== null || (raw !== null && raw !== '');
  return {
    company: company || null,
    offering: offering || null,
    ask: asks ? { amount, currency, raw } : null,
    date: deckDate.iso || null,
    sector: sector.slug,
  };
}

/** A found value as people write it; null = none. */
export function foundWords(field: Field, found: FoundValues): string | null {
  switch (field) {
    case 'company':
    case 'company_in_picture':
      return found.company;
    case 'offering':
    case 'date':
    case 'sector':
      return found[field];
    case 'ask':
      if (found.ask === null) return null;
      return found.ask.amount === null ? (found.ask.raw ?? '') : moneyWords(found.ask);
  }
}

/** Judges every labelled field. A field without a label is left out. */
export function judgeFields(label: DeckLabel, found: FoundValues): Judgement[] {
  const { company, ask, sector } = found;
  const judge = (field: Field, wanted: string | null | undefined, outcome: Outcome): Judgement[] =>
    wanted === undefined ? [] : [{ field, outcome, wanted, found: foundWords(field, found) }];
  return [
    ...judge(
      label.name_in_text === false && label.company !== null ? 'company_in_picture' : 'company',
      label.company === null ? null : label.company?.[0],
      outcomeOf(label.company, company, isSameName),
    ),
    ...judge('offering', label.offering, offeringOutcome(label, found.offering)),
    ...judge('ask', label.ask && moneyWords(label.ask), outcomeOf(label.ask, ask, isSameMoney)),
    ...judge('date', label.date, dateOutcome(label, found.date)),
    // Each deck is of some sector: a label of null says that people do not agree on it.
    ...judge('sector', label.sector ?? undefined, outcomeOf(label.sector, sector, isSameSector)),
  ];
}

function outcomeOf<Label, Found>(
  label: Label | null | undefined,
  found: Found | null,
  isSame: (found: Found, label: Label) => boolean,
): Outcome {
  if (label === null || label === undefined) return found === null ? 'rightly_none' : 'invented';
  if (found === null) return 'missed';
  return isSame(found, label) ? 'right' : 'wrong';
}

/** A deck without a date may have dates that are no fault to take, such as the year of a forecast. */
function dateOutcome({ date, date_also_ok: alsoOk = [] }: DeckLabel, found: string | null): Outcome {
  const outcome = outcomeOf(date, found, (iso, wanted) => [wanted, ...alsoOk].some((each) => isSameDate(each, iso)));
  const isAllowed = found !== null && alsoOk.some((each) => isSameDate(each, found));
  return outcome === 'invented' && isAllowed ? 'rightly_none' : outcome;
}

/** Whether a sentence says what a company offers is a person's judgement: the same words are right, any other sentence needs a grade. */
function offeringOutcome({ offering, offering_grades: grades = {} }: DeckLabel, found: string | null): Outcome {
  const outcome = outcomeOf(offering, found, hasSameWords);
  if (outcome !== 'wrong') return outcome;
  const grade = Object.entries(grades).find(([sentence]) => found !== null && hasSameWords(sentence, found))?.[1];
  return grade ?? 'not_graded';
}

/** `1,200,000 EUR`. */
const moneyWords = ({ amount, currency }: FoundMoney): string =>
  [amount === null ? '' : amount.toLocaleString('en-US'), currency ?? '(any currency)'].join(' ').trim();

/** What is judged about a question: whether the deck answers it. */
export type CoverageOutcome = Extract<Outcome, 'right' | 'missed' | 'rightly_none' | 'invented'>;

/** One question of a deck beside its label. */
export interface JudgedQuestion {
  readonly slug: string;
  /** Null where the label does not say. */
  readonly outcome: CoverageOutcome | null;
  readonly covered: { readonly wanted: string | null; readonly found: string | null };
  readonly score: { readonly wanted: number | null; readonly found: number | null };
  /** Of the label; null where it has none. Whether an answer says the same is a person's judgement. */
  readonly wantedAnswer: string | null;
  /** The deck answers it, and the label has a box. */
  readonly isLocated: boolean;
  /** Of an answer to a question that the deck answers, where its label has places. */
  readonly attribution: Attribution | null;
}

/**
 * Judges the labelled questions of a deck. A question that was not answered, or with an answer that is not supported, counts as
 * not covered.
 *
 * @param questions of the review; none for a deck that could not be read
 */
export function judgeQuestions(
  label: DeckLabel,
  questions: readonly ReportQuestion[],
  sizeOf: PageSizes,
): JudgedQuestion[] {
  const unknown = unknownQuestions(label, questions);
  return Object.entries(label.questions ?? {})
    .filter(([slug]) => !unknown.includes(slug))
    .map(([slug, wanted]) => {
      const found = questions.find((question) => question.slug === slug);
      const covered = found === undefined || found.state === 'not_supported' ? null : found.covered;
      const outcome =
        wanted.covered === undefined ? null : coverageOutcome(wanted.covered !== 'no', isAnswered(covered));
      const { places = [] } = wanted;
      return {
        slug,
        outcome,
        covered: { wanted: wanted.covered ?? null, found: covered },
        score: { wanted: wanted.score ?? null, found: found?.score ?? null },
        wantedAnswer: wanted.answer ?? null,
        isLocated: (outcome === 'right' || outcome === 'missed') && hasBox(places),
        attribution:
          outcome === 'right' && places.length > 0 ? attributionOf(found?.evidence ?? [], places, sizeOf) : null,
      };
    });
}

/** Labelled questions that the template of a review does not ask: of another template, or misspelt. */
export function unknownQuestions(label: DeckLabel, questions: readonly ReportQuestion[]): string[] {
  const asked = new Set(questions.map(({ slug }) => slug));
  return asked.size === 0 ? [] : Object.keys(label.questions ?? {}).filter((slug) => !asked.has(slug));
}

const isAnswered = (covered: ReportQuestion['covered']): boolean => covered === 'yes' || covered === 'partly';

function coverageOutcome(stated: boolean, answered: boolean): CoverageOutcome {
  if (stated) return answered ? 'right' : 'missed';
  return answered ? 'invented' : 'rightly_none';
}
