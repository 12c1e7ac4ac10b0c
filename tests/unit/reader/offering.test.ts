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
  const cover = '# Halmwerk';
  const [problem, team] = ['# Problem\n\nConcrete is slow.', '# Team\n\nWe are four.'];
  const definition = 'Halmwerk is a building system that turns straw into walls for carpenters.';
  const prefabricated = 'Prefabricated straw panels and software for timber builders';
  const platform = 'Straw platform for carpenters who build houses in small towns';
  const cloud = 'A cloud platform connecting carpenters in small towns with architects';
  const angebot = 'Unser Angebot: eine Plattform, auf der Zimmerleute Wände aus Stroh bestellen.';
  const steps = '1\nEine App misst die Wand und zeigt den Bedarf.\n\n2\nDas System plant sie.';
  const idee = 'Eine Plattform für Zimmerleute, die Wände aus Stroh bestellen';
  const producto = 'Halmwerk es una plataforma que conecta carpinteros con fabricantes de paneles';
  const runOn = 'A platform that lets carpenters\norder straw walls for their houses';
  const shop = 'What we sell: an online shop for used cranes with warranty.\n\nOur software reads each offer.';

  it.each<[string, slides: readonly string[], value: string]>([
    [
      'the definition on an inner slide, before a slogan of the cover',
      [`${cover}\n\nThe wall that breathes`, `# About\n\n${definition}`],
      'A building system that turns straw into walls for carpenters',
    ],
    ['the subtitle of the cover', [`${cover}\n\n${prefabricated}`, team], prefabricated],
    ['lines of one block that run on', [cover, `# Solution\n\n${runOn}`], runOn.replace('\n', ' ')],
    [
      'the line under the name where nothing says it better, whatever its words',
      [`${cover}\n\nstraw walls, pressed while\nyou wait\n\nSeries A discussion materials`, team],
      'Straw walls, pressed while you wait',
    ],
    [
      'two short sentences under the name',
      [`${cover}\n\nOld straw. New walls for cities.`, team],
      'Old straw. New walls for cities',
    ],
    [
      'what stands under the name as title',
      [cover, problem, `${cover}\n\nPlans straw walls with a trained AI`],
      'Plans straw walls with a trained AI',
    ],
    [
      'what follows the name in a title',
      [cover, problem, `${cover}. Plans straw walls with a trained AI`],
      'Plans straw walls with a trained AI',
    ],
    [
      'the subtitle rather than a heading that begins with the name',
      [cover, `# Summary\n\n${platform}\n\n## Halmwerk Components Tools for carpenters and architects`],
      platform,
    ],
    ['a sentence before its list', [cover, `# Solution\n\n${cloud} to\n- plan walls\n- order straw`], cloud],
    ['what follows a label', [cover, `# Solution\n\n${shop}`], 'An online shop for used cranes with warranty'],
    [
      'what the company builds, rather than the steps in which it is used',
      [cover, `# So funktioniert es\n\n${steps}\n\n${angebot}`],
      'Eine Plattform, auf der Zimmerleute Wände aus Stroh bestellen',
    ],
    [
      'a line of the cover that goes on after a preposition',
      [`${cover}\n\nEin Sensor, der Feuchte in Wänden nach\nUnwettern erkennt`, '# Team\n\nWir sind vier.'],
      'Ein Sensor, der Feuchte in Wänden nach Unwettern erkennt',
    ],
    ['German, under the heading of the idea', [cover, `# Die Idee\n\n- ${idee}`], idee],
    ['another language, where the company is the subject', [cover, `# Producto\n\n${producto}.`], producto],
    [
      'a thing of the cover, whatever it is made of',
      [`${cover}\n\nThe quiet wall that used to be waste`, '# What we sell\n\nShelves and tools, pushed to the shop'],
      'The quiet wall that used to be waste',
    ],
    [
      'the line under the name with its legal form, with a verb at its end',
      [`${cover} AG\n\nWände, die nach einem Tag trocken sind`, '# Team\n\nVier.', '# Kontakt\n\nHalmwerk AG'],
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
    expect(ask('extract_offering', deck).evidence).toMatchObject([
      { slide: 2, quote: 'A platform that lets carpenters order straw walls for their houses' },
    ]);
  });
});
