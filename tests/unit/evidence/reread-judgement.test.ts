/** Outcomes of the second reading of a quote: agreed, withdrawn, or not read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareReading,
  confirms,
  judgeReadings,
  MIN_AGREEMENT,
  type QuoteReading,
} from '../../../domain/evidence/reread-judgement.ts';

const read = (text: string, confidence = 92): QuoteReading => ({ text, confidence });
const stateOf = (quote: string, ...readings: readonly QuoteReading[]) => judgeReadings(quote, readings).state;

const word = fc.stringMatching(/^[a-zA-Zäöü]{3,9}$/u);
const sentence = fc.array(word, { minLength: 3, maxLength: 9 }).map((words) => words.join(' '));
const reading = fc.record({ text: fc.oneof(sentence, fc.string({ maxLength: 60 })), confidence: fc.nat({ max: 100 }) });

const QUOTE = 'Riders unlock 42 bikes';
const OTHER_DIGITS = 'Riders unlock 49 bikes';
const OTHER_SENTENCE = 'Our pumps never stop now';

/** Readings of a quote: right, with other digits, of another sentence, empty. */
const drawn = fc.record({
  text: fc.constantFrom(QUOTE, OTHER_DIGITS, OTHER_SENTENCE, ''),
  confidence: fc.constantFrom(60, 75, 95),
});

