/**
 * Writes the slides of a seeded deck, one function per subject. Each may come back empty when the deck has nothing to say about it.
 */
import type { TopicFact } from '../../../domain/evaluation/deck-truth.ts';
import type { Block, SlideSpec } from '../spec.ts';
import type { SlideSubject } from './phrases.ts';
import { money } from './money.ts';
import { capital, Statements, type Pitch } from './pitch.ts';
import { roundOf } from './topics/words.ts';

/** A slide of columns of blocks. */
export type Content = Extract<SlideSpec, { kind: 'content' }>;

/** Lists statements in one of several forms. */
export function list(pitch: Pitch, items: readonly string[]): Block[] {
  if (items.length === 0) return [];
  const form = pitch.random.int(0, 5);
  if (form === 0 && items.length <= 4) return items.map((text) => ({ type: 'paragraph', text }));
  if (form === 1 && items.length > 1 && items.length <= 4) {
    return [{ type: 'cards', items: items.map((text, index) => ({ title: `0${index + 1}`, text })) }];
  }
  return [{ type: 'bullets', items }];
}

/** A slide about a subject, with the questions that it answers; none without blocks. */
export function content(
  pitch: Pitch,
  subject: SlideSubject,
  columns: readonly (readonly Block[])[],
  said: Statements,
): Content[] {
  const filled = columns.filter((column) => column.length > 0);
  if (filled.length === 0) return [];
  return [
    {
      kind: 'content',
      title: pitch.random.pick(pitch.phrases.titles[subject]),
      columns: filled,
      answers: [...new Set(said.answers)],
    },
  ];
}

/** Whether the slides name the company. */
export const isNamed = ({ nameAt }: Pitch): boolean => nameAt !== 'domain' && nameAt !== 'picture';

/** One column or two, by chance. */
export function arrange(pitch: Pitch, ...parts: readonly (readonly Block[])[]): Block[][] {
  const filled = parts.filter((part) => part.length > 0).map((part) => [...part]);
  return filled.length > 1 && pitch.random.chance(0.7) ? filled : [filled.flat()];
}

function problem(pitch: Pitch, said: Statements): Content[] {
  const { venture } = pitch;
  const rest = [...venture.pains].map((pain) => said.own(pain, 'pain_points'));
  if (said.open()) rest.push(said.own(venture.nature, 'problem_nature'));
  const numbers: Block[] = said.open()
    ? [{ type: 'callout', text: said.own(venture.problemInNumbers, 'problem_quantification') }]
    : [];
  const main: Block = { type: 'paragraph', text: said.own(venture.problem, 'target_problem') };
  return content(pitch, 'problem', arrange(pitch, [main, ...list(pitch, rest)], numbers), said);
}

function solution(pitch: Pitch, said: Statements): Content[] {
  const { venture, random } = pitch;
  const steps = venture.how.map((step) => said.own(step, 'solution_description'));
  const blocks: Block[] = [];
  if (pitch.offerAt === 'solution') {
    const offers = pitch.phrases.offers.filter((offer) => isNamed(pitch) || !offer.includes('{company}'));
    blocks.push({ type: 'paragraph', text: capital(pitch.say(random.pick(offers))) });
  }
  if (random.chance(0.5)) {
    blocks.push({ type: 'timeline', items: steps.map((what, index) => ({ when: String(index + 1), what })) });
  } else {
    blocks.push(...list(pitch, steps));
  }
  if (said.open()) blocks.push({ type: 'callout', text: said.own(venture.differs, 'differentiation') });
  return content(pitch, 'solution', [blocks], said);
}

function proof(pitch: Pitch, said: Statements): Content[] {
  const blocks: Block[] = [];
  if (said.open()) blocks.push({ type: 'callout', text: said.own(pitch.venture.advantage, 'quantified_advantage') });
  if (pitch.venture.proof !== undefined) blocks.push({ type: 'paragraph', text: pitch.say(pitch.venture.proof) });
  return content(pitch, 'proof', [blocks], said);
}

