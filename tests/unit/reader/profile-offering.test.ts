/** The sentence on the offering that the reader finds for a profile. */
import { expect, it } from 'vitest';
import { ask, deckOfMarks } from './ask.ts';

const offered = (slides: readonly string[], language: 'en' | 'de' = 'en'): string | undefined =>
  ask('extract_profile', deckOfMarks(slides), language).offering[0]?.value;

it('a definition ends before the word that announces its list', () =>
  expect(
    offered([
      '# Velhain\n\n© Velhain GmbH',
      '# Solution\n\nA booking platform that connects village stations providing:\n\n- Bikes',
    ]),
  ).toBe('A booking platform that connects village stations'));

it('a tagline goes on in its next line', () =>
  expect(
    offered(['# Velhain\n\nEin Rad, das auch zwischen zwei\nStationen abgestellt werden kann\n\n© Velhain GmbH'], 'de'),
  ).toBe('Ein Rad, das auch zwischen zwei Stationen abgestellt werden kann'));
