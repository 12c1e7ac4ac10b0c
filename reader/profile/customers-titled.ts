/**
 * Customers on a slide whose headline asks for them: "Who it is for, and what they pay", "Wer bei uns bestellt". Whatever its cards and the first
 * column of its table name is a customer, in whatever words.
 */
import { phrases } from '../phrases.ts';
import type { ReadSlide } from '../prompt.ts';
import { VOICE } from '../slide-traits.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, labelFrom } from './fact.ts';

/** A customer, and the words that name it. */
export interface TitledCustomer {
  readonly name: string;
  readonly quote: string;
}

const ASKS_WHO = /^(?:who|whose|whom|for whom|wer|wem|wessen|für wen)(?!\p{L})/iu;
/** Headlines that ask for the people of the company, for competitors and for backers. */
const OTHERS = phrases('asks for others');
const GROUP = phrases('customer group');
const NO_NAME = phrases('no segment');
const MOST_NAME_WORDS = 12;
const [LEAST_CARDS, MOST_CARDS] = [2, 6];

/** The customers of the slide; none where its headline asks for nobody. */
export function titledCustomers(slide: ReadSlide): TitledCustomer[] {
  const [first] = slide.units.filter((unit) => !unit.running);
  const isAsked = [slide.title, first?.text ?? ''].some((text) => ASKS_WHO.test(text) && !has(text, OTHERS));
  if (!isAsked) return [];
  const blocks = blocksOf(slide);
  // A table with an empty corner compares products.
  const rows = blocks
    .filter(([header]) => header?.kind === 'row' && header.cells[0]?.trim() !== '')
    .flatMap((block) => block.filter(isEntry));
  if (rows.length >= LEAST_CARDS) return rows.flatMap(({ cells, quote }) => named(cells[0] ?? '', quote));
  const units = blocks.flat().filter(({ kind, text }) => kind !== 'title' && kind !== 'row' && !ASKS_WHO.test(text));
  const groups = units.filter(({ text }) => has(text, GROUP) && !VOICE.test(text));
  if (groups.length >= LEAST_CARDS) return groups.flatMap(({ text }) => named(text, text));
  const headings = units.filter(({ kind }) => kind === 'heading');
  if (headings.length >= LEAST_CARDS) return headings.flatMap(({ text }) => named(text, text));
  const cards = blocks.map(([head]) => head).filter((head) => head !== undefined && units.includes(head));
  return cards.length < LEAST_CARDS || cards.length > MOST_CARDS
    ? groups.flatMap(({ text }) => named(text, text))
    : cards.flatMap((head) => (head === undefined ? [] : named(head.text, head.text)));
}

const isEntry = ({ headsColumns, cells }: TextUnit): boolean => !headsColumns && !has(cells[0] ?? '', NO_NAME);

function named(text: string, quote: string): TitledCustomer[] {
  const [label = '', ...rest] = text.split(/:\s/u);
  // "Today: two hospitals" names them behind its label.
  const said = rest.length > 0 && !has(label, GROUP) ? rest.join(': ') : label;
  const name = labelFrom(said.split(/[;.]\s|[;:.]$|\s[–—]\s/u)[0] ?? '');
  const isName =
    /\p{L}{3}/u.test(name) && /^\p{L}/u.test(name) && countWords(name) <= MOST_NAME_WORDS && !VOICE.test(text);
  return isName ? [{ name, quote }] : [];
}
