/** Uses of the money that is sought, each with its share or amount: legends, rows, items and lists within a sentence. */
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { answerQuestion } from '../answer-question.ts';
import { extractFunding } from '../extract-funding.ts';
import { USE_OF_FUNDS } from '../funding-amounts.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { amountsIn, blocksOf, fitQuote, joined, labelFrom, once, type Fact } from './fact.ts';
import { LEADS, usesInSentence, type Use } from './funds-sentences.ts';
import { LEAST_USES, MOST_QUOTE, nameOf, SHARE, sharesOf, useOf } from './funds-shares.ts';

/** Headings over uses, beside those of the subject. */
const HEADS = phrases('heads uses of funds');
const headsUses = (text: string): boolean =>
  countWords(text) <= MOST_LABEL_WORDS &&
  (has(text, USE_OF_FUNDS) || has(text, HEADS) || subjectsOfLabel(text).includes('funds'));

const MOST_FACTS = 9;
/** Shares of the whole come to about 100. */
const [LEAST_SUM, MOST_SUM] = [85, 103];

/** The uses, as the deck lists them. */
export function useOfFundsFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const asked = extractFunding(prompt).evidence.map(({ slide }) => slide);
  const about = slides.filter((slide) => {
    const of = subjects.get(slide);
    return (
      asked.includes(slide.number) ||
      of?.has('funds') === true ||
      of?.has('ask') === true ||
      slide.units.some(
        ({ text, words }) =>
          headsUses(text) || has(text, NEED) || (words <= 3 && subjectsOfLabel(text).includes('ask')),
      )
    );
  });
  const stated = (): Fact[] =>
    answerQuestion({ ...prompt, question: { slug: 'fund_allocation', text: '' } })
      .evidence.filter(({ answering, quote }) => answering === 'high' && quote.length <= MOST_QUOTE)
      .map(({ slide, quote }) => ({ slide, quote, name: '', value: '', answering: 'some' }));
  const best = about
    .map((slide) => usesOn(slide, subjects.get(slide)?.has('funds') === true || headsUses(slide.title)))
    .toSorted((a, b) => b.length - a.length)[0];
  if (best !== undefined && best.length > 0) return once(best, MOST_FACTS);
  const told = slides
    .map((slide, at) => toldOn(slide, about.includes(slide), at >= slides.length * LATE))
    .toSorted((a, b) => b.length - a.length)[0];
  return once(told === undefined || told.length === 0 ? stated() : told, MOST_FACTS);
}

/** The uses that the sentences of a slide name; elsewhere than on the round, only those of a round that is sought. */
function toldOn(slide: ReadSlide, isAbout: boolean, isLate: boolean): Fact[] {
  const told = slide.units.map(({ kind, running, text }) => {
    if (running || kind === 'row' || kind === 'title') return [];
    return isAbout || has(text, SOUGHT) || (isLate && has(text, LEADS)) ? usesInSentence(text) : [];
  });
  return longest(told).flatMap((use) => factOf(slide, use));
}
/** Words of the money that this round needs. */
const NEED = phrases('need of a round');
/** Words of a round that is sought. */
const SOUGHT = phrases('seeks a round');
const MOST_LABEL_WORDS = 8;
/** Part of a deck behind which money that goes somewhere is that of the round. */
const LATE = 0.7;

/** @param isTitled the slide is about the use of funds; elsewhere shares have to make a whole, or a label to stand over them */
function usesOn(slide: ReadSlide, isTitled: boolean): Fact[] {
  const blocks = blocksOf(slide);
  const tables = longest(blocks.map((block) => tableUses(block)));
  if (tables.length >= LEAST_USES) return tables.flatMap((use) => factOf(slide, use));
  const shares = blocks.flatMap((block) => sharesOf(block));
  const isWhole = sumOf(shares) >= LEAST_SUM && sumOf(shares) <= MOST_SUM;
  const part = isWhole ? shares : wholeOf(blocks.map((block) => sharesOf(block)));
  const best = part.length >= LEAST_USES ? part : isTitled ? shares : [];
  if (best.length >= LEAST_USES) return best.flatMap((use) => factOf(slide, use));
  const inOrder = inOrderOn(blocks);
  if (inOrder.length >= LEAST_USES) return inOrder.flatMap((use) => factOf(slide, use, true));
  const turns = alternating(blocks);
  if (turns.length >= LEAST_USES) return turns.flatMap((use) => factOf(slide, use, true));
  const priced = blocks.map((block, at) => (isTitled || isLabelled(blocks, at) ? amountsOf(block) : []));
  const labelled = priced.some((uses) => uses.length >= LEAST_USES) ? longest(priced) : priced.flat();
  if (labelled.length >= LEAST_USES) return labelled.flatMap((use) => factOf(slide, use));
  const lists = blocks.map((block, at) => (isLabelled(blocks, at) || isTitled ? block : []));
  const cards = cardsOf(lists, isTitled);
  if (cards.length >= LEAST_USES) return cards.flatMap((use) => factOf(slide, use));
  const purposes = cardsOf(blocks, false);
  if (purposes.length >= LEAST_USES) return purposes.flatMap((use) => factOf(slide, use));
  const listed = lists.flatMap((block) => itemsOf(block));
  return listed.length >= LEAST_USES ? listed.flatMap((use) => factOf(slide, use)) : legendOf(slide, blocks);
}

