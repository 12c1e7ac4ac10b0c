import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MIN_READABLE_SHARE, readableShare } from '../../../domain/pages/readable.ts';
import { forAll } from '../../../testing/property.ts';

const SENTENCES = {
  English: 'Our solution saves nurses two hours a day. We are raising a seed round to expand sales in Europe.',
  German: 'Unsere Lösung spart Pflegekräften zwei Stunden am Tag. Wir suchen Kapital für den Ausbau des Vertriebs.',
  Polish: 'Nasze rozwiązanie oszczędza pielęgniarkom dwie godziny dziennie. Szukamy kapitału na rozwój sprzedaży.',
  Turkish: 'Çözümümüz hemşirelere günde iki saat kazandırıyor. Satışları büyütmek için sermaye arıyoruz.',
  Russian: 'Наше решение экономит медсёстрам два часа в день. Мы ищем капитал для расширения продаж.',
  Chinese: '我们的解决方案每天为护士节省两个小时。我们正在寻找资金以扩大销售。',
  Arabic: 'حلنا يوفر للممرضات ساعتين في اليوم. نبحث عن رأس المال لتوسيع المبيعات.',
};

const shifted = (text: string, by: number): string =>
  Array.from(text, (letter) =>
    letter === ' ' ? letter : String.fromCodePoint((letter.codePointAt(0) ?? 0) + by),
  ).join('');

describe('share of a text that is language', () => {
  it.each(Object.entries(SENTENCES))('%s is language', (_, sentence) =>
    expect(readableShare(sentence)).toBeGreaterThan(0.95),
  );

  it.each([
    'Q3 2024',
    '€4.2M ARR',
    '$500K–$1M',
    'https://www.example.org/path?x=1',
    'hello@example.org',
    'iOS, macOS and SaaS',
    'TAM/SAM/SOM',
    'CO₂e',
    'C++, C# and .NET',
    '\uF0B7',
    '',
  ])('a short text is no false alarm: %j', (text) => expect(readableShare(text)).toBe(1));

  it.each(Object.entries(SENTENCES).slice(0, 3))('%s in a font with a shifted character map is none', (_, sentence) => {
    for (const by of [-29, -9, -3, 1, 3, 31, 0xe000]) expect(readableShare(shifted(sentence, by))).toBeLessThan(0.6);
  });

  it('letters that stand for other letters are none, though they look like words', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    const exchanged = Array.from(SENTENCES.English.toLowerCase(), (letter) => {
      const at = alphabet.indexOf(letter);
      return at < 0 ? letter : alphabet[(at + 3) % 26];
    }).join('');
    expect(readableShare(exchanged)).toBeLessThan(0.3);
  });

  it('one line that can be read does not make the rest readable', () => {
    const page = `www.example.org Market Size ${shifted(SENTENCES.English, -9)}`;
    expect(readableShare(page)).toBeLessThan(MIN_READABLE_SHARE);
  });

  it('is told of a hostile word without a search that never ends', () =>
    expect(readableShare(`${'A'.repeat(200)}aBaBaǀ`)).toBe(0));

  it('is a share whatever the text', () =>
    forAll([fc.string({ unit: 'binary', maxLength: 80 })], { runs: 300 }, (text) => {
      const share = readableShare(text);
      return share >= 0 && share <= 1;
    }));
});
