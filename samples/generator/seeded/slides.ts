/**
 * Writes the slides of a seeded deck, one function per subject. Each may come back empty when the deck has nothing to say about it.
 */
import type { Block, SlideSpec } from '../spec.ts';
import type { SlideSubject } from './phrases.ts';
import { capital, Statements, type Story } from './story.ts';

type Content = Extract<SlideSpec, { kind: 'content' }>;

/** Lists statements in one of several forms. */
function list(story: Story, items: readonly string[]): Block[] {
  if (items.length === 0) return [];
  const form = story.random.int(0, 5);
  if (form === 0 && items.length <= 4) return items.map((text) => ({ type: 'paragraph', text }));
  if (form === 1 && items.length > 1 && items.length <= 4) {
    return [{ type: 'cards', items: items.map((text, index) => ({ title: `0${index + 1}`, text })) }];
  }
  return [{ type: 'bullets', items }];
}

function content(
  story: Story,
  subject: SlideSubject,
  columns: readonly (readonly Block[])[],
  said: Statements,
): Content[] {
  const filled = columns.filter((column) => column.length > 0);
  if (filled.length === 0) return [];
  return [
    {
      kind: 'content',
      title: story.random.pick(story.phrases.titles[subject]),
      columns: filled,
      answers: [...new Set(said.answers)],
    },
  ];
}

/** One column or two, by chance. */
function arrange(story: Story, ...parts: readonly (readonly Block[])[]): Block[][] {
  const filled = parts.filter((part) => part.length > 0).map((part) => [...part]);
  return filled.length > 1 && story.random.chance(0.7) ? filled : [filled.flat()];
}

function problem(story: Story, said: Statements): Content[] {
  const { venture } = story;
  const rest = [...venture.pains].map((pain) => said.own(pain, 'pain_points'));
  if (said.open()) rest.push(said.own(venture.nature, 'problem_nature'));
  const numbers: Block[] = said.open()
    ? [{ type: 'callout', text: said.own(venture.problemInNumbers, 'problem_quantification') }]
    : [];
  const main: Block = { type: 'paragraph', text: said.own(venture.problem, 'target_problem') };
  return content(story, 'problem', arrange(story, [main, ...list(story, rest)], numbers), said);
}

function solution(story: Story, said: Statements): Content[] {
  const { venture, random } = story;
  const steps = venture.how.map((step) => said.own(step, 'solution_description'));
  const blocks: Block[] = [];
  if (story.offerAt === 'solution') {
    blocks.push({ type: 'paragraph', text: capital(story.say(random.pick(story.phrases.offers))) });
  }
  if (random.chance(0.5)) {
    blocks.push({ type: 'timeline', items: steps.map((what, index) => ({ when: String(index + 1), what })) });
  } else {
    blocks.push(...list(story, steps));
  }
  if (said.open()) blocks.push({ type: 'callout', text: said.own(venture.differs, 'differentiation') });
  return content(story, 'solution', [blocks], said);
}

function proof(story: Story, said: Statements): Content[] {
  const blocks: Block[] = [];
  if (said.open()) blocks.push({ type: 'callout', text: said.own(story.venture.advantage, 'quantified_advantage') });
  if (story.venture.proof !== undefined) blocks.push({ type: 'paragraph', text: story.say(story.venture.proof) });
  return content(story, 'proof', [blocks], said);
}

function market(story: Story, said: Statements): Content[] {
  const size: Block = { type: 'paragraph', text: story.say(story.random.pick(story.phrases.marketSizes)) };
  const growth: Block = {
    type: 'lines',
    title: capital(story.venture.market),
    categories: [-2, -1, 0, 1, 2].map((shift) => String(story.year + shift)),
    series: [
      {
        name: story.venture.market,
        values: growing(story, 1.2, 5, 1.08, 1.25).map((value) => Number(value.toFixed(1))),
      },
    ],
  };
  return content(story, 'market', arrange(story, [size], [growth]), said);
}

/** Five values that grow. */
function growing(story: Story, low: number, high: number, least: number, most: number): number[] {
  let value = low + story.random.next() * (high - low);
  return Array.from({ length: 5 }, () => {
    const now = value;
    value *= least + story.random.next() * (most - least);
    return now;
  });
}

function competition(story: Story, said: Statements): Content[] {
  const { words } = story.phrases;
  const [one, two] = story.venture.rivals;
  const other = (): string => story.random.pick([words.no, words.partly, words.yes]);
  const blocks: Block[] = [];
  if (said.open()) blocks.push({ type: 'paragraph', text: said.own(story.venture.today, 'current_solutions') });
  said.answers.push('competitive_landscape');
  blocks.push({
    type: 'table',
    head: [words.criterion, story.company, one, two],
    rows: [
      [words.price, story.random.pick(['++', '+']), story.random.pick(['+', '–']), '–'],
      [words.speed, '++', '+', story.random.pick(['+', '–'])],
      [words.service, words.yes, other(), words.no],
    ],
  });
  return content(story, 'competition', [blocks], said);
}

function traction(story: Story, said: Statements): Content[] {
  const items = said.some('paying_customers', 'pilot_customers', 'monthly_sales', 'churn_analysis');
  const chart: Block = {
    type: 'bars',
    title: story.phrases.words.quarterly,
    categories: ['Q1', 'Q2', 'Q3', 'Q4', 'Q5'],
    series: [{ name: story.phrases.words.quarterly, values: growing(story, 8, 60, 1.15, 1.9).map(Math.round) }],
  };
  return items.length === 0 ? [] : content(story, 'traction', arrange(story, [chart], list(story, items)), said);
}

