/**
 * The slide of the use of funds: a pie whose names and shares stand in a legend.
 */
import type { Random } from '../../random.ts';
import type { Block, SlideSpec } from '../../spec.ts';
import { money } from '../money.ts';
import type { Pitch, Statements } from '../pitch.ts';
import { content } from '../slides.ts';
import { TOPIC_WORDS } from './words.ts';

const STEP = 5;

/** Shares in percent, in fives, the largest first; each at least `least`. They add up to 100. */
function sharesOf(count: number, least: number, random: Random): number[] {
  const shares = Array.from({ length: count }, () => least);
  for (let left = 100 - count * least; left > 0; left -= STEP) {
    const index = random.int(0, count - 1);
    shares[index] = (shares[index] ?? 0) + STEP;
  }
  return shares.toSorted((a, b) => b - a);
}

/** A sum as it can be printed with two decimals of a million. */
const printable = (value: number): number => (value >= 1e6 ? Math.round(value / 1e4) * 1e4 : Math.round(value));

/** Sums that may stand on their own place alone. */
const hasHiddenAsk = ({ traits }: Pitch): boolean => traits.has('ask_on_cover') || traits.has('ask_in_footer');

/** A pie of the use of funds with its legend, on a slide of its own behind the one of the round. */
export function useOfFunds(pitch: Pitch, said: Statements): SlideSpec[] {
  const { random, currency, language, ask, phrases } = pitch;
  const words = TOPIC_WORDS[language];
  const entry = random.pick(['share_first', 'name_first', 'two_columns', 'two_lines', 'in_slices'] as const);
  const names = random.sample(words.uses, random.int(3, 6));
  const shares = sharesOf(names.length, entry === 'in_slices' ? 10 : STEP, random);
  const hasAmounts = ask !== null && !hasHiddenAsk(pitch) && random.chance(0.3);
  const points = names.map((name, index) => {
    const share = shares[index] ?? 0;
    const amount = hasAmounts ? printable((ask.amount * share) / 100) : null;
    return { name, share, amount };
  });
  const title = random.pick(words.useTitles);
  const pie: Block = {
    type: 'pie',
    title,
    isHollow: random.chance(0.4),
    legend: random.pick(['right', 'right', 'left', 'below'] as const),
    entry,
    points: points.map(({ name, share, amount }) => ({
      name,
      share,
      shown: language === 'de' ? `${share} %` : `${share}%`,
      ...(amount === null ? {} : { amount: money(amount, currency, language) }),
    })),
  };
  said.answers.push('fund_allocation');
  const blocks: Block[] = [pie];
  if (ask !== null && !hasHiddenAsk(pitch) && random.chance(0.4)) {
    said.answers.push('funding_requirements');
    blocks.push({ type: 'paragraph', text: pitch.say(random.pick(phrases.asks)) });
  }
  return content(pitch, 'ask', [blocks], said).map((slide) => ({
    ...slide,
    title: random.pick(words.useTitles),
    topics: {
      use_of_funds: points.map((point) => ({ ...point, currency: point.amount === null ? null : currency })),
    },
  }));
}
