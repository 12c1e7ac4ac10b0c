/** Which template an analysis takes, and why. */
import { describe, expect, it } from 'vitest';
import { chooseTemplate, FALLBACK_TEMPLATE } from '../../../domain/decks/template-choice.ts';

describe('template choice', () => {
  const seven = { slug: FALLBACK_TEMPLATE, versionId: 'v7', version: 2, questionCount: 34 };
  const dtx = { slug: 'dtx', versionId: 'd1', version: 1, questionCount: 20 };
  const empty = { slug: 'empty', versionId: 'e1', version: 1, questionCount: 0 };
  const sector = (templateSlug: string | null) => ({
    slug: 's',
    name: 'Sector',
    templateSlug,
    templateReason: 'made for it',
  });

  it('what was asked for wins', () =>
    expect(
      chooseTemplate({ requested: 'dtx', sector: sector(FALLBACK_TEMPLATE), templates: [seven, dtx] })?.template,
    ).toBe(dtx));
  it('what was asked for and does not exist is not replaced', () =>
    expect(chooseTemplate({ requested: 'nope', sector: null, templates: [seven] })).toBeNull());
  it("the sector's own comes next, with its reason", () =>
    expect(chooseTemplate({ requested: null, sector: sector('dtx'), templates: [seven, dtx] })).toEqual({
      template: dtx,
      reason: 'sector Sector: made for it',
    }));
  it.each([
    ['an empty template', sector('empty')],
    ['no template', sector(null)],
    ['no sector', null],
  ])('falls back and says so: %s', (_, given) => {
    const choice = chooseTemplate({ requested: null, sector: given, templates: [seven, empty] });
    expect(choice?.template).toBe(seven);
    expect(choice?.reason).toMatch(/^fallback: /u);
  });
});
