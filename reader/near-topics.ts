/**
 * Cues of what bears on a question without answering it in full: a price tells something of what a customer brings, a slide on the problem of
 * how it is solved today. They are asked only where nothing answers the question, and such an answer scores no more than two.
 */
import { anyFigure, moneyOrPercent } from './figures.ts';
import { phrases } from './phrases.ts';
import { topic, type Topic, type WrittenTopic } from './topic.ts';
import { either } from './words.ts';

/** Places on the round, the people and the plans. */
const OWN_MATTERS = 'team ask funds financials hiring roadmap company legal risks';
/** Where the deck speaks of others and of how it is without the company. */
const OF_OTHERS = 'problem today before persona timing market';

const TOPICS: Readonly<Record<string, WrittenTopic>> = {
  target_problem: {
    at: { 'today before': 'any', 'persona timing market competition': phrases('trouble') },
    not: phrases('not trouble'),
  },
  problem_nature: {
    at: { 'problem today before persona timing': phrases('trouble') },
    not: phrases('not trouble'),
  },
  pain_points: {
    at: { before: 'any', 'today persona timing market competition': phrases('trouble') },
    not: phrases('not trouble'),
  },
  problem_quantification: {
    at: { 'today persona timing evidence market': phrases('count') },
    figure: anyFigure,
    figureOnly: true,
  },
  differentiation: {
    at: { 'benefit solution': phrases('qualities'), competition: phrases('against others', 'rivals') },
    says: phrases('against others', 'rivals'),
    reach: 'unlabelled',
    notAt: OWN_MATTERS,
  },
  current_solutions: {
    at: { 'problem persona timing': phrases('ways without us'), competition: 'any' },
    not: phrases('not trouble'),
  },
  competitive_landscape: {
    at: { 'problem advantage solution benefit persona timing': phrases('rivals') },
    says: phrases('rivals'),
    reach: 'unlabelled',
  },
  quantified_advantage: {
    at: {
      'solution advantage benefit': phrases('effort', 'percent'),
      'evidence voices pilots': phrases('effort'),
    },
    says: phrases('effort'),
    reach: 'unlabelled',
    notAt: `${OWN_MATTERS} ${OF_OTHERS}`,
    figure: either(anyFigure, phrases('effort')),
    figureOnly: true,
  },
  customer_acquisition: {
    at: { 'customers model traction market funds ask pilots voices': phrases('channels') },
    says: phrases('channels'),
    reach: 'unlabelled',
  },
  payer_identification: {
    at: { 'model pricing economics customers persona': phrases('parties') },
    reach: 'unlabelled',
  },
  payer_vs_user: { at: { 'model pricing persona customers solution': phrases('both sides') } },
  pricing_strategy: {
    notAt: `${OF_OTHERS} ${OWN_MATTERS} competition voices`,
    at: {
      'model benefit competition': phrases('price kind', 'free', 'money'),
      economics: phrases('near pricing_strategy at economics'),
      pricing: 'figure',
    },
  },
  unit_economics: {
    at: { 'pricing model economics': moneyOrPercent },
    says: phrases('price'),
    reach: 'unlabelled',
    figure: moneyOrPercent,
    figureOnly: true,
  },
  paying_customers: {
    at: { 'customers traction voices pilots': phrases('near paying_customers at') },
    figure: anyFigure,
    figureOnly: true,
  },
  pilot_customers: {
    at: { 'evidence traction voices pilots': phrases('near pilot_customers at') },
    notAt: `${OF_OTHERS} ${OWN_MATTERS} competition`,
  },
  monthly_burn: { figure: either(anyFigure, phrases('year')), figureOnly: true, notAt: OF_OTHERS },
  monthly_sales: {
    at: { 'traction customers economics pilots roadmap': phrases('income') },
    says: phrases('income'),
    reach: 'unlabelled',
    not: phrases('no income'),
    figure: moneyOrPercent,
    figureOnly: true,
  },
  priority_deficits: { says: phrases('shortcoming'), notAt: `${OF_OTHERS} competition voices advantage timing` },
  fund_allocation: { at: { 'ask funds': phrases('spending') }, not: phrases('to reader') },
  investment_strategy: { at: { funds: 'sentence', ask: phrases('step made possible') }, not: phrases('to reader') },
  future_state: {
    at: { 'financials ask funds traction': phrases('to come') },
    says: phrases('to come'),
    reach: 'unlabelled',
    figure: anyFigure,
    figureOnly: true,
  },
  team_experience: {
    at: { team: phrases('work'), company: phrases('near team_experience at company') },
    reach: 'unlabelled',
  },
  team_composition: { at: { team: 'any' } },
  organizational_maturity: {
    at: { 'company team': phrases('organized') },
    says: phrases('organized'),
    reach: 'unlabelled',
  },
};

/** The cues of a question of which something may only bear on it; null for any other. */
export const nearTopic = (slug: string): Topic | null => {
  const written = TOPICS[slug];
  return written === undefined ? null : topic(`near ${slug}`, written);
};
