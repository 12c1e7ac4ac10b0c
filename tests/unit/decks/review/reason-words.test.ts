/** Reasons of verdicts in both languages. */
import { expect, it } from 'vitest';
import { judgeReadings } from '../../../../domain/evidence/reread-judgement.ts';
import { quoteLines } from '../../../../domain/evidence/quote-lines.ts';
import { findOnOtherSlide } from '../../../../domain/evidence/moved-quote.ts';
import { checkQuote } from '../../../../domain/evidence/quote-check.ts';
import { pageOfText } from '../../../../domain/pages/page-of-text.ts';
import type { Box } from '../../../../domain/pages/page.ts';
import { reasonText, rereadReasonText } from '../../../../domain/decks/review/reason-words.ts';

const QUOTE = 'We are raising EUR 2 million';

it('the reason of a moved quote is that of its verdict alone, in both languages', () => {
  const moved = findOnOtherSlide(4, new Map([[5, pageOfText(QUOTE)]]), (page) => checkQuote(QUOTE, page));
  const reason = moved?.check.reason ?? null;
  expect(reason).toContain('slide 4 was named');
  expect([reasonText(reason, 'en'), reasonText(reason, 'de')]).toEqual(['in one block of text', 'in einem Textblock']);
});

it('the reasons of a withdrawn quote have words in German', () => {
  const withdrawn = (text: string): string | null =>
    rereadReasonText(
      judgeReadings(
        QUOTE,
        [1, 2].map(() => ({ text, confidence: 95 })),
      ).reason,
      'de',
    );
  expect(withdrawn('Emily moved north to Texas')).toContain('etwas anderes: „Emily moved north to Texas“');
  expect(withdrawn('We are raising EUR 9 million')).toContain('andere Ziffern: „We are raising EUR 9 million“');
});

it('the reasons why a quote was not read again have words in German', () => {
  const layout = { widthPt: 720, words: [] };
  const low: Box = [0, 0, 90, 4];
  const unplaced = [
    quoteLines({ quote: 'שלום', boxes: null }, layout, 1600),
    quoteLines({ quote: QUOTE, boxes: null }, null, null),
    quoteLines({ quote: QUOTE, boxes: null }, layout, 1600),
    quoteLines({ quote: QUOTE, boxes: [low] }, layout, 1600),
  ].map((lines) => ('reason' in lines ? lines.reason : null));
  const unread = judgeReadings(QUOTE, []).reason;
  const german = [...unplaced, unread].map((reason) => rereadReasonText(reason, 'de'));
  expect(german).not.toContain(null);
  expect(new Set(german).size).toBe(german.length);
});

it('a reason without words in German is left out there', () => {
  expect([reasonText('something new', 'de'), reasonText('something new', 'en')]).toEqual([null, 'something new']);
});