/** Rows of a table whose first column is headed "Item", "What for": each with the figure of its last column. */
function tableUses([header, ...rows]: readonly TextUnit[]): Use[] {
  const corner = header?.cells[0] ?? '';
  if (header?.headsColumns !== true || countWords(corner) > MOST_LABEL_WORDS || !has(corner, USES_COLUMN)) return [];
  return rows.flatMap(({ cells, quote }) => {
    const value = cells.findLast((cell) => /\d/u.test(cell))?.trim() ?? '';
    const name = nameOf(cells[0] ?? '');
    return name === null || value === '' || value === (cells[0] ?? '').trim() ? [] : [{ name, value, quote }];
  });
}
const USES_COLUMN = phrases('heads uses');

const sumOf = (uses: readonly Use[]): number =>
  uses.reduce((total, { value }) => total + Number.parseFloat(value.replace(',', '.')), 0);

/** Shares of neighbouring blocks that make a whole, beside other shares of the slide. */
function wholeOf(lists: readonly Use[][]): Use[] {
  const runs = lists.flatMap((_, from) =>
    lists.slice(from).map((__, count) => lists.slice(from, from + count + 1).flat()),
  );
  return longest(runs.filter((uses) => uses.length >= LEAST_USES + 1 && sumOf(uses) >= 95 && sumOf(uses) <= MOST_SUM));
}

/** Shares in one line or one column, beside as many names in the same order. */
function inOrderOn(blocks: readonly (readonly TextUnit[])[]): Use[] {
  const every = new RegExp(SHARE, 'giu');
  const isBare = ({ text }: TextUnit): boolean => SHARE.test(text) && labelFrom(text.replaceAll(every, '')) === '';
  for (const [at, block] of blocks.entries()) {
    const bare = block.slice(0, leading(block, isBare));
    const quote = joined(bare);
    const shares = [...quote.matchAll(every)].map(([value]) => ({ name: '', value, quote }));
    if (shares.length <= LEAST_USES || sumOf(shares) < LEAST_WHOLE || sumOf(shares) > MOST_SUM) continue;
    const below = block.slice(bare.length);
    const lists = below.length > 0 ? [below.slice(-shares.length)] : [blocks[at + 1] ?? [], blocks[at - 1] ?? []];
    for (const names of lists) {
      const uses = names.flatMap(({ cells, text }, place): Use[] => {
        const name = nameOf(cells[0] ?? text);
        return name === null || SHARE.test(text) ? [] : [{ name, value: shares[place]?.value ?? '', quote }];
      });
      if (uses.length === shares.length && names.length === shares.length) return uses;
    }
  }
  return [];
}

/**
 * Shares and names in turn, each a block of its own, as beside a bar: each share with the name behind it. Between them may stand other words.
 */
function alternating(blocks: readonly (readonly TextUnit[])[]): Use[] {
  const behind = inTurns(blocks, 1);
  return behind.length > 0 ? behind : inTurns(blocks, -1);
}

/** @param step 1 where the name stands behind its share, -1 where it stands before */
function inTurns(blocks: readonly (readonly TextUnit[])[], step: 1 | -1): Use[] {
  const uses = blocks.flatMap((block, at): Use[] => {
    const [share, name] = [joined(block), joined(blocks[at + step] ?? [])];
    const isShare = SHARE.test(share) && labelFrom(share.replace(SHARE, '')) === '';
    return isShare && nameOf(name) !== null && !SHARE.test(name) && amountsIn(name).length === 0
      ? [{ name: nameOf(name) ?? '', value: share.trim(), quote: share.trim() }]
      : [];
  });
  return sumOf(uses) >= LEAST_WHOLE && sumOf(uses) <= MOST_SUM ? uses : [];
}
/** Shares that only their order puts to names have to make a whole. */
const LEAST_WHOLE = 99;

