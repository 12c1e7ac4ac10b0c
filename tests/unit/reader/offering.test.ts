/** The offering: one sentence of the deck that says what is offered, or none. */
import { describe, expect, it } from 'vitest';
import { ask, deckOf, deckOfMarks } from './ask.ts';

const TITLE = 'NeuroLoop\nA wristband that predicts epileptic seizures\nInvestor deck';
const CONTACT = 'Contact\nNeuroLoop Inc.\nhello@neuroloop.example';
const offering = (...slides: string[]): string => ask('extract_offering', deckOf(...slides)).value;
const marked = (...slides: string[]): string =>
  ask('extract_offering', deckOfMarks([...slides, '# Contact\n\nanna@halmwerk.example'], ['Halmwerk'])).value;

describe('the offering', () => {
  it('is the sentence that says what it is and for whom', () => {
    expect(offering(TITLE, 'Market\nThe platform market grows 11% a year.', CONTACT)).toBe(
      'A wristband that predicts epileptic seizures',
    );
  });

  it('comes from the solution slide when the title has only a slogan', () => {
    const text = 'Scheduling software that lets trucking companies share container pick-ups at seaports';
    expect(
      offering(
        'Quayline\nNo truck leaves the port empty.',
        'Problem\nDrivers queue for hours.',
        `Our solution\n${text}.\nOne tour.`,
        'Quayline Inc.',
      ),
    ).toBe(text);
  });

  it('leaves the company out of its own definition', () => {
    const slides = [
      'Talwerk\nEinfach.',
      'Unsere Lösung\nTalwerk ist eine Videosprechstunde für Menschen in psychischen Krisen.',
      'Talwerk GmbH',
    ];
    expect(offering(...slides)).toBe('Eine Videosprechstunde für Menschen in psychischen Krisen');
  });

  it('is not invented from a deck without one', () => {
    expect(offering('Hello', 'Thank you')).toBe('');
  });
});

