/** Financing rounds by their words. */
import { expect, it } from 'vitest';
import { roundOf } from '../../../domain/profile/round.ts';

it.each([
  ['Pre-Seed', 'pre_seed'],
  ['preseed', 'pre_seed'],
  ['Pre Seed Runde', 'pre_seed'],
  ['Seed', 'seed'],
  ['raising a seed round', 'seed'],
  ['Seedrunde', 'seed'],
  ['Series A', 'series_a'],
  ['Serie-B-Finanzierung', 'series_b'],
  ['our Series C', 'series_c'],
  ['Series D', 'later'],
])('the words %j name the round %s', (text, round) => {
  expect(roundOf(text)).toBe(round);
});

it.each(['', 'Prototype', 'seedling farm', 'Seed done, Series A open', 'series of pilots', 'linseed'])(
  'the words %j name no round, or several',
  (text) => {
    expect(roundOf(text)).toBeNull();
  },
);
