/** Descriptions, feedback, condensation and specialised readings of slides. */
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { ask, deckOf, slideOf } from './ask.ts';

const TABLE =
  'Unit economics\nPatches per year 150 260 310\nRevenue 28 49 62\nCost 6 5 5\nWe sell to stroke units in five countries.';

it('a description gives headline and text as they stand on the slide', () => {
  const result = ask('describe_slide', slideOf(TABLE));
  expect(result).toMatchObject({ legible: true, title: 'Unit economics', visibleText: TABLE });
});

it('a description names a table only from rows that are there', () => {
  const [figure] = ask('describe_slide', slideOf(TABLE)).figures;
  expect(figure?.kind).toBe('table');
  expect(figure?.description).toContain('Revenue 28 49 62');
  expect(ask('describe_slide', slideOf('Team\nTwo founders from Munich')).figures).toEqual([]);
});

it('a description of a slide without text says that nothing could be read', () => {
  const expected = { legible: false, title: '', visibleText: '', figures: [], summary: '' };
  expect(ask('describe_slide', slideOf(''))).toEqual(expected);
});

describe('feedback', () => {
  it('is silent on a good slide', () =>
    expect(
      ask('slide_feedback', slideOf('Traction: 31 paying hospitals\nMonthly sales of €92,000\nChurn of 2% a year')),
    ).toEqual({ legible: true, hasIssues: false, feedback: '' }));

  it.each([
    [
      'too many words',
      `Our market\n${'Every hospital in Europe needs this product and 40% will buy it soon. '.repeat(14)}`,
      /words/u,
    ],
    [
      'a market slide without a number',
      'Market size\nThe market is huge and growing quickly everywhere.',
      /no number/u,
    ],
    ['a placeholder', 'Team\nLorem ipsum dolor sit amet', /placeholder/u],
    ['jargon', 'Vision\nOur disruptive, holistic, next-generation ecosystem leverages synergies', /plain words/u],
  ])('names %s', (_what, text, words) => {
    const result = ask('slide_feedback', slideOf(text));
    expect(result.hasIssues).toBe(true);
    expect(result.feedback).toMatch(words);
  });

  it('is given in German when asked', () =>
    expect(ask('slide_feedback', slideOf('Marktgröße\nDer Markt ist riesig.'), 'de').feedback).toMatch(/keine Zahl/u));

  it('of a slide without text claims nothing', () =>
    expect(ask('slide_feedback', slideOf(''))).toEqual({ legible: false, hasIssues: false, feedback: '' }));
});

describe('condensation', () => {
  const slide = `Traction\n${['We serve 31 paying hospitals in Germany.', 'It is a great time to be alive and well.', 'Monthly sales reached €92,000 in February.', 'People like nice things very much indeed.', 'Churn is 2% per year since 2023.', 'Everybody is happy about that of course.', 'Pilots run with 3 NHS trusts.', 'The future is bright for all of us.'].join('\n')}`;

  it('keeps the sentences with facts, word for word and in order', () => {
    const { keySentences } = ask('condense_slide', slideOf(slide));
    expect(keySentences).toEqual(
      expect.arrayContaining([
        'We serve 31 paying hospitals in Germany.',
        'Monthly sales reached €92,000 in February.',
        'Churn is 2% per year since 2023.',
      ]),
    );
    expect(keySentences).not.toContain('The future is bright for all of us.');
    for (const sentence of keySentences) expect(checkQuote(sentence, slide).verdict).toBe('verified');
  });

  it('keeps nothing of a slide without content', () =>
    expect(ask('condense_slide', slideOf('7')).keySentences).toEqual([]));
});

describe('a specialised reading', () => {
  const deck = deckOf(
    'CardioSense',
    'Clinical evidence\nProspective, multicentre study with 412 patients in five stroke units.\nPrimary endpoint: new atrial fibrillation within 14 days, p < 0.001.\nSensitivity per episode 98.2%.',
    'Roadmap\nCE mark as class IIa under the MDR since November 2024.\nFDA 510(k) submission planned for Q2 2027.\nISO 13485 quality system certified since 2023.',
  );

  it('names each aspect with the words of the deck', () => {
    const clinical = ask('specialised_clinical', deck);
    expect(clinical.covered).toBe('yes');
    expect(clinical.evidence.map((item) => item.slide)).toEqual(expect.arrayContaining([2]));
    expect(clinical.points.map((point) => point.heading)).toEqual(
      expect.arrayContaining(['Study design', 'Endpoints', 'Missing']),
    );
    const regulatory = ask('specialised_regulatory', deck);
    expect(regulatory.points.map((point) => point.text).join(' ')).toContain(
      'ISO 13485 quality system certified since 2023.',
    );
  });

  it('numbers hypotheses', () => expect(ask('specialised_science', deck).points[0]?.heading).toMatch(/^1\. /u));

  it.each(['specialised_clinical', 'specialised_regulatory', 'specialised_science'] as const)(
    '%s of a deck that says nothing says so',
    (task) => {
      const result = ask(task, deckOf('Quayline', 'Market\nTrucks drive empty.'), 'de');
      expect(result).toEqual({ evidence: [], covered: 'no', points: [], summary: 'Das Deck sagt dazu nichts.' });
    },
  );
});