describe('comparison of a reading with a quote', () => {
  it('a reading agrees with itself, whatever its case, accents, marks and spaces', () => {
    fc.assert(
      fc.property(sentence, (quote) => {
        const other = ` ${quote.toUpperCase().replaceAll(' ', ' – ').normalize('NFD')}.`;
        expect(compareReading(quote, other)).toEqual({ agreement: 1, digits: 'same' });
      }),
    );
  });

  it('a reading agrees by a share between nothing and all', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (quote, text) => {
        const { agreement } = compareReading(quote, text);
        expect(agreement).toBeGreaterThanOrEqual(0);
        expect(agreement).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('a reading is not told from the quote by a currency sign that recognition does not know', () => {
    fc.assert(
      fc.property(fc.constantFrom('7', '2', 'R', 'Rs', '%', ''), (sign) => {
        const { agreement, digits } = compareReading(
          'Raising ₹2.5 Cr for two years',
          `Raising ${sign}2.5 Cr for two years`,
        );
        expect([agreement, digits]).toEqual([1, 'same']);
      }),
    );
  });

  it('a reading is not told from the quote by a raised digit, whatever recognition takes it for', () => {
    for (const sign of ['3', "'", '°', 'a', ''])
      expect(compareReading('Revenue of $42³ per seat', `Revenue of $42${sign} per seat`)).toEqual({
        agreement: 1,
        digits: 'same',
      });
  });

  it('a reading has other digits where one differs or is added, and unclear ones where one is missing', () => {
    const digitsOf = (text: string) => compareReading('We ask for 4.2 million euros', text).digits;
    expect(digitsOf('We ask for 4.3 million euros')).toBe('other');
    expect(digitsOf('We ask for 42.2 million euros')).toBe('other');
    expect(digitsOf('We ask for 4. million euros')).toBe('unclear');
    expect(digitsOf('We ask for 4.z million euros')).toBe('same');
  });

  it('a reading has unclear digits where a number lacks its mark or sign, or has another one', () => {
    const digitsOf = (quote: string, text: string) => compareReading(quote, text).digits;
    expect(digitsOf('We raise €2.5M', 'We raise €25M')).toBe('unclear');
    expect(digitsOf('We raise €25M', 'We raise €2.5M')).toBe('unclear');
    expect(digitsOf('A share of 1.25 euros', 'A share of 12,5 euros')).toBe('unclear');
    expect(digitsOf('A margin of -12 % in 2024', 'A margin of 12 % in 2024')).toBe('unclear');
    expect(digitsOf('A margin of 12 % in 2024', 'A margin of −12 % in 2024')).toBe('unclear');
    expect(digitsOf('We raise €10M in this round', 'We raise $10M in this round')).toBe('unclear');
    expect(digitsOf('We raise €10M in this round', 'We raise €10B in this round')).toBe('unclear');
    expect(digitsOf('We raise €1,250 in 2024.', 'We raise E1.250 in 2024')).toBe('same');
    expect(digitsOf('Between 10-12 bikes', 'Between 10 – 12 bikes')).toBe('same');
  });

  it('a reading that lost marks and signs of numbers has the letters of the quote all the same', () => {
    fc.assert(
      fc.property(sentence, fc.nat(99), fc.nat(99), fc.constantFrom('.', ','), (words, whole, part, mark) => {
        const quote = `${words} -${whole}${mark}${part} ${words}`;
        expect(compareReading(quote, quote)).toEqual({ agreement: 1, digits: 'same' });
        const lost = `${words} ${whole}${part} ${words}`;
        expect(compareReading(quote, lost)).toEqual({ agreement: 1, digits: 'unclear' });
        expect(compareReading(lost, quote)).toEqual({ agreement: 1, digits: 'unclear' });
      }),
    );
  });
});

describe('judgement on a quote', () => {
  it('a quote is agreed as soon as one reading confirms it, whatever the others say', () => {
    fc.assert(
      fc.property(sentence, fc.array(reading, { maxLength: 3 }), fc.nat({ max: 100 }), (quote, others, confidence) => {
        const own = read(quote, confidence);
        expect(confirms(quote, own)).toBe(true);
        expect(stateOf(quote, ...others, own)).toBe('agreed');
      }),
    );
  });

  it('a quote is withdrawn only where two readings of high confidence say the same other thing', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 4 }), (readings) => {
        const has = (text: string): boolean => readings.some((one) => one.text === text);
        const hasTwice = (text: string): boolean =>
          readings.filter((one) => one.text === text && one.confidence >= 75).length > 1;
        // A reading with the letters of the quote, however uncertain, leaves only its digits in question.
        const isOther = hasTwice(OTHER_SENTENCE) && !has(OTHER_DIGITS);
        const isWithdrawn = (hasTwice(OTHER_DIGITS) || isOther) && !has(QUOTE);
        expect(judgeReadings(QUOTE, readings).state === 'withdrawn').toBe(isWithdrawn);
      }),
    );
  });

  it('a quote is withdrawn where the picture has another sentence, and says which', () => {
    fc.assert(
      fc.property(sentence, sentence, (quote, other) => {
        fc.pre(compareReading(quote, other).agreement < MIN_AGREEMENT && other.length > quote.length / 2);
        fc.pre(compareReading(other, other).agreement === 1 && other.length >= quote.length);
        const judgement = judgeReadings(quote, [read(other), read(other)]);
        expect(judgement.state).toBe('withdrawn');
        expect(judgement.reason).toContain(other.slice(0, 70));
        expect(stateOf(quote, read(other))).toBe('not_read');
        expect(stateOf(quote, read(other, 40), read(other, 40))).toBe('not_read');
      }),
    );
  });

  it('a quote is withdrawn where every reading has the same other amount, and not where they differ', () => {
    const quote = 'We are raising EUR 4.2 million in this round';
    const said = (amount: string) => read(quote.replace('4.2', amount));
    expect(stateOf(quote, said('9.2'), said('9.2'), said('9.2'))).toBe('withdrawn');
    expect(stateOf(quote, said('9.2'), said('3.2'))).toBe('not_read');
    expect(stateOf(quote, said('9.2'), said('9.2'), said('4.2'))).toBe('agreed');
  });

  it('a quote is not read again, and keeps its verdict, where a mark or sign of its number is not in the picture', () => {
    for (const [quote, shown] of [
      ['€2.5M', '€25M'],
      ['€25M', '€2.5M'],
      ['A loss of -12 % in the year', 'A loss of 12 % in the year'],
      ['We are raising €10M in this round', 'We are raising $10B in this round'],
    ] as const)
      expect(stateOf(quote, read(shown), read(shown), read(shown))).toBe('not_read');
  });

  it('a quote is not read again where nothing could be recognised', () => {
    expect(stateOf('Six people work in Kassel', read('', 0), read('', 0))).toBe('not_read');
  });
});
