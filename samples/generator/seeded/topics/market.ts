/**
 * The slide of market sizes: circles or bars of the whole market, the part that is served and the part that can be reached.
 */
import type { Block, SlideSpec } from '../../spec.ts';
import type { TopicFact } from '../../../../domain/evaluation/deck-truth.ts';
import { marketSums } from '../money.ts';
import { capital, type Pitch, type Statements } from '../pitch.ts';
import { content } from '../slides.ts';
import { TOPIC_WORDS } from './words.ts';

const twoDigits = (value: number): number => Number(value.toPrecision(2));

/** Three market sizes as figures with names and notes, with a rate of growth beside them at times. */
export function marketCircles(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, currency, language } = pitch;
  const words = TOPIC_WORDS[language];
  const names = random.pick(words.marketNames);
  const notes = random.pick(words.marketNotes);
  const whole = twoDigits(10 ** (9 + random.next() * 1.6));
  const served = twoDigits(whole / random.int(4, 12));
  const amounts = [whole, served, twoDigits(served / random.int(8, 30))];
  const figures = marketSums(amounts, currency, language, random);
  const items = names.map((name, index) => ({
    name,
    figure: figures[index] ?? '',
    note: capital(pitch.say(notes[index] ?? '')),
  }));
  const market: TopicFact<'market'>[] = items.map(({ name, figure }, index) => ({
    name,
    amount: amounts[index] ?? null,
    currency,
    text: `${name} ${figure}`,
  }));
  const circles: Block = {
    type: 'market',
    form: random.pick(['nested', 'nested', 'row', 'bars'] as const),
    words: random.pick(['inside', 'beside'] as const),
    first: random.pick(['figure', 'name'] as const),
    items,
  };
  const blocks: Block[] = [];
  if (random.chance(0.45)) {
    const text = pitch.say(random.pick(words.growth));
    market.push({ name: text, amount: null, currency: null, text });
    blocks.push({ type: random.pick(['paragraph', 'callout'] as const), text });
  }
  blocks.push(circles);
  if (random.chance(0.4)) blocks.push({ type: 'note', text: pitch.say(random.pick(words.marketSources)) });
  return content(pitch, 'market', [blocks], said).map((slide) => ({ ...slide, topics: { market } }));
}