/** Billions as `money` writes them. */
const BILLIONS = /(?<number>\d+(?:[.,]\d+)?) (?:billion|Mrd\.)/u;

function market(pitch: Pitch, said: Statements): Content[] {
  const size = { type: 'paragraph' as const, text: pitch.say(pitch.random.pick(pitch.phrases.marketSizes)) };
  const growth: Block = {
    type: 'lines',
    title: capital(pitch.venture.market),
    categories: [-2, -1, 0, 1, 2].map((shift) => String(pitch.year + shift)),
    series: [
      {
        name: pitch.venture.market,
        values: growing(pitch, 1.2, 5, 1.08, 1.25).map((value) => Number(value.toFixed(1))),
      },
    ],
  };
  const billions = BILLIONS.exec(size.text)?.groups?.['number'];
  const amount = billions === undefined ? null : Math.round(Number(billions.replace(',', '.')) * 1e9);
  const fact = { name: size.text, amount, currency: amount === null ? null : pitch.currency, text: size.text };
  const slides = content(pitch, 'market', arrange(pitch, [size], [growth]), said);
  return slides.map((slide) => ({ ...slide, topics: { market: [fact] } }));
}

/** Five values that grow. */
function growing(pitch: Pitch, low: number, high: number, least: number, most: number): number[] {
  let value = low + pitch.random.next() * (high - low);
  return Array.from({ length: 5 }, () => {
    const now = value;
    value *= least + pitch.random.next() * (most - least);
    return now;
  });
}

function competition(pitch: Pitch, said: Statements): Content[] {
  const { words } = pitch.phrases;
  const [one, two] = pitch.venture.rivals;
  const other = (): string => pitch.random.pick([words.no, words.partly, words.yes]);
  const blocks: Block[] = [];
  if (said.open()) blocks.push({ type: 'paragraph', text: said.own(pitch.venture.today, 'current_solutions') });
  said.answers.push('competitive_landscape');
  blocks.push({
    type: 'table',
    head: [words.criterion, isNamed(pitch) ? pitch.company : capital(words.us), one, two],
    rows: [
      [words.price, pitch.random.pick(['++', '+']), pitch.random.pick(['+', '–']), '–'],
      [words.speed, '++', '+', pitch.random.pick(['+', '–'])],
      [words.service, words.yes, other(), words.no],
    ],
  });
  return content(pitch, 'competition', [blocks], said);
}

function traction(pitch: Pitch, said: Statements): Content[] {
  const items = said.some('paying_customers', 'pilot_customers', 'monthly_sales', 'churn_analysis');
  const chart: Block = {
    type: 'bars',
    title: pitch.phrases.words.quarterly,
    categories: ['Q1', 'Q2', 'Q3', 'Q4', 'Q5'],
    series: [{ name: pitch.phrases.words.quarterly, values: growing(pitch, 8, 60, 1.15, 1.9).map(Math.round) }],
  };
  return items.length === 0 ? [] : content(pitch, 'traction', arrange(pitch, [chart], list(pitch, items)), said);
}

function customers(pitch: Pitch, said: Statements): Content[] {
  const items = said.some('customer_acquisition', 'customer_satisfaction', 'sales_cycle', 'decision_making');
  return content(pitch, 'customers', [list(pitch, items)], said);
}

function model(pitch: Pitch, said: Statements): Content[] {
  const items = said.some('pricing_strategy', 'unit_economics', 'payer_vs_user');
  items.push(said.answer('payer_identification'));
  return content(pitch, 'model', [list(pitch, pitch.random.shuffle(items))], said);
}

