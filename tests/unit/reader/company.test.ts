/** The company: found by what several places say, and no name rather than an ordinary word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownAddresses, withoutAddresses } from '../../../domain/companies/addresses.ts';
import { deckBlock } from '../../../domain/models/prompt-assembly.ts';
import { cleanName, isNameLike, keyOf } from '../../../reader/names.ts';
import { forAll } from '../../../testing/property.ts';
import { ask, deckOf, deckOfMarks } from './ask.ts';

const TITLE = 'NeuroLoop\nA wristband that predicts epileptic seizures\nInvestor deck';
const CONTACT = 'Contact\nNeuroLoop Inc.\nhello@neuroloop.example';

const company = (...slides: string[]): string => ask('extract_company_name', deckOf(...slides)).value;
const marked = (slides: string[], running: string[] = []): string =>
  ask('extract_company_name', deckOfMarks(slides, running)).value;
const PROBLEM = '# Problem\n\nBuilders wait for concrete.';

describe('the company', () => {
  it.each([
    [['CardioSense\nA patch that detects strokes', 'Team\nX', 'CardioSense GmbH, Munich'], 'CardioSense'],
    [['Lumbalis\nApp auf Rezept', 'Team\nA', 'Lumbalis Therapeutics GmbH\nhallo@lumbalis.example'], 'Lumbalis'],
    [
      [
        'No truck leaves empty.\nInvestor briefing',
        'A\nQuayline, Inc. – private',
        'B\nQuayline, Inc. – private',
        'C\nQuayline, Inc. – private',
      ],
      'Quayline',
    ],
    [['Pitch Deck\nWindkraft Nord GmbH', 'Problem\nSchäden', 'Kontakt\nwww.windkraft-nord.example'], 'Windkraft Nord'],
    [
      ['NEUROLOOP\nSeizure prediction', 'Solution\nNeuroLoop alerts caregivers.', 'Thank you\nNeuroLoop Inc.'],
      'NeuroLoop',
    ],
  ])('is found in %j', (slides, name) => {
    expect(company(...slides)).toBe(name);
  });

  it('is the name under a title that is none', () => {
    expect(marked(['# GPT-4\n\n## StrohTUM\nMay 2025', PROBLEM, PROBLEM])).toBe('StrohTUM');
  });

  it('is a name of two words that the cover sets apart and the deck writes as one', () => {
    const cover = 'HALM\n\n# WERK\n\nStraw panels';
    const inner = '# Panels\n\nWelcome to Halm Werk';
    expect(marked([cover, inner, 'HALM\n\n# WERK\n\nHouses', PROBLEM])).toBe('Halm Werk');
  });

  it('is not a customer, a competitor or an investor', () => {
    expect(
      company(
        TITLE,
        'Customers\nBavaria Clinics GmbH and Example Insurance AG pay us.',
        'Competition\nEpiWatch Inc. sells to consumers.',
        CONTACT,
      ),
    ).toBe('NeuroLoop');
  });

  it.each([
    [['# Transport mittels Drohnen', '# Problem\n\nTransport von Blut dauert.', '# Lösung\n\nTransport ohne Stau.']],
    [['# Ultraschall mit Köpfchen', '# Lösung\n\nUltraschall misst.', '# Team\n\nUltraschall ist unser Beruf.']],
    [['# Routing by means of AI', '# Problem\n\nRouting takes days.', '# Team\n\nRouting is our trade.']],
  ])('is not a noun before what it works by: %j', (slides) => expect(marked(slides)).toBe(''));

  it('is not who made the slides', () =>
    expect(marked(['Straw panels', PROBLEM, PROBLEM, PROBLEM], ['Made with Slidebox | Boxwell'])).toBe(''));

  it('is the one of its names that the title of the file says', () => {
    const slides = ['Straw panels', PROBLEM, '# Halmwerk\n\nPanels for houses', '# Lehmbox\n\nBricks for houses'];
    const titled = (title: string): string =>
      ask(
        'extract_company_name',
        deckBlock(
          slides.map((markup, index) => ({ number: index + 1, markup, description: null })),
          [{ text: 'Halmwerk / Lehmbox', pages: [2, 3] }],
          title,
        ),
      ).value;
    expect(titled('Lehmbox')).toBe('Lehmbox');
    expect(titled('Halmwerk')).toBe('Halmwerk');
    expect(titled('Strohgut')).toBe(titled(''));
  });

  it('is not taken from a deck that never names it', () => {
    expect(company('Pitch Deck\nConfidential', 'Problem\nTrucks drive empty.')).toBe('');
  });
});

describe('the company in a layout', () => {
  it.each<[string, name: string, slides: string[], ...running: string[]]>([
    [
      'the owner in a footer',
      'Halmwerk',
      ['Straw panels for timber houses', PROBLEM, PROBLEM],
      'Halmwerk © 2024 Proprietary and Confidential',
    ],
    ['a header beside the section', 'Halmwerk', ['COVER', '# Use Cases', PROBLEM], 'Halmwerk — Straw panels', 'Page 2'],
    [
      'a domain that the slides spell in two words',
      'Halm Werk',
      ['WELCOME', '# What\n\nHalm Werk presses straw.', '# Contact\n\nanna@halmwerk.example'],
    ],
    ['a domain alone', 'halmwerk', ['Straw panels for timber houses', PROBLEM, '# Contact\n\nanna@halmwerk.example']],
    [
      'a mailbox at a provider',
      'HalmWerk',
      [
        'Panels',
        '# HalmWerk at work\n\nWe press. HalmWerk builds.',
        '# Why HalmWerk',
        '# HalmWerk\n\nHalmwerk@gmail.com',
      ],
    ],
    [
      'three lines of a cover',
      'Open Straw Houses',
      ['Open\nStraw\nHouses', PROBLEM, '# Contact\n\ninfo@openstrawhouses.org'],
      'Open Straw Houses',
    ],
    ['a title that comes back', 'Halm Rapido', ['Panels for houses', ...Array<string>(6).fill('Halm Rapido')]],
    [
      'a sentence about us',
      'Halmwerk',
      ['# Better houses', '# Team\n\nAt Halmwerk, we press straw.', '# What is Halmwerk?'],
    ],
    [
      'a footer that names its maker as well',
      'Halmwerk',
      ['Straw panels for timber houses', PROBLEM, PROBLEM, PROBLEM],
      'Halmwerk | Group 7 | Made with Slidebox',
    ],
    [
      'the headline of the cover, where tables have its first word alone',
      'Halmwerk Stroh',
      [
        '# Halmwerk Stroh',
        '| Price | Halmwerk |',
        '| Weight | Halmwerk |',
        '# Kontakt\n\nHalmwerk Stroh GmbH\n\na@halmwerk.example',
      ],
    ],
    [
      'a coined word before what it works by',
      'Somnivo',
      [
        '# Better sleep\n\nSomnivo by means of sound',
        '# Solution\n\nSomnivo hears breath.',
        '# Team\n\nSomnivo was built by two.',
      ],
    ],
    [
      'a coined word before "mittels"',
      'Somnivo',
      ['# Besser schlafen\n\nSomnivo mittels Schall', '# Lösung\n\nSomnivo hört zu.', '# Team\n\nSomnivo kam 2024.'],
    ],
    ['a cover with nothing else', 'Halm Werk', ['Halm Werk', PROBLEM]],
    ['a labelled line', 'Halmwerk', ['# GREEN HACKATHON 2025\n\n- Theme - Houses\n- Team name - Halmwerk', PROBLEM]],
    [
      'the mixed-case spelling of a name in capitals',
      'HalmWerk',
      ['# HALMWERK', PROBLEM, '# Team\n\nHalmWerk has three founders.'],
      'HALMWERK',
    ],
    [
      'two words in small letters that an address joins',
      'stroh & lehm',
      ['# stroh & lehm', PROBLEM, '# Kontakt\n\nhallo@stroh-lehm.example\n\nstroh & lehm GmbH'],
    ],
    ['a cover in small letters', 'halmwerk', ['# halmwerk_', PROBLEM, '# Team\n\nWhat halmwerk does is straw.']],
    [
      'two words in capitals that are written with small letters elsewhere',
      'Halm Werk',
      ['# HALM WERK', '# Why Halm Werk?'],
    ],
    [
      'its cover beside the name of an event in a footer',
      'HalmWerk',
      ['# Green 2025\n\n- Theme - Houses\n\nHalmWerk', '# HALMWERK\n\nA wall of straw', PROBLEM],
      'GreenHack 2025 Idea submission',
      '@GreenHack',
    ],
  ])('is found by %s', (_, name, slides, ...running) => expect(marked(slides, running)).toBe(name));

  it.each([
    [
      'a template',
      ['# Pitch Deck Template', '# What\n\nDescribe your company.', '# Use Cases', '# Team', '# Thank you'],
    ],
    ['a cover with a slogan', ['Build Better Houses', PROBLEM, '# Thank you']],
    ['a cover in capitals', ['APP COMPLETE', PROBLEM]],
    ['a sentence set over two lines', ['Ausflug\nin die Berge', '# Problem\n\nZu viele E-Mails.']],
    ['a person', ['Better houses\n\nAnna Berg, CEO', '# Team\n\n## Anna Berg\nCEO', '# Contact\n\nAnna Berg']],
    ['titles about features', ['Better houses', '# Automations', '# Automations of panels', '# Automations of houses']],
    [
      'addresses of several people',
      ['Better houses', '# Team\n\nanna@berg-family.example\npia@holm-mail.example\njo@elsewhere.example'],
    ],
    [
      'an address that a template leaves open',
      ['Title', PROBLEM, '# Contact\n\nyour@email.com\n\nwww.yourwebsite.com'],
    ],
    ['an ordinary word that stands only in an address', ['Better houses', PROBLEM, '# Contact\n\nwww.climate.example']],
    ['the maker of the template', ['Better houses', PROBLEM, '# Template by Slidery\n\nwww.slidery.example']],
  ])('is not taken from %s', (_, slides) => expect(marked(slides)).toBe(''));

  it('the company has the name of its cover and footers, also where the address has a part of it', () => {
    const cover = '# Quillon Photonics\n\nClocks on a chip';
    const contact = '# Contact\n\nada@quillon.example';
    expect(marked([cover, PROBLEM, contact], ['QUILLON PHOTONICS'])).toBe('Quillon Photonics');
  });

  it('the company is proved by a line that says nothing else, else by a quote of one block that holds it', () => {
    const sentence = '# Why\n\nHalmwerk presses straw into walls.';
    const quoteIn = (...slides: string[]) => ask('extract_company_name', deckOfMarks(slides)).evidence;
    expect(quoteIn('# Halmwerk\n\nStraw panels', sentence, 'Halmwerk')).toMatchObject([
      { slide: 1, quote: 'Halmwerk' },
    ]);
    expect(quoteIn('# Straw panels\n\nada@halmwerk.example', sentence, '# We are Halmwerk GmbH')).toMatchObject([
      { slide: 2, quote: 'Halmwerk presses straw into walls.' },
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['hello@mail.halmwerk.co.uk', 'halmwerk'],
    ['https://www.halmwerk.de/team', 'halmwerk'],
    ['halmwerk.vercel.app', 'halmwerk'],
    ['www.grünhalm.de', 'grünhalm'],
    ['Halmwerk@gmail.com', 'halmwerk'],
  ])('%s name %s', (text, label) => expect(ownAddresses(text).map((address) => address.label)).toEqual([label]));

  it.each([
    'www.linkedin.com/in/anna',
    'anna@uni.ac.uk',
    'https://news.example.com/2024/05/how-straw-houses-save-energy',
    'e.g. this',
  ])('%s names nobody', (text) => expect(ownAddresses(text)).toEqual([]));

  it('are cut out without moving the other words', () =>
    forAll([fc.lorem(), fc.emailAddress(), fc.lorem()], (before, address, after) => {
      const text = `${before} ${address} ${after}`;
      expect(withoutAddresses(text)).toHaveLength(text.length);
    }));
});

describe('a name', () => {
  it.each([
    ['Halmwerk GmbH', 'Halmwerk'],
    ['Halmwerk – Pitch Deck 2024', 'Halmwerk'],
    ['Investor Presentation: Halmwerk, Inc.', 'Halmwerk'],
    ['Proprietary and Confidential', 'and'],
  ])('is cleaned from %j', (text, name) => expect(cleanName(text)).toBe(name));

  it.each([
    'Use Cases',
    'What',
    'COVER',
    'Market Opportunity',
    'The Team',
    'Our Solution',
    'Business Model',
    'and',
    '2024',
    'Reduce Waste',
  ])('is never %j', (text) => expect(isNameLike(text)).toBe(false));

  it('has one key in every spelling', () => {
    for (const spelling of ['Halm&Werk', 'HALM & WERK', 'halmandwerk']) expect(keyOf(spelling)).toBe('halmandwerk');
  });
});
