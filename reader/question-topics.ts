/** Cues of the questions of the review. What a question's passages say is in the lists of its name in `reader/words`. */
import { anyFigure, money, moneyOrPercent, percent } from './figures.ts';
import { nearTopic } from './near-topics.ts';
import { phrases, sourceOf } from './phrases.ts';
import { VOICE } from './slide-traits.ts';
import { topic, type Topic, type WrittenTopic } from './topic.ts';
import { either } from './words.ts';

/** Places where amounts are those of others or of the round. */
const OTHER_MONEY = 'market problem today competition timing persona evidence team';

/** Figures of several periods side by side; the unit stands over the table. */
const NUMBERS_IN_ROW = String.raw`(?:\(?-?\d[\d.,]*\)?\s+){2,}\(?-?\d`;
/** Figures of a plan: in thousands, in parentheses, beside years. */
const PLANNED_FIGURE = String.raw`(?<![\p{L}\d])-?\d{1,3}(?:[.,]\d{3})+|\(\d[\d.,]*\)`;
/** An amount that is not said to be revenue. */
const PLAIN_AMOUNT = `^(?![^]*${phrases('round or amount').source})[^]*${money.source}`;

/** A row that compares products, with or without headings, or words on competitors. */
const COMPARED =
  /(?:(?:[:;][^:;]{1,40}\s|(?<!\p{L}))(?:yes|no|partial(?:ly)?|ja|nein|teilweise|[✓✔✗✘×])(?!\p{L})\s*){2,}|(?<!\p{L})(?:competitors?|wettbewerber)(?!\p{L})/giu;
/** A row of a comparison in which one has what another has not. */
const ONE_NOT_OTHER =
  /(?=[^]*(?:[✓✔☑✅●]|(?<!\p{L})(?:yes|ja)(?!\p{L})))(?=[^]*(?:[✗✘✕❌○◯◐]|(?<=\s)[–—-](?=\s|$)|(?<!\p{L})(?:no|nein|partly|partial|teilweise)(?!\p{L})))^\p{L}/giu;
/** A row of a comparison with figures: "Energy per unit 40 kWh 12 kWh 9 kWh", "Energy: pump 40 kWh; heater 12 kWh". */
const ROW_OF_FIGURES = String.raw`^\p{L}[^:;]{1,40}: [^;]*\d[^;]*(?:; [^;]*\d[^;]*)+$|^\p{L}[^\d]{2,40}(?:[^\s\d]{0,3}\s?\d[\d.,]*(?:[–-]\d[\d.,]*)?\+?\s?[^\s\d]{0,4}\s*(?:p\.a\.)?\s+){2,}\S*\d`;
/** What was measured with and without: "Days until treated 19 4", "Overtime 212 h 130 h". */
const MEASURED_TWICE = String.raw`^\p{L}[^\d]{3,50}\d[\d.,]*(?:\s?(?:[^\s\d]{1,3}|min|std|[\d.,]+))?\s+\d[\d.,]*\s?\S{0,3}(?:\s\d+)?$`;

/** Somebody beside a word of paying. */
const [PAYING, PAYERS] = [phrases('paying').source, phrases('payers').source];
const PAID_BY = `${PAYING}[^.;]{0,60}${PAYERS}|${PAYERS}[^.;]{0,60}${PAYING}`;

/** Three shares or more, each with what it goes to: "50 % product, 30 % sales, 20 % operations". */
const SHARES = String.raw`(?:\d{1,3}\s?%\P{L}{0,3}\p{L}[^%]{2,40}){2,}\d{1,3}\s?%`;
/** An item with its amount, in thousands as a rule: "2nd dryer – 180k", "Cameras 600 · People 650". */
const ITEM_AMOUNT = String.raw`\p{L}[^\d–·]{2,60}(?:[–:-]\s?)(?:${sourceOf('money')})|[–-]\s?\d+\s?k(?!\p{L})|^\p{L}.{3,60}\s\d{1,3}(?:[.,]\d{3})+$|^[\d.,]+ .{3,40}\s\d{1,3}(?:[.,]\d{3})+$|(?:\p{L}{3,} \d{2,4}(?: ·|,| [&+])\s?){2}`;
/** A task on a slide that asks for money: "Native app: finishing …". */
const TASK = String.raw`^[\p{L}\d&+ -]{3,50}: \p{Lu}\p{Ll}+ing(?!\p{L})|${phrases('task').source}`;
/** A table's share of an amount. */
const AMOUNT_AND_SHARE = String.raw`\d[\d.,]+\s+\d+\s?%$`;

