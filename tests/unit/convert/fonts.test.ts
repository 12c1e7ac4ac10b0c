/** What the name of a font says of its characters. */
import { expect, it } from 'vitest';
import { isOfEuros } from '../../../activities/convert/render/pdfium-text.ts';

it.each(['TeX-feymr10', 'KCXMNX+TeX-feybr10', 'ABCDEF+feymo10', 'feyml10'])('%s draws the letter e as a euro', (name) =>
  expect(isOfEuros(name)).toBe(true),
);

it.each(['LMSans10-Regular', 'Feyenoord-Bold', 'ABCDEF+Coffeymr', 'Helvetica'])('%s draws letters', (name) =>
  expect(isOfEuros(name)).toBe(false),
);
