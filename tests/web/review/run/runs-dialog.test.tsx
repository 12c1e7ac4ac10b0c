/** The other runs of a deck and the other decks of its company. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { formatMoment } from '../../../../web/format.ts';
import { callsOf } from '../../support/api.ts';
import { documents } from '../../support/documents.ts';
import { ANALYSIS_ID, DECK, openPanel } from '../deck-page.ts';

const RUNS = { en: 'Runs and versions', de: 'Läufe und Fassungen' };

const [RUN] = documents.runs().items;
const later = (): typeof RUN =>
  RUN === undefined
    ? RUN
    : {
        ...RUN,
        analysisId: 'later',
        createdAt: '2026-11-29T09:00:00.000Z',
        language: 'de',
        status: 'failed',
        overallScore: null,
        models: 'own',
      };

it('Each run has its facts, the shown one says so, and the others are opened and compared', async () => {
  const items = [later(), RUN].flatMap((each) => each ?? []);
  const { user, panel: dialog, address } = await openPanel(RUNS, { answers: { 'GET /analyses': { items } } });
  expect(await dialog.findByText('Failed · German · by own')).toBeTruthy();
  expect(dialog.getByText('Complete · English · by rules · 2.4')).toBeTruthy();
  expect(callsOf('GET /analyses')[0]?.query).toEqual({ deck: DECK.id, limit: '50' });
  const [other, shown] = dialog.getAllByRole('listitem');
  expect(other?.textContent).toContain(formatMoment('2026-11-29T09:00:00.000Z', 'en'));
  expect(within(shown ?? document.body).getByText('shown')).toBeTruthy();
  expect(within(shown ?? document.body).queryByRole('link')).toBeNull();
  const row = within(other ?? document.body);
  expect(decodeURIComponent(row.getByRole('link', { name: 'Compare' }).getAttribute('href') ?? '')).toBe(
    `/compare?analyses=${ANALYSIS_ID},later`,
  );
  await user.click(row.getByRole('link', { name: 'Open' }));
  await expect.poll(address).toBe(`/decks/${DECK.id}?analysis=later`);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it.each([
  ['en', ['by rules', 'by ollama', 'by qwen3-vl', 'by constructor', 'by own@1']],
  ['de', ['von Regeln', 'von ollama', 'von qwen3-vl', 'von constructor', 'von own@1']],
] as const)('Runs name the profile that answered, whatever its name, in %s', async (language, names) => {
  const profiles = ['reader', 'ollama', 'qwen3-vl', 'constructor', 'own@1'];
  const items = profiles.flatMap((models) => (RUN === undefined ? [] : [{ ...RUN, analysisId: models, models }]));
  const { panel: dialog } = await openPanel(RUNS, { language, answers: { 'GET /analyses': { items } } });
  const facts = await dialog.findAllByText(/ · (?:by|von) /u);
  expect(facts.map(({ textContent }) => textContent.split(' · ')[2])).toEqual(names);
});

it('The other decks of the company are opened, and compared where they have a review', async () => {
  const decks = documents.decks();
  const [autumn] = decks.items;
  const unread = { ...DECK, id: 'unread', fileName: 'unread.pdf', resultAnalysisId: null, score: null };
  const { panel: dialog } = await openPanel(RUNS, {
    answers: { 'GET /decks': { ...decks, items: [autumn ?? DECK, DECK, unread] } },
  });
  await dialog.findByText('Pulsara 2027.pdf');
  expect(callsOf('GET /decks').at(-1)?.query).toMatchObject({ company: DECK.company?.id });
  expect(dialog.queryByText('Pulsara 2026.pdf')).toBeNull();
  const row = (name: string) => within(dialog.getByText(name).closest('li') ?? document.body);
  expect(row('Pulsara 2027.pdf').getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(`/decks/${autumn?.id}`);
  expect(
    decodeURIComponent(row('Pulsara 2027.pdf').getByRole('link', { name: 'Compare' }).getAttribute('href') ?? ''),
  ).toBe(`/compare?analyses=${ANALYSIS_ID},${autumn?.resultAnalysisId}`);
  expect(row('unread.pdf').queryByRole('link', { name: 'Compare' })).toBeNull();
});

it('A deck without other runs and versions says so in German', async () => {
  const { panel: dialog } = await openPanel(RUNS, {
    language: 'de',
    answers: { 'GET /analyses': { items: [] }, 'GET /decks': { ...documents.decks(), items: [DECK] } },
  });
  await expect.poll(() => dialog.queryAllByText('Es gibt keine anderen.')).toHaveLength(2);
  expect(dialog.getByRole('heading', { name: 'Decks der Firma' })).toBeTruthy();
});

it('A deck whose company is not known has no list of versions', async () => {
  const { panel: dialog } = await openPanel(RUNS, { answers: { 'GET /decks/:deck': { ...DECK, company: null } } });
  await dialog.findByText('shown');
  expect(dialog.queryByRole('heading', { name: 'Decks of the company' })).toBeNull();
});