const TOPICS: Readonly<Record<string, WrittenTopic>> = {
  target_problem: {
    at: { problem: 'any', persona: phrases('trouble') },
    says: phrases('trouble'),
    with: phrases('who'),
    reach: 'unlabelled',
    not: phrases('not trouble'),
  },
  problem_nature: {
    at: { problem: 'sentence' },
    says: phrases('cause'),
    with: phrases('trouble'),
    reach: 'unlabelled',
    not: phrases('not trouble'),
  },
  pain_points: {
    at: { problem: 'any', persona: phrases('trouble') },
    says: phrases('trouble'),
    with: phrases('who'),
    reach: 'unlabelled',
    not: phrases('not trouble'),
  },
  problem_quantification: {
    at: { problem: 'figure' },
    says: phrases('numbered trouble'),
    with: phrases('trouble'),
    reach: 'unlabelled',
    not: phrases('not trouble'),
    figure: anyFigure,
    figureOnly: true,
  },
  solution_description: { at: { solution: 'any' }, reach: 'unlabelled' },
  differentiation: {
    at: { advantage: 'any', competition: ONE_NOT_OTHER },
    notAt: 'team ask funds financials problem market hiring risks persona voices sales',
  },
  current_solutions: {
    at: { 'today before': 'any', competition: either(phrases('trouble'), ONE_NOT_OTHER), problem: phrases('nowadays') },
    notAt:
      'team ask funds financials solution roadmap traction sales hiring pricing risks benefit regulatory evidence customers advantage model market',
  },
  competitive_landscape: {
    at: { 'competition today': 'any', advantage: COMPARED },
    notAt: 'team ask funds financials problem hiring persona voices regulatory',
  },
  quantified_advantage: {
    at: {
      benefit: 'figure',
      'evidence before pilots': either(phrases('advantage words'), MEASURED_TWICE),
      competition: either(ROW_OF_FIGURES),
    },
    notAt:
      'market financials ask funds team traction problem today roadmap pricing economics persona timing sales hiring model competition',
    figure: either(
      moneyOrPercent,
      ROW_OF_FIGURES,
      MEASURED_TWICE,
      sourceOf('quantified_advantage figure'),
      sourceOf('one figure against another'),
    ),
    figureOnly: true,
  },
  paying_customers: {
    at: {
      'customers traction': phrases('paying_customers at'),
      // Beside a price, a number of customers counts with what they bring.
      model: phrases('paying_customers at model'),
    },
    notAt:
      'model market roadmap ask funds financials problem team persona sales hiring pilots vision today competition timing risks',
    figure: anyFigure,
  },
  pilot_customers: { at: { pilots: 'any' }, notAt: 'team hiring problem market competition regulatory timing risks' },
  customer_acquisition: {
    at: { sales: 'any', economics: phrases('customer_acquisition at economics') },
    notAt:
      'team problem solution funds hiring evidence financials persona today ask regulatory competition company economics benefit timing voices market',
    figure: moneyOrPercent,
  },
  customer_satisfaction: {
    at: {
      voices: 'sentence',
      'traction customers economics model pilots evidence': either(VOICE, phrases('customer_satisfaction at')),
    },
    notAt: 'market problem team financials ask funds roadmap hiring today competition model risks regulatory solution',
    figure: anyFigure,
  },
  churn_analysis: {
    at: { 'traction customers economics model': phrases('again') },
    notAt: 'problem market team ask funds hiring today competition persona roadmap evidence regulatory solution',
    figure: either(percent, phrases('churn_analysis figure')),
  },
  payer_identification: {
    at: { 'model pricing economics': either(PAID_BY, phrases('paid by', 'pays amount', 'for others', 'of staff')) },
    notAt: 'market problem today persona competition team funds hiring evidence timing company regulatory roadmap',
  },
  payer_vs_user: {
    at: { 'model pricing': phrases('for others') },
    notAt: 'problem today persona competition team funds hiring timing market',
  },
  decision_making: { notAt: 'problem solution team hiring evidence benefit legal financials ask' },
  sales_cycle: {
    notAt: 'problem evidence roadmap team hiring',
    figure: phrases('sales_cycle figure'),
    figureOnly: true,
  },
  pricing_strategy: {
    at: { 'pricing model': phrases('price', 'price kind', 'money') },
    says: phrases('price'),
    notAt:
      'market problem today competition financials ask funds team persona timing benefit evidence economics traction hiring regulatory',
    figure: moneyOrPercent,
  },
  unit_economics: {
    at: { economics: phrases('economics of a price'), model: phrases('left of a price') },
    notAt: `${OTHER_MONEY} ask funds roadmap hiring benefit`,
    not: phrases('not our money'),
    figure: moneyOrPercent,
    figureOnly: true,
  },
  monthly_burn: {
    notAt: `${OTHER_MONEY} pricing hiring benefit solution`,
    figure: phrases('money', 'span'),
    figureOnly: true,
  },
  monthly_sales: {
    at: { 'traction financials customers': phrases('revenue'), model: phrases('monthly_sales at model') },
    notAt: `${OTHER_MONEY} pilots ask funds roadmap pricing hiring vision sales model economics benefit`,
    figure: either(moneyOrPercent, NUMBERS_IN_ROW),
    figureOnly: true,
  },
  financial_fluctuations: { notAt: 'problem market team evidence solution persona timing competition today benefit' },
  annual_burn: {
    at: { financials: phrases('costs') },
    notAt: `${OTHER_MONEY} pricing hiring benefit solution customers advantage voices sales`,
    figure: either(moneyOrPercent, PLANNED_FIGURE, phrases('annual_burn figure')),
    figureOnly: true,
  },
  funding_requirements: {
    at: { ask: either(phrases('money of round'), PLAIN_AMOUNT), funds: phrases('funding_requirements at funds') },
    // Elsewhere the rule that extracts the ask decides.
    reach: 'there',
    notAt: 'market problem team today competition persona evidence timing customers voices pricing sales',
    figure: moneyOrPercent,
  },
  fund_allocation: {
    at: {
      funds: either(phrases('purpose'), moneyOrPercent, TASK),
      ask: either(TASK, SHARES, ITEM_AMOUNT, phrases('fund_allocation at ask')),
    },
    notAt: 'market problem team today competition persona pricing financials solution evidence traction',
    figure: moneyOrPercent,
  },
  priority_deficits: {
    at: { risks: 'any' },
    notAt:
      'problem market today competition persona solution benefit advantage voices timing evidence customers model pricing sales team',
  },
  investment_strategy: {
    at: { 'funds ask': phrases('investment_strategy at') },
    notAt: 'market problem team today competition persona pricing solution evidence sales model traction',
    not: either(phrases('investment_strategy not'), AMOUNT_AND_SHARE),
    figure: anyFigure,
  },
  future_state: {
    at: {
      roadmap: 'any',
      vision: phrases('becoming'),
      'ask funds': phrases('goal'),
      financials: phrases('planned'),
    },
    notAt:
      'market problem team today competition persona timing evidence hiring customers voices regulatory solution pricing legal benefit',
    figure: either(anyFigure, phrases('year')),
  },
  team_experience: {
    at: { team: phrases('team_experience at') },
    notAt: 'problem market solution evidence customers voices persona today sales competition pricing',
    figure: anyFigure,
  },
  organizational_maturity: {
    at: { company: phrases('organizational_maturity at') },
    notAt:
      'problem market solution evidence voices persona today competition pricing sales hiring funds customers roadmap',
    figure: anyFigure,
  },
  team_composition: { at: { team: phrases('team_composition at') }, reach: 'unlabelled' },
  skill_gaps: {
    at: { 'team hiring': phrases('skill_gaps at') },
    notAt: 'problem market solution today competition persona timing evidence benefit customers',
  },
  urgent_hiring: {
    at: { hiring: 'any', 'ask funds': phrases('urgent_hiring at') },
    notAt:
      'problem market solution today competition persona timing evidence benefit customers voices pricing model vision advantage',
  },
};

/** By the slugs of the questions. */
export const QUESTION_TOPICS: ReadonlyMap<string, Topic> = new Map(
  Object.entries(TOPICS).map(([slug, written]) => [slug, { ...topic(slug, written), near: nearTopic(slug) }]),
);
