import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { labelsWithoutFile } from '../../../domain/evaluation/evaluation.ts';
import { parseLabels } from '../../../domain/evaluation/labels.ts';
import { forAll } from '../../../testing/property.ts';

/** What the user is told about a labels file. */
function refusal(content: string): string {
  try {
    parseLabels(content, 'labels.json');
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'invalid_request') return error.userMessage;
    throw error;
  }
  throw new Error('the labels were not refused');
}
const refusalOf = (label: object): string => refusal(JSON.stringify({ acme: label }));

describe('labels that are wrong', () => {
  it('are refused with the path and the reason', () => {
    expect(refusalOf({ company: 'Acme' })).toMatch(/^labels\.json: acme\.company: .*array/u);
    expect(refusalOf({ ask: { amount: 5, currency: '€' } })).toBe(
      'labels.json: acme.ask.currency: write the ISO 4217 code, such as EUR',
    );
    expect(refusalOf({ date: '3/2026' })).toBe('labels.json: acme.date: write 2026, 2026-03 or 2026-03-14');
    expect(refusalOf({ questions: { sales_cycle: { score: 8 } } })).toMatch(/acme\.questions\.sales_cycle\.score: /u);
    expect(refusalOf({ sector: 'space' })).toMatch(/acme\.sector: .*"health"/u);
    expect(refusalOf({ topics: { team: [{ role: 'CEO' }] } })).toMatch(/^labels\.json: acme\.topics\.team\.0\.name: /u);
    expect(refusalOf({ topics: { team: 'none' } })).toBe(
      'labels.json: acme.topics.team: write a list of facts, [] where the deck says nothing, or { "absent": [PLACE] }',
    );
    expect(refusalOf({ topics: { team: { absent: [] } } })).toMatch(/^labels\.json: acme\.topics\.team\.absent: /u);
    const withBox = (box: unknown) => refusalOf({ topics: { stage: [{ text: 'Seed', places: [{ slide: 1, box }] }] } });
    expect(withBox([0.5, 0.1, 0.4, 0.2])).toBe(
      'labels.json: acme.topics.stage.0.places.0.box: write left, top, right and bottom, with left < right and top < bottom',
    );
    expect(withBox([10, 10, 90, 20])).toContain('stage.0.places.0.box.0: write a fraction of the page, from 0 to 1');
    expect(refusalOf({ questions: { sales_cycle: { places: [{ slide: 0 }] } } })).toMatch(
      /acme\.questions\.sales_cycle\.places\.0\.slide: /u,
    );
    expect(refusal('[]')).toMatch(/^labels\.json: the document: /u);
    expect(refusal('{"acme": {')).toMatch(/^labels\.json is not JSON: .*position/u);
  });

  it('are refused, or read, whatever the file holds', () =>
    forAll([fc.json()], { runs: 500 }, (content) => {
      try {
        parseLabels(content, 'labels.json');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
    }));
});

it('a field that is not known is ignored and named, with the one that was probably meant', () => {
  const label = {
    compnay: ['Acme'],
    date: null,
    ask: { amount: 1, currency: null, als: [2] },
    questions: { sales_cycle: { socre: 3 } },
  };
  const { labels, warnings } = parseLabels(JSON.stringify({ 'acme.pdf': label }), 'labels.json');
  expect([...labels]).toEqual([
    ['acme', { date: null, ask: { amount: 1, currency: null }, questions: { sales_cycle: {} } }],
  ]);
  expect(warnings).toEqual([
    'labels.json: acme.pdf: the field "compnay" is not known and is ignored. Did you mean "company"?',
    'labels.json: acme.pdf.ask: the field "als" is not known and is ignored. Did you mean "also"?',
    'labels.json: acme.pdf.questions.sales_cycle: the field "socre" is not known and is ignored. Did you mean "score"?',
  ]);
});

it('a field of a topic, a fact or a place that is not known is ignored and named, too', () => {
  const place = { slide: 1, box: [0, 0, 1, 1], page: 1 };
  const topics = {
    team: [{ name: 'Ada Example', rol: 'CEO', places: [place] }],
    competition: { absent: [place], none: true },
    marked: [],
  };
  const label = { topics, questions: { sales_cycle: { covered: 'yes', places: [place] } } };
  expect(parseLabels(JSON.stringify({ acme: label }), 'labels.json').warnings).toEqual([
    'labels.json: acme.questions.sales_cycle.places.0: the field "page" is not known and is ignored.',
    'labels.json: acme.topics: the field "marked" is not known and is ignored. Did you mean "market"?',
    'labels.json: acme.topics.team.0: the field "rol" is not known and is ignored. Did you mean "role"?',
    'labels.json: acme.topics.team.0.places.0: the field "page" is not known and is ignored.',
    'labels.json: acme.topics.competition: the field "none" is not known and is ignored.',
    'labels.json: acme.topics.competition.absent.0: the field "page" is not known and is ignored.',
  ]);
});

it('the example in the description of the format is read without a warning', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/label-format.md'), 'utf8');
  const example = /```json\n([^`]+)```/u.exec(page)?.[1] ?? '';
  const { labels, warnings } = parseLabels(example, 'label-format.md');
  expect(warnings).toEqual([]);
  expect(Object.keys(labels.get('acme')?.topics ?? {})).toHaveLength(5);
});

it('labels without a PDF are found by name', () => {
  const { labels } = parseLabels('{"acme": {}, "gone": {}}', 'labels.json');
  expect(labelsWithoutFile(labels, ['acme', 'other'])).toEqual(['gone']);
});