describe('the offering in a layout', () => {
  it.each([
    [
      'the definition on an inner slide, before a slogan of the cover',
      [
        '# Halmwerk\n\nThe wall that breathes',
        '# About\n\nHalmwerk is a building system that turns straw into walls for carpenters.',
      ],
      'A building system that turns straw into walls for carpenters',
    ],
    [
      'the subtitle of the cover',
      ['# Halmwerk\n\nPrefabricated straw panels and software for timber builders', '# Team\n\nWe are four.'],
      'Prefabricated straw panels and software for timber builders',
    ],
    [
      'lines of one block that run on',
      ['# Halmwerk', '# Solution\n\nA platform that lets carpenters\norder straw walls for their houses'],
      'A platform that lets carpenters order straw walls for their houses',
    ],
    [
      'the line under the name where nothing says it better, whatever its words',
      ['# Halmwerk\n\nstraw walls, pressed while\nyou wait\n\nSeries A discussion materials', '# Team\n\nWe are four.'],
      'Straw walls, pressed while you wait',
    ],
    [
      'two short sentences under the name',
      ['# Halmwerk\n\nOld straw. New walls for cities.', '# Team\n\nWe are four.'],
      'Old straw. New walls for cities',
    ],
    [
      'what stands under the name as title',
      ['# Halmwerk', '# Problem\n\nConcrete is slow.', '# Halmwerk\n\nPlans straw walls with a trained AI'],
      'Plans straw walls with a trained AI',
    ],
    [
      'what follows the name in a title',
      ['# Halmwerk', '# Problem\n\nConcrete is slow.', '# Halmwerk. Plans straw walls with a trained AI'],
      'Plans straw walls with a trained AI',
    ],
    [
      'the subtitle rather than a heading that begins with the name',
      [
        '# Halmwerk',
        '# Summary\n\nStraw platform for carpenters who build houses in small towns\n\n## Halmwerk Components Tools for carpenters and architects',
      ],
      'Straw platform for carpenters who build houses in small towns',
    ],
    [
      'a sentence before its list',
      [
        '# Halmwerk',
        '# Solution\n\nA cloud platform connecting carpenters in small towns with architects to\n- plan walls\n- order straw',
      ],
      'A cloud platform connecting carpenters in small towns with architects',
    ],
    [
      'what follows a label',
      [
        '# Halmwerk',
        '# Solution\n\nWhat we sell: an online shop for used cranes with warranty.\n\nOur software reads each offer.',
      ],
      'An online shop for used cranes with warranty',
    ],
    [
      'what the company builds, rather than the steps in which it is used',
      [
        '# Halmwerk',
        '# So funktioniert es\n\n1\nEine App misst die Wand und zeigt den Bedarf.\n\n2\nDas System plant sie.\n\nUnser Angebot: eine Plattform, auf der Zimmerleute Wände aus Stroh bestellen.',
      ],
      'Eine Plattform, auf der Zimmerleute Wände aus Stroh bestellen',
    ],
    [
      'a line of the cover that goes on after a preposition',
      ['# Halmwerk\n\nEin Sensor, der Feuchte in Wänden nach\nUnwettern erkennt', '# Team\n\nWir sind vier.'],
      'Ein Sensor, der Feuchte in Wänden nach Unwettern erkennt',
    ],
    [
      'German, under the heading of the idea',
      ['# Halmwerk', '# Die Idee\n\n- Eine Plattform für Zimmerleute, die Wände aus Stroh bestellen'],
      'Eine Plattform für Zimmerleute, die Wände aus Stroh bestellen',
    ],
    [
      'another language, where the company is the subject',
      ['# Halmwerk', '# Producto\n\nHalmwerk es una plataforma que conecta carpinteros con fabricantes de paneles.'],
      'Halmwerk es una plataforma que conecta carpinteros con fabricantes de paneles',
    ],
    [
      'a thing of the cover, whatever it is made of',
      ['# Halmwerk\n\nThe quiet wall that used to be waste', '# What we sell\n\nShelves and tools, pushed to the shop'],
      'The quiet wall that used to be waste',
    ],
    [
      'the line under the name with its legal form, with a verb at its end',
      ['# Halmwerk AG\n\nWände, die nach einem Tag trocken sind', '# Team\n\nVier.', '# Kontakt\n\nHalmwerk AG'],
      'Wände, die nach einem Tag trocken sind',
    ],
  ])('is %s', (_, slides, value) => expect(marked(...slides)).toBe(value));

  it.each([
    ['a competitor', '# Competition\n\n## Betonix\nAn app that lets builders order concrete walls.'],
    ['a problem', '# Problem\n\nExisting tools make builders wait for software that never helps them.'],
    ['a customer who is quoted', '# What builders say\n\n“An app that lets me order walls would help my business.”'],
    ['one step of its use', '# How it works\n\n2\nA wall is built.\n\n3\nThe app shows the result.'],
    ['a story', '# Meet Pia\n\nBut she found no easy tool that helps her plan walls.'],
    ['a heading alone', '# Our Solution'],
    [
      'advice of a template',
      '# Product\n\nDescribe how your product helps your customers and which tools your company needs.',
    ],
    ['an enumeration', '# Roadmap\n\nPlatform (panels, beams, doors), app, tools'],
    [
      'a row of a table',
      '# Our product\n\n| Product | Format | Price of software |\n| Wall system for carpenters | 2 m | 40 |',
    ],
  ])('is not %s', (_, slide) => expect(marked('# Halmwerk', slide)).toBe(''));

  it.each([
    'Series A presentation',
    'Investor briefing for the annual meeting',
    'Built in 36 hours without sleep',
    'Who sleeps behind this wall?',
    'Pia Berg\n\nMax Muster',
    'Seed round of €2M for ten plants',
    'Halmwerk AG | Spin-off of the University of Bern, Center for Wood',
    'Investigational device, not for clinical use',
  ])('is not "%s" under the name', (line) => expect(marked(`# Halmwerk\n\n${line}`, '# Team\n\nFour.')).toBe(''));

  it('is quoted word for word', () => {
    const deck = deckOfMarks(
      ['# Halmwerk', '# Solution\n\nA platform that lets carpenters\norder straw walls for their houses\n\nFast'],
      ['Halmwerk'],
    );
    expect(ask('extract_offering', deck).evidence).toEqual([
      { slide: 2, quote: 'A platform that lets carpenters order straw walls for their houses' },
    ]);
  });
});
