/** The date of the deck itself, not of what it tells. */
import { describe, expect, it } from 'vitest';
import { deckBlock } from '../../../domain/models/prompt-assembly.ts';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { findRunning } from '../../../domain/pages/running.ts';
import { pageOf } from '../pages/support.ts';
import { ask, deckOf, deckOfMarks } from './ask.ts';

const TITLE = 'NeuroLoop\nA wristband that predicts epileptic seizures\nInvestor deck';
const CONTACT = 'Contact\nNeuroLoop Inc.\nhello@neuroloop.example';

const date = (...slides: string[]): string => ask('extract_deck_date', deckOf(...slides)).value;
const marked = (cover: string, running: string[] = [], inner = '# Market\n\nBuilders want straw.'): string =>
  ask('extract_deck_date', deckOfMarks([cover, inner, '# Thank you'], running)).value;

describe('the date of the deck', () => {
  it.each([
    [[`${TITLE}\nMunich, March 2026`, CONTACT], 'March 2026'],
    [[`${TITLE}\nStand: 15. Februar 2026`, CONTACT], '15. Februar 2026'],
    [[`${TITLE}\nQ1 2026`, CONTACT], 'Q1 2026'],
    [[`${TITLE}\n03/2026`, CONTACT], '03/2026'],
    [[TITLE, 'Team\nA', `${CONTACT}\nVersion of June 2025`], 'June 2025'],
  ])('is found in %j', (slides, value) => {
    expect(date(...slides)).toBe(value);
  });

  it.each(['Series A investor presentation', 'Seed round'])('is found under "%s" on the cover', (above) =>
    expect(marked(`# Strohwerk\n\n${above}\nMunich, March 2026`)).toBe('March 2026'),
  );

  it('is found in a sentence of the cover that says when the deck was shown', () =>
    expect(
      marked('# Strohwerk\n\nPresented to the partners of the region on 7 October 2024 in the old town hall of Bremen'),
    ).toBe('7 October 2024'));

  it('is found beside the owner in another line that several slides carry', () =>
    expect(marked('# Strohwerk', ['Strohwerk AB', 'Q3 2025'])).toBe('Q3 2025'));

  it('is found in a line that several slides carry', () => {
    const slides = [1, 2, 3].map((number) => ({ number, markup: `# Title ${number}`, description: null }));
    const deck = deckBlock(slides, [{ text: 'NeuroLoop | 2025-10-03', pages: [2, 3] }]);
    expect(ask('extract_deck_date', deck).value).toBe('2025-10-03');
  });

  it.each([
    [['Acme Robotics\nFounded 2019 in Berlin', 'Milestones\nJan 2020 First robot\nSeptember 2026 Series A']],
    [[TITLE, 'Traction (as of 30 June 2025)\n12 customers', CONTACT]],
    [[TITLE, 'Market\nSource: Example Institute, March 2025', CONTACT]],
    [['NeuroLoop\nSeries A closing June 2026', 'Team\nCEO since May 2021']],
    [[TITLE, 'Fahrplan\nGründung im Mai 2021\nZulassung im März 2027', CONTACT]],
    [[`${TITLE}\n© 2024 NeuroLoop Inc.`, CONTACT]],
  ])('is not invented from %j', (slides) => {
    expect(ask('extract_deck_date', deckOf(...slides))).toEqual({ evidence: [], stated: false, value: '' });
  });
});

