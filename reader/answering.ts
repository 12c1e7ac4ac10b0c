/**
 * The reader's own check of its quotes: whether a passage answers the question that it was chosen for. A passage is chosen by where it stands
 * or by its words; one of the two alone is often about something else, so only what several signs say is sure.
 */
import type { Answering } from '../domain/evidence/answering.ts';
import { findMoney } from '../domain/evidence/money.ts';
import { hasFigure, type Choice } from './choose.ts';
import { BEGINS_SMALL, isAcross, isOnlyAmount } from './passages.ts';
import { phrases } from './phrases.ts';
import { subjectsNamed, type Subject } from './subject.ts';
import { countWords } from './text.ts';
import type { Topic } from './topic.ts';
import { has } from './words.ts';

const subjectsOf = (table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<Subject>> =>
  new Map(Object.entries(table).map(([slug, names]) => [slug, new Set(subjectsNamed(names))]));

/** Subjects that are the question itself: a statement under nothing else is an answer, in whatever words. */
const HOME = subjectsOf({
  target_problem: 'problem',
  problem_nature: 'problem',
  pain_points: 'problem persona',
  problem_quantification: 'problem',
  solution_description: 'solution',
  differentiation: 'advantage',
  current_solutions: 'today before',
  competitive_landscape: 'competition',
  quantified_advantage: 'benefit before',
  customer_acquisition: 'sales',
  customer_satisfaction: 'voices',
  pricing_strategy: 'pricing',
  unit_economics: 'economics',
  funding_requirements: 'ask',
  fund_allocation: 'funds',
  team_experience: 'team',
  organizational_maturity: 'company',
  team_composition: 'team',
  skill_gaps: 'hiring',
  urgent_hiring: 'hiring',
});

/** Questions on how things stand: a plan or a forecast does not answer them. */
const OF_TODAY: ReadonlySet<string> = new Set([
  'paying_customers',
  'pilot_customers',
  'customer_satisfaction',
  'churn_analysis',
  'monthly_sales',
  'team_experience',
  'team_composition',
  'organizational_maturity',
]);

/** A question that only the product itself answers: under its subject stand slogans, steps and words of screens as well. */
const OF_PRODUCT: ReadonlySet<string> = new Set(['solution_description']);
/** Questions that their subject answers only by what the words say: a step of a plan or a cost of a pilot stands there, too. */
const BY_WORDS: ReadonlySet<string> = new Set(['pilot_customers', 'priority_deficits', 'future_state']);

/** Questions on the problem: neither a story of one person nor the company's own figures answer them. */
const OF_PROBLEM: ReadonlySet<string> = new Set([
  'target_problem',
  'problem_nature',
  'pain_points',
  'problem_quantification',
]);

/** A label alone compares nothing: what stands beside it may be drawn. */
const OF_ROWS: ReadonlySet<string> = new Set(['competitive_landscape', 'current_solutions', 'differentiation']);

/** A name with a role answers these, without a sentence. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['team_composition', 'team_experience']);

/** A name that is blacked out: "[REDACTED]". */
const BLACKENED = /\[\p{Lu}{4,}\]/u;
/** "Challenge 2:", "Phase 3 –": the number counts the items and is no figure. */
const NUMBERED_LABEL = /^\p{L}+ \d{1,2}\s?[:.)–-]\s/u;
/** A statement has words without capitals; a list of names, a letterhead and a menu have none. */
const PLAIN_WORDS = /(?<![\p{L}\d])\p{Ll}{2,}/gu;

/** Sizes of a market answer no question on the company, wherever they stand. */
const MARKET_SIZE = /^(?:TAM|SAM|SOM)(?!\p{L})/u;
/** Cells under years or quarters are the company's own figures: "Staff: 2025 –760; 2026 –1.390", "Staff: Q1 –760; Q2 –1.390". */
const BY_PERIOD = /[:;]\s(?:(?:(?:FY|GJ|[QH][1-4])\s?)?(?:19|20)\d{2}|(?:FY|GJ|[QH])\s?\d{1,2})[^\s;]*\s/gu;
/** One may be a heading of another sort. */
const MIN_PERIODS = 2;

