/** What people change of companies: their names, two that are one, and whose a deck is. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CompanyDetails } from '../../../api/companies/schemas.ts';
import { answerApi, type Answers, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';

const PULSARA = documents.company();
const ADDRESS = `/companies/${PULSARA.id}`;
const [CARDIO] = documents.companies().items;
const [SPRING, AUTUMN] = PULSARA.decks;

/** Answers that keep what is changed: name and decks of the company. */
function changing(decks = PULSARA.decks): Answers {
  let company: CompanyDetails = { ...PULSARA, decks };
  const { items } = documents.companies();
  return {
    'GET /companies': ({ query }) => {
      const fitting = items.filter(({ name }) => name.toLowerCase().includes(query['q'] ?? ''));
      return { items: fitting, total: fitting.length, nextCursor: null };
    },
    'GET /companies/:company': ({ params }) =>
      params['company'] === PULSARA.id ? company : { ...PULSARA, ...CARDIO, decks: PULSARA.decks },
    'PATCH /companies/:company': ({ body }) => (company = { ...company, ...(body as { name: string }) }),
    'POST /companies/:company/merge': () =>
      (company = { ...company, decks: [...decks, ...decks.map((deck) => ({ ...deck, id: `merged-${deck.id}` }))] }),
    'PUT /decks/:deck/company': ({ params, body }) => {
      const isBack = (body as { companyId?: string }).companyId === PULSARA.id;
      company = { ...company, decks: decks.filter(({ id }) => isBack || id !== params['deck']) };
      return isBack
        ? company
        : { ...PULSARA, id: CARDIO?.id ?? '', name: (body as { name?: string }).name ?? 'CardioSense' };
    },
  };
}

async function openMove(fileName: string, decks = PULSARA.decks) {
  const opened = await openPage(ADDRESS, { answers: changing(decks) });
  await opened.user.click(await screen.findByRole('button', { name: `More for ${fileName}` }));
  await opened.user.click(await screen.findByRole('menuitem', { name: 'Move to another company' }));
  await screen.findByRole('dialog', { name: `Move ${fileName}` });
  return opened;
}

