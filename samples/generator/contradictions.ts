/**
 * Contradictions planted in seeded decks: the deck of the seed says something once more, with another value, on another slide.
 */
import { drawWithTruth } from './deck-pdf.ts';
import { deckOf, type GeneratedDeck } from './generate.ts';
import { randomFrom, type Random } from './random.ts';
import { money, type Currency } from './seeded/money.ts';
import type { Block, DeckSpec, SlideSpec } from './spec.ts';
import { traitsOf } from './traits.ts';
import type { ContradictionKind } from '../../domain/evidence/contradictions.ts';

interface Planted {
  readonly kind: ContradictionKind;
  /** Blocks for two slides; the second is null where one slide contradicts itself. */
  readonly first: Block;
  readonly second: Block | null;
}

const text = (words: string): Block => ({ type: 'paragraph', text: words });
const boxed = (value: string, label: string): Block => ({ type: 'stats', items: [{ value, label }] });

/** Two sums: the second is about twice the first, as in a deck of which one slide was forgotten. */
function twoAsks(random: Random, german: boolean, { facts }: DeckSpec): Planted {
  const amount = facts.amount ?? 1_500_000;
  const currency = (facts.currency ?? 'EUR') as Currency;
  const [one, two] = [amount, amount * 2].map((value) => money(value, currency, german ? 'de' : 'en'));
  const forms = german
    ? [`Wir suchen ${two}.`, `Kapitalbedarf: ${two}`, `Finanzierungsrunde von ${two}`]
    : [`We are raising ${two}.`, `Our ask: ${two}`, `Funding required: ${two}`];
  const first = german ? `Wir suchen ${one} in dieser Runde.` : `We are raising ${one} in this round.`;
  return { kind: 'ask', first: text(first), second: text(random.pick(forms)) };
}

function twoFoundingYears(random: Random, german: boolean): Planted {
  const year = random.int(2015, 2020);
  const first = german ? `Gegründet ${year}` : random.pick([`Founded in ${year}`, `Founded: ${year}`]);
  const later = year + random.int(1, 4);
  const second = german ? `Wir wurden ${later} gegründet.` : `We were founded in ${later}.`;
  const other = german ? `Gegründet im Jahr ${later}` : `Established in ${later}`;
  return { kind: 'founding_year', first: text(first), second: text(random.pick([second, other])) };
}

function twoCounts(random: Random, german: boolean): Planted {
  const count = random.int(20, 60);
  const more = Math.round(count * (1.4 + random.next()));
  const noun = german
    ? random.pick(['zahlende Kunden', 'Mitarbeitende'])
    : random.pick(['paying customers', 'employees']);
  const first = german ? `Wir haben ${count} ${noun}.` : `We have ${count} ${noun}.`;
  const second = german ? `Heute haben wir bereits ${more} ${noun}.` : `Today we have ${more} ${noun}.`;
  return { kind: 'figure', first: text(first), second: random.pick([text(second), boxed(String(more), noun)]) };
}

function wrongTotal(random: Random, german: boolean): Planted {
  const parts = [random.int(20, 90), random.int(30, 120), random.int(15, 60)];
  const total = parts.reduce((sum, part) => sum + part, 0);
  const wrong = Math.round(total * random.pick([0.8, 1.2]));
  const names = german
    ? ['Personal', 'Marketing', 'Infrastruktur', 'Summe']
    : ['Staff', 'Marketing', 'Infrastructure', 'Total'];
  const rows = [...parts, wrong].map((value, index) => [names[index] ?? '', String(value)]);
  const head = german ? ['Kosten in Tausend', '2026'] : ['Costs in thousand', '2026'];
  return { kind: 'total', first: { type: 'table', head, rows }, second: null };
}

function wrongShares(random: Random, german: boolean): Planted {
  const shares = random.pick([
    [50, 30, 10],
    [45, 35, 30],
    [40, 25, 25],
  ]);
  const names = german ? ['Produkt', 'Vertrieb', 'Team'] : ['Product', 'Sales', 'Team'];
  const percent = german ? ' %' : '%';
  const items = shares.map((share, index) => `${names[index] ?? ''}: ${share}${percent}`);
  return { kind: 'total', first: { type: 'bullets', items }, second: null };
}

const PLANTS = { twoAsks, twoFoundingYears, twoCounts, wrongTotal, wrongShares };

/** What can be planted. */
export type Plant = keyof typeof PLANTS;
/** All that can be planted. */
export const PLANT_NAMES = Object.keys(PLANTS) as readonly Plant[];

/** A deck that contradicts itself once. */
export interface ContradictoryDeck extends GeneratedDeck {
  readonly kind: ContradictionKind;
}

/** The deck of a seed, with its traits, and with a contradiction planted. */
export async function generateContradictoryDeck(seed: number, plant: Plant): Promise<ContradictoryDeck> {
  const random = randomFrom(`contradiction/${plant}/${seed}`);
  const traits = traitsOf(seed);
  const deck = deckOf(seed, traits);
  const german = deck.language === 'de';
  const planted = PLANTS[plant](random, german, deck);
  const useOfFunds = german ? 'Mittelverwendung' : 'Use of funds';
  const titles = german ? ['Auf einen Blick', 'Eckdaten'] : ['At a glance', 'Key facts'];
  const slides = [planted.first, ...(planted.second === null ? [] : [planted.second])].map(
    (block, index): SlideSpec => ({
      kind: 'content',
      title: plant === 'wrongShares' ? useOfFunds : (titles[index] ?? ''),
      columns: [[block]],
    }),
  );
  const [cover, ...rest] = deck.slides;
  const at = random.int(1, rest.length - 1);
  const mixed = [
    ...(cover === undefined ? [] : [cover]),
    ...slides.slice(0, 1),
    ...rest.slice(0, at),
    ...slides.slice(1),
    ...rest.slice(at),
  ];
  const whole = { ...deck, slides: mixed };
  return { ...(await drawWithTruth(whole, { compress: true })), traits, kind: planted.kind };
}
