/** Words of form fields and notes, which no text layer has. */
import { describe, expect, it } from 'vitest';
import { RENDERER_NAMES } from '../../../activities/convert/render/renderer.ts';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { pageWithAnnotations } from '../../fixtures/hostile/decks.ts';

const WORDS = 'We are raising EUR 1.5M.';
const field = `/Subtype/Widget/FT/Tx/T(ask)/V(${WORDS})`;

describe.each(RENDERER_NAMES)('with %s', (renderer) => {
  it.each([
    ['a filled form field', `${field}/F 4`],
    ['a note on the page', `/Subtype/FreeText/Contents(${WORDS})/F 4`],
  ])('the words of %s are words of the page', async (_, entries) => {
    const [layout] = await layoutsOf(pageWithAnnotations([{ entries, words: WORDS, isDrawn: true }]), renderer);
    if (layout === undefined) return expect.fail('there is no page');
    expect(plainText(layout)).toBe(`Our round\n\n${WORDS}`);
    expect(checkQuote(WORDS, layout)).toMatchObject({ verdict: 'verified', recognised: false });
  });

  it.each([
    ['hidden', `${field}/F 2`],
    ['not to be viewed', `${field}/F 32`],
  ])('the words of a field that is %s are not', async (_, entries) => {
    const [layout] = await layoutsOf(pageWithAnnotations([{ entries, words: WORDS, isDrawn: true }]), renderer);
    expect(layout === undefined ? '' : plainText(layout)).toBe('Our round');
  });
});

it('the words of a filled field without a drawn form are words of the page', async () => {
  const [layout] = await layoutsOf(pageWithAnnotations([{ entries: `${field}/F 4`, words: '', isDrawn: false }]));
  expect(layout === undefined ? '' : plainText(layout)).toBe(`Our round\n\n${WORDS}`);
});

it('a password is no word of the page', async () => {
  const entries = `${field}/Ff ${1 << 13}/F 4`;
  const [layout] = await layoutsOf(pageWithAnnotations([{ entries, words: '', isDrawn: false }]));
  expect(layout === undefined ? '' : plainText(layout)).not.toContain('raising');
});
