/** Pages in Chinese and Japanese: written without spaces, and with fewer signs than other scripts have letters. */
import { describe, expect, it } from 'vitest';
import { isForeign } from '../../../domain/decks/unread.ts';
import { deckLanguage } from '../../../domain/pages/language.ts';
import { needsOcr } from '../../../domain/pages/needs-ocr.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { MIN_READABLE_SHARE, readableShare } from '../../../domain/pages/readable.ts';
import { pageOf } from './support.ts';

describe.each([
  [
    'zh',
    ['我们的解决方案', '每天为护士节省两个小时', '三十一家医院付费使用', '本轮融资：五百万欧元'],
    ['市场规模', '我们的解决方案每天为护士节省两个小时，三十一家医院付费使用。'],
  ],
  [
    'ja',
    [
      '私たちのソリューション',
      '看護師の時間を毎日二時間節約します',
      '三十一の病院が利用しています',
      '資金調達：五億円',
    ],
    ['市場', 'ソリューションは看護師の時間を毎日二時間節約します。病院が利用しています。'],
  ],
])('a deck in %s', (language, points, slide) => {
  const pages = [pageOf(...points.map((text, i) => ({ text, x: 60, y: 120 + 60 * i, size: 20 })))];
  pages.push(pageOf(...slide.map((text, i) => ({ text, x: 60, y: 60 + 100 * i, size: i === 0 ? 36 : 16 }))));
  const texts = pages.map(plainText);

  it('can be read', () => {
    for (const text of texts) expect(readableShare(text)).toBeGreaterThanOrEqual(MIN_READABLE_SHARE);
  });

  it('is not recognised in its picture', () => {
    for (const text of texts) {
      const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
      const evidence = { letters, readableShare: readableShare(text), doubtfulWords: 0, pictureShare: 0.3, paths: 12 };
      expect(needsOcr({ ...evidence, isFirstPage: false, blank: false })).toBe('none');
    }
  });

  it('is told to be in that language, which a reader of English and German does not read', () => {
    const found = deckLanguage(texts);
    expect(found?.language).toBe(language);
    expect(isForeign(found, ['en', 'de'])).toBe(true);
    expect(isForeign(found, [])).toBe(false);
  });

  it('keeps every sign of its text', () => {
    const signs = (text: string): string => Array.from(text.replaceAll(/\s/gu, '')).toSorted().join('');
    expect(signs(texts.join(''))).toBe(signs([...points, ...slide].join('')));
  });
});
