/** How a review was made: its run, its cost, and every step with its model. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { stepsOf } from '../../../../web/review/made/steps.ts';
import { callsOf } from '../../support/api.ts';
import { recordedAnswers } from '../../support/documents.ts';
import { recordedReport, ANALYSIS_ID, DECK, openPanel } from '../deck-page.ts';

const MADE = { en: 'How this review was made', de: 'Wie diese Prüfung entstand' };

/** The value beside a name. */
const fact = (drawer: ReturnType<typeof within>, name: string): string | null | undefined =>
  drawer.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

it('The drawer tells engine, questions, times and cost of the run', async () => {
  const costs = recordedAnswers()['GET /costs'] as Awaited<ReturnType<typeof JSON.parse>>;
  const item = { key: ANALYSIS_ID, usd: '0.0123' };
  const { user, panel: drawer } = await openPanel(MADE, {
    answers: { 'GET /costs': { ...costs, items: [{ ...item, key: 'other', usd: '7' }, item] } },
  });
  expect(fact(drawer, 'Answered by')).toBe('reader-text:1, reader-vision:1 (rules, not a language model)');
  expect(fact(drawer, 'Questions')).toBe('Seven-Chapter review, version 2');
  expect(fact(drawer, 'Took')).toBe('5.1 s');
  await expect.poll(() => fact(drawer, 'Cost of this run')).toBe('$0.012');
  expect(fact(drawer, 'Cost of all runs of the deck')).toBe('–');
  expect(fact(drawer, 'Id of the run')).toBe(ANALYSIS_ID);
  expect(fact(drawer, 'SHA-256 of the file')).toBe(DECK.sha256);
  // A day more on each side: the days of costs are those of a time zone.
  expect(callsOf('GET /costs')[0]?.query).toMatchObject({ by: 'analysis', from: '2026-11-27' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('Calls of the same kind are one step, with the model, its prompt and the time of all of them', async () => {
  const report = recordedReport();
  const steps = stepsOf(report);
  const { panel: drawer } = await openPanel(MADE);
  const table = within(drawer.getByRole('table', { name: 'Steps' }));
  const rows = table.getAllByRole('row').slice(1);
  expect(rows).toHaveLength(steps.length);
  const answers = steps.find(({ task }) => task === 'answer_question');
  expect(answers?.calls).toBe(14);
  const cells = within(table.getByRole('row', { name: /^Answer / })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    'Answer',
    'reader-text:1',
    answers?.modelDigest.slice(0, 12),
    String(answers?.promptVersion),
    answers?.host,
    '14',
    `${((answers?.durationMs ?? 0) / 1000).toFixed(1)} s`,
  ]);
});

it('A model that is known by its name alone is shown as such, in German', async () => {
  const report = recordedReport();
  const modelDigest = `by-name:${'0123456789abcdef'.repeat(4)}`;
  const sector = {
    ...report.sector,
    provenance: report.sector.provenance && { ...report.sector.provenance, modelDigest },
  };
  const { panel: drawer } = await openPanel(MADE, { language: 'de', report: { ...report, sector } });
  expect(drawer.getByText('0123456789ab (nur dem Namen nach)')).toBeTruthy();
});

it('Another model is another step, and the last call of a step is its time', () => {
  const report = recordedReport();
  const [first, ...others] = report.specialised;
  if (first?.provenance === undefined || first.provenance === null) throw new Error('no provenance was recorded');
  const later = { ...first.provenance, computedAt: '2027-01-01T00:00:00.000Z' };
  const alike = { ...first, provenance: later };
  const other = { ...first, provenance: { ...later, model: 'other' } };
  const steps = stepsOf({ ...report, specialised: [alike, first, other, ...others] });
  const own = steps.filter(({ task }) => task === later.task);
  expect(own.map(({ model, calls, computedAt }) => ({ model, calls, computedAt }))).toEqual([
    { model: first.provenance.model, calls: 2, computedAt: later.computedAt },
    { model: 'other', calls: 1, computedAt: later.computedAt },
  ]);
});

it('A run of a language model in a rollout names both, and what is not known is left out, in German', async () => {
  const report = recordedReport();
  const { panel: drawer } = await openPanel(MADE, {
    language: 'de',
    report: {
      ...report,
      engine: { name: 'gemma', kind: 'model', label: 'Gemma 3', version: null },
      rollout: { name: 'spring', side: 'candidate' } as never,
      template: { ...report.template, name: null },
      durationMs: null,
      overall: { ...report.overall, method: null } as never,
    },
  });
  expect(fact(drawer, 'Beantwortet von')).toBe('Gemma 3');
  expect(fact(drawer, 'Rollout')).toBe('spring: Kandidat');
  for (const name of ['Fragen', 'Dauer', 'Bewertung']) expect(drawer.queryByText(name, { selector: 'dt' })).toBeNull();
  expect(drawer.getByRole('columnheader', { name: 'Prüfsumme' })).toBeTruthy();
});