/** A label of fewer words seldom says anything by itself. */
const FEW_WORDS = 5;
/** A label of fewer words without a figure, under a question that a figure answers, heads a figure that stands elsewhere. */
const LABEL_WORDS = 8;

/**
 * Whether a passage that was chosen answers the question.
 *
 * @param slug The question's
 * @param about The topic that the passage was chosen by
 * @param isNear True where nothing answers the question and this only bears on it
 */
export function judgeAnswering(slug: string, choice: Choice, about: Topic, isNear: boolean): Answering {
  const { passage, there, says } = choice;
  const { quote, kind } = passage;
  if (passage.onlyNames || /[?:…]$/u.test(quote) || BLACKENED.test(quote) || isAcross(passage)) return 'doubtful';
  if (kind !== 'row' && BEGINS_SMALL.test(quote)) return 'doubtful';
  if (OF_TODAY.has(slug) && has(quote, phrases('ahead'))) return 'doubtful';
  // Money that came earlier is no customer, no sale and no plan; it bears on what is sought now.
  if (has(quote, phrases('money of earlier')) && findMoney(quote).length > 0)
    return slug === 'funding_requirements' ? 'some' : 'doubtful';
  if (isNear) return there ? 'some' : 'doubtful';
  const words = quote.replace(NUMBERED_LABEL, '');
  const hasOwnFigure = about.figure !== null && hasFigure(words) && (!about.figureOnly || has(words, about.figure));
  const isBrief = kind !== 'row' && countWords(quote) < FEW_WORDS && !hasOwnFigure;
  const isLabel =
    !hasOwnFigure && !hasSentenceEnd(quote) && countWords(quote) < LABEL_WORDS && !isOnPeople(slug, words);
  if (kind === 'heading' || kind === 'title' || isBrief || ((about.figure !== null || OF_ROWS.has(slug)) && isLabel))
    return there && says ? 'some' : 'doubtful';
  if (HOME.has(slug) && MARKET_SIZE.test(quote)) return 'doubtful';
  if (OF_PROBLEM.has(slug) && (quote.match(BY_PERIOD)?.length ?? 0) >= MIN_PERIODS) return 'doubtful';
  // The year of founding stands among people and tells of none of them.
  if (OF_PEOPLE.has(slug) && has(quote, phrases('begins with a founding'))) return 'doubtful';
  if (OF_PROBLEM.has(slug) && has(quote, phrases('of one person'))) return 'some';
  if (isOnlyAmount(words)) return there ? 'some' : 'doubtful';
  if (there && says) return BY_WORDS.has(slug) && !hasOwnFigure ? 'some' : 'high';
  if (isHome(slug, choice) && isStatement(slug, words) && (!about.figureOnly || hasOwnFigure)) return 'high';
  return 'some';
}

/** True where the passage stands under the question's subject alone. */
function isHome(slug: string, { there, passage: { subjects } }: Choice): boolean {
  const own = HOME.get(slug);
  return there && own !== undefined && subjects.size > 0 && [...subjects].every((subject) => own.has(subject));
}

const isOnPeople = (slug: string, words: string): boolean => OF_PEOPLE.has(slug) && has(words, phrases('roles'));
const hasSentenceEnd = (quote: string): boolean => /[.!][”"’']?$/u.test(quote);

function isStatement(slug: string, words: string): boolean {
  // A question beside its answer is told, not stated.
  if (words.includes('?')) return false;
  if (OF_PRODUCT.has(slug)) return has(words, phrases('product', 'acts'));
  if (isOnPeople(slug, words)) return true;
  return /\d/u.test(words) || (words.match(PLAIN_WORDS)?.length ?? 0) >= 2;
}