function customers(story: Story, said: Statements): Content[] {
  const items = said.some('customer_acquisition', 'customer_satisfaction', 'sales_cycle', 'decision_making');
  return content(story, 'customers', [list(story, items)], said);
}

function model(story: Story, said: Statements): Content[] {
  const items = said.some('pricing_strategy', 'unit_economics', 'payer_vs_user');
  items.push(said.answer('payer_identification'));
  return content(story, 'model', [list(story, story.random.shuffle(items))], said);
}

function financials(story: Story, said: Statements): Content[] {
  const { words } = story.phrases;
  const years = [-1, 0, 1, 2, 3].map((shift) => String(story.year + shift));
  const revenue = growing(story, 60, 400, 1.5, 2.6).map(Math.round);
  const costs = growing(story, 500, 1100, 1.1, 1.5).map(Math.round);
  const title = `${words.revenue} / ${words.costs} (${words.inThousands} ${story.currency})`;
  const series = [
    { name: words.revenue, values: revenue },
    { name: words.costs, values: costs },
  ];
  const table: Block = {
    type: 'table',
    head: [`${words.inThousands} ${story.currency}`, ...years],
    rows: series.map((one) => [one.name, ...one.values.map(String)]),
  };
  const chart: Block = { type: story.random.pick(['bars', 'lines'] as const), title, categories: years, series };
  const items = said.some('monthly_burn', 'annual_burn', 'financial_fluctuations');
  if (story.random.chance(0.75)) items.push(story.say(story.random.pick(story.phrases.earlierRounds)));
  const figures = story.random.chance(0.6) ? chart : table;
  return content(story, 'financials', arrange(story, [figures], list(story, items)), said);
}

/** The slide that names the sum, in one of six forms. */
function ask(story: Story, said: Statements): SlideSpec[] {
  const { random, phrases } = story;
  if (story.ask === null) {
    return random.chance(0.5)
      ? content(story, 'ask', [[{ type: 'paragraph', text: story.say(random.pick(phrases.noAsk)) }]], said)
      : [];
  }
  said.answers.push('funding_requirements');
  const sentence = story.say(random.pick(phrases.asks));
  const months = random.int(15, 30);
  const extra = said.some('investment_strategy', 'priority_deficits');
  const uses = random.sample(phrases.uses, random.int(3, 4));
  const shares = uses.length === 3 ? [50, 30, 20] : [40, 30, 20, 10];
  const donut: Block[] = [];
  if (said.open()) {
    said.answers.push('fund_allocation');
    const percent = story.language === 'de' ? ' %' : '%';
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
    head.push({ type: 'stats', items: [{ value: story.ask.text, label: random.pick(phrases.askLabels) }] });
  else if (form === 2) {
    const { words } = phrases;
    const round = random.pick(['Pre-Seed', 'Seed', 'Series A']);
    const rows = [
      [words.sum, story.ask.text],
      [words.runway, `${months} ${words.monthsWord}`],
    ];
    head.push({ type: 'table', head: [words.round, round], rows });
  } else if (form === 3) head.push({ type: 'callout', text: sentence });
  else if (form === 4) extra.splice(random.int(0, extra.length), 0, sentence);
  const slides = content(story, 'ask', arrange(story, [...head, ...list(story, extra)], donut), said);
  // In the last form the sum stands in the title alone.
  return form === 5 ? titled(slides, sentence, story) : slides;
}

function titled(slides: readonly Content[], title: string, story: Story): SlideSpec[] {
  const [slide] = slides;
  if (slide !== undefined) return [{ ...slide, title }];
  return [{ kind: 'statement', text: title, lines: [story.legal], answers: ['funding_requirements'] }];
}

function team(story: Story, said: Statements): Content[] {
  const { random, phrases, venture } = story;
  const first = random.sample(phrases.firstNames, 4);
  const last = random.sample(phrases.lastNames, 4);
  const staff = random.sample(phrases.staff, 2).map((text) => story.say(text));
  said.answers.push('team_experience');
  const people = [...venture.founders, ...staff].slice(0, random.int(2, 4)).map((text, index) => ({
    name: `${first[index] ?? ''} ${last[index] ?? ''}`,
    role: phrases.roles[index] ?? '',
    text,
  }));
  const items = said.some('team_composition', 'organizational_maturity', 'skill_gaps', 'urgent_hiring');
  return content(story, 'team', arrange(story, [{ type: 'people', items: people }], list(story, items)), said);
}

function roadmap(story: Story, said: Statements): Content[] {
  const { random, phrases } = story;
  const goals = random.sample(phrases.milestones, 3).map((goal) => story.say(goal));
  const items = [
    { when: String(story.year - random.int(2, 4)), what: phrases.words.founded },
    ...goals.map((what, index) => ({
      when: random.chance(0.5) ? `Q${random.int(1, 4)} ${story.year + index + 1}` : String(story.year + index + 1),
      what,
    })),
  ];
  const blocks: Block[] = [{ type: 'timeline', items }];
  for (const text of said.some('future_state')) blocks.push({ type: 'callout', text });
  return content(story, 'roadmap', [blocks], said);
}

const WRITERS: Readonly<Record<SlideSubject, (story: Story, said: Statements) => SlideSpec[]>> = {
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
export function slidesAbout(story: Story, subject: SlideSubject): SlideSpec[] {
  return WRITERS[subject](story, new Statements(story));
}
