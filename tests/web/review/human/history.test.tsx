/** Who said what, when. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { textsOf } from '../../support/texts.ts';
import { openPanel, type ReviewOptions, said } from '../deck-page.ts';

const TITLE = { en: 'Who said what, when', de: 'Wer was wann gesagt hat' };

/** Opens the drawer and gives its rows, as they are read. */
async function openHistory(options: ReviewOptions = {}) {
  const { user, panel } = await openPanel(TITLE, options);
  const rows = panel.queryAllByRole('listitem');
  return { user, rows: rows.map((row) => textsOf([...row.querySelectorAll('p')]).join(' | ')) };
}

const HISTORY = said(
  { kind: 'value', subject: 'value/funding', text: '€3M', machine: { text: '4.5 million euros', score: null } },
  { kind: 'value', subject: 'value/sector', text: 'digital_therapeutics' },
  { kind: 'score', subject: 'question/monthly_burn', score: 6, reason: 'Low.', machine: { text: null, score: 3 } },
  { kind: 'score', subject: 'question/monthly_burn', withdrawn: true, machine: { text: null, score: 3 } },
  { kind: 'note', subject: 'slide/4', text: 'Ask.' },
  { kind: 'note', subject: 'reading/clinical', text: 'See the study.' },
  { kind: 'tag', subject: 'seed', text: 'seed' },
  { kind: 'tag', subject: 'seed', withdrawn: true },
  { kind: 'assignee', subject: 'deck', text: 'Cleo Carver' },
  { kind: 'assignee', subject: 'deck', withdrawn: true, author: 'Ann Archer' },
  { kind: 'decision', subject: 'deck', text: 'meet', reason: 'Why not.' },
);

it('The drawer tells everything that people said, the newest first, and closes again', async () => {
  const { user, rows } = await openHistory({ history: HISTORY });
  expect(rows.map((row) => row.replace(/^.*? \d{4}, \d{2}:\d{2} \| /u, ''))).toEqual([
    'Decision | Meet | Why not.',
    'Assignee | Nobody',
    'Assignee | Cleo Carver',
    'Tag | seed, removed',
    'Tag | seed',
    'Note on Clinical | See the study.',
    'Note on Slide 4 | Ask.',
    'Score on How much money does the company spend per month more than it earns? | withdrawn | machine: 3',
    'Score on How much money does the company spend per month more than it earns? | 6 | Low. | machine: 3',
    'Correction on Sector | Digital therapeutics',
    'Correction on Funding sought | €3M | machine: 4.5 million euros',
  ]);
  expect(rows[0]).toMatch(/^Ben Baker, 28 Nov 2026/u);
  expect(rows[1]).toMatch(/^Ann Archer, /u);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('Withdrawn and removed things are named in German', async () => {
  const rows = (await openHistory({ history: HISTORY, language: 'de' })).rows.join('\n');
  expect(rows).toContain('Schlagwort | seed, entfernt');
  expect(rows).toContain('zurückgenommen | Maschine: 3');
  expect(rows).toContain('Notiz zu Folie 4 | Ask.');
});

it('A deck about which nobody said anything says so', async () => {
  const { rows } = await openHistory();
  expect(rows).toEqual([]);
  expect(screen.getByText('Nobody has said anything about this deck yet.')).toBeTruthy();
});