it('A company is renamed, and the old name comes back by undo', async () => {
  const { user } = await openPage(ADDRESS, { answers: changing() });
  await user.click(await screen.findByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename' }));
  const send = dialog.getByRole('button', { name: 'Rename' });
  expect(send.hasAttribute('disabled')).toBe(true);
  const name = dialog.getByLabelText('Name');
  await user.clear(name);
  await user.type(name, '   ');
  expect(send.hasAttribute('disabled')).toBe(true);
  await user.type(name, 'Pulsara Health {Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Pulsara Health' });
  expect(callsOf('PATCH /companies/:company')[0]).toMatchObject({
    params: { company: PULSARA.id },
    body: { name: 'Pulsara Health' },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getAllByText('The company is now called Pulsara Health.').length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('heading', { level: 1, name: 'Pulsara' });
  await screen.findAllByText('It is as it was before.');
});

it('A refused name is told, and the dialog stays with what was typed', async () => {
  const { user } = await openPage(ADDRESS, { answers: changing(), language: 'de' });
  answerApi({ 'PATCH /companies/:company': problem(409, 'conflict', 'Another company has this name.') });
  await user.click(await screen.findByRole('button', { name: 'Umbenennen' }));
  await user.type(await screen.findByLabelText('Name'), ' AG{Enter}');
  await screen.findAllByText('Another company has this name.');
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Pulsara AG');
  await user.click(screen.getByRole('button', { name: 'Abbrechen' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('A merge says what it does before it does it', async () => {
  const { user } = await openPage(ADDRESS, { answers: changing() });
  await user.click(await screen.findByRole('button', { name: 'Merge' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge another company into Pulsara' }));
  await dialog.findByRole('option', { name: /^Quayline/u });
  // The company itself is not offered.
  expect(dialog.queryByRole('option', { name: /^Pulsara/u })).toBeNull();
  await user.type(dialog.getByRole('combobox'), 'cardio');
  await user.click(await dialog.findByRole('option', { name: 'CardioSense1 deck · cardiosense.example' }));
  expect(dialog.getByText('CardioSense with 1 deck goes into Pulsara. Pulsara keeps its name.')).toBeTruthy();
  expect(dialog.getByText('New decks of CardioSense go to Pulsara as well.')).toBeTruthy();
  expect(callsOf('POST /companies/:company/merge')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Choose another' }));
  await user.click(await dialog.findByRole('option', { name: /^Quayline/u }));
  await user.click(dialog.getByRole('button', { name: 'Merge' }));
  await screen.findByRole('link', { name: '4 decks' });
  const [quayline] = documents.companies().items.filter(({ name }) => name === 'Quayline');
  expect(callsOf('POST /companies/:company/merge')[0]).toMatchObject({
    params: { company: PULSARA.id },
    body: { from: quayline?.id },
  });
  expect(screen.getAllByText('Quayline is part of Pulsara now.').length).toBeGreaterThan(0);
});

it('A refused merge is told, and the choice stays', async () => {
  const { user } = await openPage(ADDRESS, { answers: changing() });
  answerApi({ 'POST /companies/:company/merge': problem(409, 'conflict', 'A deck of it is being deleted.') });
  await user.click(await screen.findByRole('button', { name: 'Merge' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('option', { name: /^Quayline/u }));
  await user.click(dialog.getByRole('button', { name: 'Merge' }));
  await screen.findAllByText('A deck of it is being deleted.');
  expect(dialog.getByText(/^Quayline with 1 deck goes into Pulsara/u)).toBeTruthy();
});

it('A deck moves to a new company, and comes back by undo', async () => {
  const { user } = await openMove('Pulsara 2027.pdf');
  await user.click(screen.getByLabelText('To a new company'));
  const move = screen.getByRole('button', { name: 'Move' });
  expect(move.hasAttribute('disabled')).toBe(true);
  await user.type(screen.getByLabelText('Name of the new company'), ' Herzwerk ');
  await user.click(move);
  await screen.findByRole('link', { name: '1 deck' });
  expect(callsOf('PUT /decks/:deck/company')[0]).toMatchObject({
    params: { deck: AUTUMN?.id },
    body: { name: 'Herzwerk' },
  });
  expect(screen.getAllByText('Pulsara 2027.pdf is a deck of Herzwerk now.').length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('link', { name: '2 decks' });
  expect(callsOf('PUT /decks/:deck/company')[1]).toMatchObject({
    params: { deck: AUTUMN?.id },
    body: { companyId: PULSARA.id },
  });
});

it('The only deck of a company takes the page with it to a known company', async () => {
  const { user, address } = await openMove('Pulsara 2026.pdf', SPRING === undefined ? [] : [SPRING]);
  expect(screen.getByText('It is the only deck of Pulsara, which then goes with it.')).toBeTruthy();
  await user.click(screen.getByLabelText('To a new company'));
  expect(screen.getByText('It is the only deck of Pulsara, which takes the new name.')).toBeTruthy();
  await user.click(screen.getByLabelText('To a known company'));
  await user.type(screen.getByRole('combobox'), 'cardio');
  await screen.findByRole('option', { name: /^CardioSense/u });
  await user.keyboard('{Enter}');
  await expect.poll(address).toBe(`/companies/${CARDIO?.id}`);
  await screen.findByRole('heading', { level: 1, name: 'CardioSense' });
  expect(callsOf('PUT /decks/:deck/company')[0]?.body).toEqual({ companyId: CARDIO?.id });
  // There is nothing to go back to.
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('A search for a company that is not there says so, and Escape closes the dialog', async () => {
  const { user } = await openMove('Pulsara 2027.pdf');
  await user.type(screen.getByRole('combobox'), 'nobody');
  await screen.findByText('No company found.');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(callsOf('PUT /decks/:deck/company')).toHaveLength(0);
});
