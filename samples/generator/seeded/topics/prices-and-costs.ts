/**
 * Slides of prices and of costs: plans on cards, and burn with cash in a table, in boxes or in lines.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import { money } from '../money.ts';
import type { Pitch, Statements } from '../pitch.ts';
import { arrange, content, list } from '../slides.ts';
import { TOPIC_WORDS } from './words.ts';

/** Three plans with prices that rise. */
export function pricingCards(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, currency, language } = pitch;
  const words = TOPIC_WORDS[language];
  const low = random.int(9, 59);
  const prices = [low, low * random.int(2, 4), low * random.int(6, 12)].map((price) =>
    money(price, currency, language),
  );
  const names = random.pick(words.planNames);
  const free = random.pick(words.free);
  if (random.chance(0.2) || words.free.includes(names[0])) prices[0] = free;
  const open = random.chance(0.35) ? random.pick(words.onRequest) : undefined;
  const per = pitch.say(random.pick(words.planPers));
  const features = random.sample(words.planFeatures, 7).map((text) => pitch.say(text));
  const best = random.chance(0.6) ? random.int(0, 2) : -1;
  const badge = random.pick(words.planBadges);
  const plans: Block = {
    type: 'plans',
    first: random.pick(['name', 'price'] as const),
    items: names.map((name, index) => ({
      name,
      price: index === 2 && open !== undefined ? open : (prices[index] ?? ''),
      per: index === 2 && open !== undefined ? '' : per,
      features: features.slice(index, 2 * index + random.int(2, 3)),
      ...(index === best ? { badge } : {}),
    })),
  };
  said.answers.push('pricing_strategy');
  const items = said.some('unit_economics', 'payer_vs_user');
  items.push(said.answer('payer_identification'));
  return content(pitch, 'model', [[plans, ...list(pitch, items)]], said);
}

/** Spending and burn over months or years, as a table, or the figures of today in boxes or lines. */
export function burnTable(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, currency, language, year, phrases } = pitch;
  const words = TOPIC_WORDS[language];
  const burn = random.int(38, 140) * 1000 + random.int(1, 99) * 10;
  const spending = random.sample(words.spending, random.int(2, 3));
  const earlier = random.chance(0.6) ? list(pitch, [pitch.say(random.pick(phrases.earlierRounds))]) : [];
  const form = random.pick(['table', 'table', 'boxes', 'lines'] as const);
  if (form !== 'table') {
    said.answers.push('monthly_burn');
    const [ofMonth, cash, runway, personnel] = words.burnLabels;
    const months = random.int(6, 16);
    const figures = [
      { value: money(burn, currency, language), label: ofMonth },
      { value: money(burn * months, currency, language), label: cash },
      { value: `${months} ${phrases.words.monthsWord}`, label: runway },
      { value: money(Math.round(burn * 0.6), currency, language), label: personnel },
    ].slice(0, random.int(2, 4));
    const block: Block =
      form === 'boxes'
        ? { type: 'stats', items: figures }
        : { type: 'bullets', items: figures.map(({ value, label }) => `${label}: ${value}`) };
    return titled(pitch, content(pitch, 'financials', arrange(pitch, [block], earlier), said));
  }
  const isMonthly = random.chance(0.6);
  const from = random.int(0, 2);
  const periods = isMonthly ? words.months.slice(from, from + 4) : [0, 1, 2].map((shift) => String(year + shift));
  const scale = isMonthly ? 1 : 12;
  said.answers.push(isMonthly ? 'monthly_burn' : 'annual_burn');
  const inThousands = random.chance(0.5);
  const shown = (value: number): string =>
    inThousands ? String(Math.round(value / 1000)) : money(Math.round(value / 100) * 100, currency, language);
  const burns = periods.map((_, index) => burn * scale * (1 + index * 0.06));
  const start = burns.reduce((sum, value) => sum + value, burn * scale * 2);
  const parts = [0.55, 0.3, 0.2];
  const rows = [
    ...spending.map((name, row) => [name, ...burns.map((value) => shown(value * (parts[row] ?? 0.1)))]),
    [random.pick(isMonthly ? words.burnRows.month : words.burnRows.year), ...burns.map(shown)],
    [
      words.cashRow,
      ...burns.map((_, index) => shown(start - burns.slice(0, index + 1).reduce((sum, value) => sum + value, 0))),
    ],
  ];
  const head = [inThousands ? `${phrases.words.inThousands} ${currency}` : '', ...periods];
  const turned = head.map((_, column) => [head, ...rows].map((row) => row[column] ?? ''));
  const [turnedHead = [], ...turnedRows] = turned;
  const table: Block = random.chance(0.7)
    ? { type: 'table', head, rows }
    : { type: 'table', head: turnedHead, rows: turnedRows };
  return titled(pitch, content(pitch, 'financials', [[table, ...earlier]], said));
}

function titled(pitch: Pitch, slides: readonly Extract<SlideSpec, { kind: 'content' }>[]): SlideSpec[] {
  const { burnTitles } = TOPIC_WORDS[pitch.language];
  return slides.map((slide) => ({ ...slide, title: pitch.random.pick(burnTitles) }));
}
