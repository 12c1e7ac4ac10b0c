/**
 * The reader's own check of its quotes: whether a passage answers the question that it was chosen for. A passage is chosen by where it stands
 * or by its words; one of the two alone is often about something else, so only what several signs say is sure.
 */
import type { Answering } from '../domain/evidence/answering.ts';
import { hasFigure, type Choice } from './choose.ts';
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
  pain_points: 'problem persona',
  problem_quantification: 'problem',
  solution_description: 'solution',
  differentiation: 'advantage',
  current_solutions: 'today',
  competitive_landscape: 'competition',
  quantified_advantage: 'benefit',
  paying_customers: 'customers traction',
  pilot_customers: 'pilots',
  customer_acquisition: 'sales',
  customer_satisfaction: 'voices',
  pricing_strategy: 'pricing',
  unit_economics: 'economics',
  funding_requirements: 'ask',
  fund_allocation: 'funds',
  priority_deficits: 'risks',
  future_state: 'roadmap vision',
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

/** A label of fewer words seldom says anything by itself. */
const FEW_WORDS = 5;

/**
 * Whether a passage that was chosen answers the question.
 *
 * @param slug The question's
 * @param about The topic that the passage was chosen by
 * @param isNear True where nothing answers the question and this only bears on it
 */
export function answeringOf(slug: string, choice: Choice, about: Topic, isNear: boolean): Answering {
  const { passage, there, says, figure } = choice;
  const { quote, kind, subjects } = passage;
  if (passage.isFragment || passage.onlyNames || /[?:…]$/u.test(quote)) return 'doubtful';
  if (OF_TODAY.has(slug) && has(quote, phrases('ahead'))) return 'doubtful';
  if (isNear) return there && says ? 'some' : 'doubtful';
  const isBrief = kind !== 'row' && countWords(quote) < FEW_WORDS && !(hasFigure(quote) && about.figure !== null);
  if (kind === 'heading' || kind === 'title' || isBrief) return there && says ? 'some' : 'doubtful';
  const own = HOME.get(slug);
  const isHome = there && own !== undefined && subjects.size > 0 && [...subjects].every((subject) => own.has(subject));
  if (isHome || (there && says)) return 'high';
  return there || (says && figure) || about.reach === 'there' ? 'some' : 'doubtful';
}