function financials(pitch: Pitch, said: Statements): Content[] {
  const { words } = pitch.phrases;
  const years = [-1, 0, 1, 2, 3].map((shift) => String(pitch.year + shift));
  const revenue = growing(pitch, 60, 400, 1.5, 2.6).map(Math.round);
  const costs = growing(pitch, 500, 1100, 1.1, 1.5).map(Math.round);
  const title = `${words.revenue} / ${words.costs} (${words.inThousands} ${pitch.currency})`;
  const series = [
    { name: words.revenue, values: revenue },
    { name: words.costs, values: costs },
  ];
  const table: Block = {
    type: 'table',
    head: [`${words.inThousands} ${pitch.currency}`, ...years],
    rows: series.map((one) => [one.name, ...one.values.map(String)]),
  };
  const chart: Block = { type: pitch.random.pick(['bars', 'lines'] as const), title, categories: years, series };
  const items = said.some('monthly_burn', 'annual_burn', 'financial_fluctuations');
  if (pitch.random.chance(0.75)) items.push(pitch.say(pitch.random.pick(pitch.phrases.earlierRounds)));
  const figures = pitch.random.chance(0.6) && !pitch.traits.has('tables') ? chart : table;
  return content(pitch, 'financials', arrange(pitch, [figures], list(pitch, items)), said);
}

/** The slide that names the sum, in one of six forms. */
function ask(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, phrases } = pitch;
  if (pitch.ask === null) {
    return random.chance(0.5)
      ? content(pitch, 'ask', [[{ type: 'paragraph', text: pitch.say(random.pick(phrases.noAsk)) }]], said)
      : [];
  }
  // The sum stands on the cover or in the footer alone.
  if (pitch.traits.has('ask_on_cover') || pitch.traits.has('ask_in_footer')) return [];
  said.answers.push('funding_requirements');
  if (pitch.traits.has('parts_of_ask')) return partsOfAsk(pitch, pitch.ask, said);
  const sentence = pitch.say(random.pick(phrases.asks));
  const months = random.int(15, 30);
  const extra = said.some('investment_strategy', 'priority_deficits');
  const uses = random.sample(phrases.uses, random.int(3, 4));
  const shares = uses.length === 3 ? [50, 30, 20] : [40, 30, 20, 10];
  const donut: Block[] = [];
  const stated: TopicFact<'use_of_funds'>[] = [];
  if (said.open() && !pitch.traits.has('legend_beside_pie')) {
    said.answers.push('fund_allocation');
    const percent = pitch.language === 'de' ? ' %' : '%';
    stated.push(...uses.map((name, index) => ({ name, share: shares[index] ?? null, amount: null, currency: null })));
    donut.push({
      type: 'donut',
      title: phrases.words.useOfFunds,
      points: uses.map((label, index) => ({
        label,
        value: shares[index] ?? 0,
        shown: `${shares[index] ?? 0}${percent}`,
      })),
    });
  }
  const form = random.int(0, 5);
  if (form === 0) {
    const lines = [...extra, `${phrases.words.runway}: ${months} ${phrases.words.monthsWord}`];
    const answers = said.answers.filter((slug) => slug !== 'fund_allocation');
    return [{ kind: 'statement', kicker: random.pick(phrases.titles.ask), text: sentence, lines, answers }];
  }
  const head: Block[] = [];
  if (form === 1)
    head.push({ type: 'stats', items: [{ value: pitch.ask.text, label: random.pick(phrases.askLabels) }] });
  else if (form === 2) {
    const { words } = phrases;
    const drawn = random.pick(['Pre-Seed', 'Seed', 'Series A']);
    const round = pitch.traits.has('stage_line') ? roundOf(pitch) : drawn;
    const rows = [
      [words.sum, pitch.ask.text],
      [words.runway, `${months} ${words.monthsWord}`],
    ];
    head.push({ type: 'table', head: [words.round, round], rows });
  } else if (form === 3) head.push({ type: 'callout', text: sentence });
  else if (form === 4) extra.splice(random.int(0, extra.length), 0, sentence);
  const slides = content(pitch, 'ask', arrange(pitch, [...head, ...list(pitch, extra)], donut), said).map((slide) =>
    stated.length === 0 ? slide : { ...slide, topics: { use_of_funds: stated } },
  );
  // In the last form the sum stands in the title alone.
  return form === 5 ? titled(slides, sentence, pitch) : slides;
}

