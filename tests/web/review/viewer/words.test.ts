/** Reasons of verdicts in both languages. */
import { expect, it } from 'vitest';
import { judgeReadings } from '../../../../domain/evidence/reread-judgement.ts';
import { findOnOtherSlide } from '../../../../domain/evidence/moved-quote.ts';
import { checkQuote } from '../../../../domain/evidence/quote-check.ts';
import { pageOfText } from '../../../../domain/pages/page-of-text.ts';
import { reasonText } from '../../../../web/review/viewer/words.ts';

const QUOTE = 'We are raising EUR 2 million';

it('the reasons of a moved and of a withdrawn quote have words in German', () => {
  const moved = findOnOtherSlide(4, new Map([[5, pageOfText(QUOTE)]]), (page) => checkQuote(QUOTE, page));
  expect(reasonText(moved?.check.reason ?? null, 'de')).toBe(
    'in einem Textblock, nur auf Folie 5; genannt war Folie 4',
  );
  const withdrawn = (text: string): string | null =>
    reasonText(
      judgeReadings(
        QUOTE,
        [1, 2].map(() => ({ text, confidence: 95 })),
      ).reason,
      'de',
    );
  expect(withdrawn('Emily moved north to Texas')).toContain('etwas anderes: „Emily moved north to Texas“');
  expect(withdrawn('We are raising EUR 9 million')).toContain('andere Ziffern: „We are raising EUR 9 million“');
});

it('a reason without words in German is left out there', () => {
  expect([reasonText('something new', 'de'), reasonText('something new', 'en')]).toEqual([null, 'something new']);
});