describe('the date of a deck in a layout', () => {
  it.each([
    ['a season on the cover', '# Halmwerk\n\nAutumn 2025\n\nConfidential', 'Autumn 2025'],
    ['a German season', '# Halmwerk\n\nFrühjahr 2026', 'Frühjahr 2026'],
    ['letters set apart', '# Halmwerk\n\nM A Y 2 0 2 4', 'M A Y 2 0 2 4'],
    ['a line with the names of the speakers', '# Halmwerk\n\nby Anna Berg, 4 May 2025', '4 May 2025'],
    ['a line with the round', '# Halmwerk\n\nSeed round, June 2025', 'June 2025'],
    ['a year that stands alone', '# Halmwerk\n\nInvestor presentation\n\n2024', '2024'],
    [
      'a line with the event and its place',
      '# Halmwerk\n\nWesterly Launchpad – Demo Day Kampala, 14 November 2024',
      '14 November 2024',
    ],
    ['a month in Spanish', '# Halmwerk\n\n3 DE MARZO DE 2026', '3 DE MARZO DE 2026'],
  ])('is found in %s', (_, cover, value) => expect(marked(cover)).toBe(value));

  it('is the month of a footer, not the year of its copyright', () =>
    expect(marked('# Halmwerk', ['Halmwerk © 2023 Confidential - 11/2024'])).toBe('11/2024'));

  it.each([
    ['a month after the owner of the rights', '© Halmwerk GmbH · May 2026 · Do not distribute', 'May 2026'],
    ['the same without marks between them', '© Halmwerk May 2026 All rights reserved', 'May 2026'],
    ['a version after the owner of the rights', '© Halmwerk | Stand: Juli 2024 | Vertraulich', 'Juli 2024'],
    ['a footer that names the round', 'Halmwerk | 11/2025 | Seed-Runde 2.500.000 Euro', '11/2025'],
    ['a footer with an event in another part', 'Halmwerk · Finalist of Green Build · Q1 2026', 'Q1 2026'],
  ])('is found in %s', (_, line, value) => expect(marked('# Halmwerk', [line])).toBe(value));

  it.each([
    ['the day on which the round closes', '# Halmwerk', ['Halmwerk · Closing June 2026']],
    ['the owner before the year', '# Halmwerk', ['© Halmwerk GmbH 2024 · Confidential']],
    ['the copyright of a footer', '# Halmwerk', ['© 2021–2024 Halmwerk GmbH']],
    ['a founding year under its label', '# Halmwerk\n\nFounded\n2019', []],
    ['the event of a cover', '# GREEN BUILDING AWARD 2025', []],
  ])('is not taken from %s', (_, cover, running) => expect(marked(cover, running)).toBe(''));

  it('is not the day on which a quoted person spoke', () =>
    expect(
      marked(
        '# Halmwerk',
        [],
        '# The industry takes notice\n\nBuilders search for straw.\n\nPia Holm, Holm Bau\n\nMarch 2023',
      ),
    ).toBe(''));
});

describe('a date on the last slide', () => {
  const last = (slide: string): string =>
    ask('extract_deck_date', deckOfMarks(['# Strohwerk', '# Market', slide])).value;

  it('is the date of the deck where it stands there alone, as in a letter', () =>
    expect(last('# Thank you\n\nhello@strohwerk.example\n\nLinz, March 2026')).toBe('March 2026'));

  it.each([
    '# Roadmap\n\nQ3 2026\n\nLoaner module\n\nQ1 2027\n\nEpic integration live',
    '# What comes next\n\nAutumn 2026\n\nFebruary 2027\n\nMid 2027\n\nCertificate\n\nTrial results',
    '# Steckbrief\n\nName\n\nStrohwerk UG\n\nGegründet\n\nMitarbeitende\n\nMärz 2024\n\n6',
  ])('is none of a road map, and of a form that asks for another: %j', (slide) => expect(last(slide)).toBe(''));
});

it('a date on a line of its own is quoted without its neighbours', () => {
  const deck = deckOfMarks(
    ['# FlexIt\n\nhello@flexit.example\nSpring 2018\nConfidential & Proprietary', '# Market\n\nGyms'],
    [],
  );
  expect(ask('extract_deck_date', deck).evidence.map(({ quote }) => quote)).toEqual(['Spring 2018']);
});

describe('a date beside other words', () => {
  it('a date in figures alone is found at the foot of every page', () => {
    const pages = [1, 2, 3, 4].map((number) => ({
      number,
      layout: pageOf(
        { text: `Contracts of plant ${number} lie unread`, x: 60, y: 60, size: 28 },
        { text: '14.03.2026', x: 548, y: 520, size: 9 },
        { text: String(number), x: 900, y: 520, size: 9 },
      ),
    }));
    expect(findRunning(pages).lines.map(({ text }) => text)).toEqual(['14.03.2026']);
    expect(checkQuote('14.03.2026', pages[0]?.layout ?? null).verdict).toBe('verified');
  });

  it.each([
    ['Stand: Mai 2026. Diese Unterlage ist kein Angebot.', 'Mai 2026'],
    ['Deck of 9 June 2026', '9 June 2026'],
    ['Founded in June 2019', ''],
  ])('a date of the deck is found on the last slide: %s', (words, value) =>
    expect(ask('extract_deck_date', deckOfMarks(['# Lotvera\n\nRooms', `# Thank you\n\n${words}`])).value).toBe(value),
  );
});