/** The round in two parts and their sum. */
function partsOfAsk(pitch: Pitch, { amount, text }: NonNullable<Pitch['ask']>, said: Statements): SlideSpec[] {
  const { random, phrases, currency, language } = pitch;
  const [one, two, total] = random.pick(phrases.askParts);
  // Parts that are called by their purpose say what the money is for.
  const arePurposes = phrases.uses.some((use) => use.startsWith(one.toLowerCase()));
  if (arePurposes) said.answers.push('fund_allocation');
  const first = Math.round((amount * random.pick([0.4, 0.5, 0.6, 0.75])) / 1e4) * 1e4;
  const items = [
    { value: money(first, currency, language), label: one },
    { value: money(amount - first, currency, language), label: two },
    { value: text, label: total },
  ];
  const rows: Block = {
    type: 'table',
    head: [phrases.words.round, phrases.words.sum],
    rows: items.map(({ value, label }) => [label, value]),
  };
  const lines: Block = { type: 'bullets', items: items.map(({ value, label }) => `${label}: ${value}`) };
  const slides = content(pitch, 'ask', [[random.pick([rows, lines, { type: 'stats', items } as const])]], said);
  if (!arePurposes) return slides;
  const parts = [
    { name: one, share: null, amount: first, currency },
    { name: two, share: null, amount: amount - first, currency },
  ];
  return slides.map((slide) => ({ ...slide, topics: { use_of_funds: parts } }));
}

function titled(slides: readonly Content[], title: string, pitch: Pitch): SlideSpec[] {
  const [slide] = slides;
  if (slide !== undefined) return [{ ...slide, title }];
  const lines = isNamed(pitch) ? [pitch.legal] : [];
  return [{ kind: 'statement', text: title, lines, answers: ['funding_requirements'] }];
}

function team(pitch: Pitch, said: Statements): Content[] {
  const { random, phrases, venture } = pitch;
  const first = random.sample(phrases.firstNames, 4);
  const last = random.sample(phrases.lastNames, 4);
  const staff = random.sample(phrases.staff, 2).map((text) => pitch.say(text));
  // Each person stands with a role.
  said.answers.push('team_experience', 'team_composition');
  const people = [...venture.founders, ...staff].slice(0, random.int(2, 4)).map((text, index) => ({
    name: `${first[index] ?? ''} ${last[index] ?? ''}`,
    role: phrases.roles[index] ?? '',
    text,
  }));
  const items = said.some('team_composition', 'organizational_maturity', 'skill_gaps', 'urgent_hiring');
  const slides = content(pitch, 'team', arrange(pitch, [{ type: 'people', items: people }], list(pitch, items)), said);
  return slides.map((slide) => ({ ...slide, topics: { team: people.map(({ name, role }) => ({ name, role })) } }));
}

function roadmap(pitch: Pitch, said: Statements): Content[] {
  const { random, phrases } = pitch;
  const goals = random.sample(phrases.milestones, 3).map((goal) => pitch.say(goal));
  const items = [
    { when: String(pitch.year - random.int(2, 4)), what: phrases.words.founded },
    ...goals.map((what, index) => ({
      when: random.chance(0.5) ? `Q${random.int(1, 4)} ${pitch.year + index + 1}` : String(pitch.year + index + 1),
      what,
    })),
  ];
  said.answers.push('future_state');
  const blocks: Block[] = [{ type: 'timeline', items }];
  for (const text of said.some('future_state')) blocks.push({ type: 'callout', text });
  return content(pitch, 'roadmap', [blocks], said);
}

const WRITERS: Readonly<Record<SlideSubject, (pitch: Pitch, said: Statements) => SlideSpec[]>> = {
  problem,
  solution,
  proof,
  market,
  competition,
  traction,
  customers,
  model,
  financials,
  ask,
  team,
  roadmap,
};

/** The slides about one subject: one, or none. */
export function slidesAbout(pitch: Pitch, subject: SlideSubject): SlideSpec[] {
  return WRITERS[subject](pitch, new Statements(pitch));
}