/** Other amounts of the slide stand in sentences of their own. */
const longest = (lists: readonly Use[][]): Use[] => lists.toSorted((a, b) => b.length - a.length)[0] ?? [];

/** True for a block below a heading or label that says what the money is used for. */
function isLabelled(blocks: readonly (readonly TextUnit[])[], at: number): boolean {
  const [first] = blocks[at] ?? [];
  if (first === undefined) return false;
  const before = blocks[at - 1];
  return headsUses(first.under) || (before !== undefined && headsUses(joined(before)));
}

/** @param isApart the name stands in another block than its share */
const factOf = (slide: ReadSlide, { name, value, quote }: Use, isApart = false): Fact[] => {
  const words = fitQuote(quote, MOST_QUOTE);
  if (words === null || !words.includes(value)) return [];
  return [{ slide: slide.number, quote: words, name, value, answering: value === '' || isApart ? 'some' : 'high' }];
};

/** Uses with amounts, in rows and entries. */
const amountsOf = (block: readonly TextUnit[]): Use[] =>
  block.flatMap((unit) => {
    if (unit.kind === 'title') return [];
    const [amount, ...others] = amountsIn(unit.text);
    if (amount === undefined || others.length > 0 || /\p{L}{3,}[.!?]$/u.test(unit.text)) return [];
    return useOf(unit.text, amount.words, unit.text);
  });

/** Uses without a figure: the items of a list, and short lines that are no sentences. */
const itemsOf = (block: readonly TextUnit[]): Use[] =>
  block.flatMap((unit) => {
    const isLine = unit.kind === 'item' || (unit.kind === 'sentence' && !/[.!?:]$|@|:\/\/|\d/u.test(unit.text));
    const name = isLine ? nameOf(unit.text.replace(/(?<=^[^:–]{3,40})(?::|\s–)\s.*$/u, '')) : null;
    const isOther =
      amountsIn(unit.text).length > 0 || (isTooShort(unit.text) && unit.kind !== 'item' && block.length < 2);
    return name === null || isOther ? [] : [{ name, value: '', quote: unit.text }];
  });

/**
 * Cards that name a use and explain it below.
 * @param isTitled any name will do; elsewhere it holds a word for a purpose of money
 */
function cardsOf(blocks: readonly (readonly TextUnit[])[], isTitled: boolean): Use[] {
  return blocks.flatMap((block): Use[] => {
    const [first] = block;
    const isCard = block.length > 1 && block.length < 5 && block.every(({ kind }) => kind === 'sentence');
    if (first === undefined || !isCard || first.words > MOST_CARD_WORDS || /\d|@/u.test(joined(block.slice(0, 1))))
      return [];
    const name = nameOf(first.text);
    const isUse = name !== null && (isTitled || (has(name, PURPOSE) && /[.:]$/u.test(first.text)));
    const quote = joined(block);
    return isUse ? [{ name, value: '', quote: quote.length <= MOST_QUOTE ? quote : joined(block.slice(0, 2)) }] : [];
  });
}
const MOST_CARD_WORDS = 5;
/** Words for a purpose of money. */
const PURPOSE = phrases('purpose');

/**
 * Names of a legend whose shares stand apart, around a pie: which share is whose only the picture says, so the names go without.
 */
function legendOf(slide: ReadSlide, blocks: readonly (readonly TextUnit[])[]): Fact[] {
  const alone = blocks.filter(
    (block) => block.length === 1 && SHARE.test(joined(block)) && labelFrom(joined(block).replace(SHARE, '')) === '',
  );
  const sum = alone.reduce((total, block) => total + Number.parseFloat(joined(block).replace(',', '.')), 0);
  if (alone.length < LEAST_USES || sum < LEAST_SUM || sum > MOST_SUM) return [];
  const legend = blocks.find(
    (block) =>
      block.length === alone.length &&
      block.every(({ text }) => nameOf(text) !== null && !SHARE.test(text) && !/[.!?]$|@/u.test(text)),
  );
  if (legend === undefined) return [];
  const whole = joined(legend);
  return legend.flatMap(({ text }) =>
    factOf(slide, { name: text, value: '', quote: whole.length <= MOST_QUOTE ? whole : text }),
  );
}

/** Number of units at the beginning of a block for which something holds. */
const leading = (block: readonly TextUnit[], holds: (unit: TextUnit) => boolean): number => {
  const end = block.findIndex((unit) => !holds(unit));
  return end < 0 ? block.length : end;
};
