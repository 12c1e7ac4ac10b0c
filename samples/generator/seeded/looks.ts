/**
 * Company names and looks for seeded decks. Names are taken by number, so that decks with different small seeds never share one.
 */
import type { Random } from '../random.ts';
import type { Theme } from '../spec.ts';
import type { Currency } from './money.ts';

const ENGLISH_STEMS =
  'Alder Brisk Cobalt Delphi Ember Fathom Garnet Halcyon Indigo Juniper Kestrel Lumen Marlow Nimbus Orchard Pallas Quill Rowan Sable Tern Umbra Verity Willow Beacon Yarrow Zephyr Bramble Cinder Dorado Falcon'.split(
    ' ',
  );
const ENGLISH_ENDS = [
  'ia',
  'on',
  'well',
  'path',
  'loop',
  'works',
  ' Labs',
  'base',
  'ora',
  'mint',
  'grid',
  'wise',
  'nova',
  'line',
  'field',
  ' One',
];
const GERMAN_STEMS =
  'Nord Wieden Hanse Falken Ulmen Klar Weit Brand Sonn Tal Eich Grün Licht Kern Vier Blau Stern Linden Heim Fels'.split(
    ' ',
  );
const GERMAN_ENDS = 'werk blick wert kraft punkt pfad haus bogen nah takt feld stein'.split(' ');

/** The company of a seed, by its short name. */
export function companyName(seed: number, language: 'en' | 'de'): string {
  const [stems, ends] = language === 'de' ? [GERMAN_STEMS, GERMAN_ENDS] : [ENGLISH_STEMS, ENGLISH_ENDS];
  const count = stems.length * ends.length;
  // A step without a common factor with the count visits every name before one comes again.
  const step = language === 'de' ? 149 : 299;
  const place = ((((seed + 17) * step) % count) + count) % count;
  return `${stems[place % stems.length] ?? ''}${ends[Math.floor(place / stems.length)] ?? ''}`;
}

/** The company's name with a legal form that fits its country. */
export function legalName(company: string, currency: Currency, language: 'en' | 'de', random: Random): string {
  if (currency === 'CHF') return `${company} AG`;
  if (language === 'de') return `${company} ${random.pick(['GmbH', 'GmbH', 'AG', 'UG'])}`;
  if (currency === 'USD') return `${company}${random.pick([', Inc.', ' Inc.', ' Corp.'])}`;
  return `${company} ${currency === 'GBP' ? 'Ltd' : random.pick(['B.V.', 'S.A.S.', 'Ltd', 'Oy'])}`;
}

/** Ink, muted, accent, second, panel and background of each palette. */
const PALETTES: readonly (readonly [string, string, string, string, string, string])[] = [
  ['#1c2733', '#6b7785', '#0b6e99', '#f28c28', '#eaf3f7', '#ffffff'],
  ['#2b2118', '#85796c', '#8c4a1f', '#3a7d5d', '#f6efe6', '#fffdfa'],
  ['#161b2e', '#72768a', '#3d2fbf', '#ef476f', '#efeefb', '#ffffff'],
  ['#10261f', '#64756e', '#0f7b5f', '#c9a227', '#e8f3ef', '#ffffff'],
  ['#2a1a22', '#86737c', '#9d1f4a', '#2f6690', '#f8ecf0', '#ffffff'],
  ['#1f1f1f', '#757575', '#222222', '#d62828', '#f0f0f0', '#ffffff'],
  ['#0d2538', '#5f7485', '#134074', '#13a89e', '#e7eef6', '#fbfdff'],
  ['#2c2a10', '#7d7a5c', '#5c6b1d', '#b5541c', '#f3f4e4', '#fffffb'],
  ['#22143a', '#7a6f8c', '#6a1fb0', '#ff9f1c', '#f3ecfa', '#ffffff'],
  ['#13293d', '#667b8c', '#006494', '#e26d5c', '#e8f1f7', '#f9fbfc'],
  ['#331a14', '#8a736c', '#bf3b21', '#40798c', '#faece8', '#ffffff'],
  ['#0f2a2e', '#637a7e', '#0a7e8c', '#8e3b8a', '#e5f3f5', '#ffffff'],
];

const FONTS: readonly Theme['font'][] = [
  'helvetica',
  'helvetica',
  'dejavu',
  'dejavu-condensed',
  'dejavu-serif',
  'times',
];
const HEADERS: readonly Theme['header'][] = ['plain', 'band', 'rail', 'underline', 'corner'];
const COVERS: readonly Theme['cover'][] = ['solid', 'split', 'band', 'circles', 'stripes'];

/** A random look. */
export function randomTheme(random: Random): Theme {
  const [ink, muted, accent, second, panel, background] = random.pick(PALETTES);
  return {
    ink,
    muted,
    accent,
    second,
    panel,
    background,
    font: random.pick(FONTS),
    header: random.pick(HEADERS),
    cover: random.pick(COVERS),
  };
}
