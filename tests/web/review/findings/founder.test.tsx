/** Questions to the founder: chosen, copied, put into a mail. */
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { ReportQuestion } from '../../../../domain/decks/report.ts';
import { textsOf } from '../../support/texts.ts';
import { recordedReport, type Inside, openReview, part, reportWith, spoken } from '../deck-page.ts';

const section = (name: RegExp = /^Questions to the founder/u): Inside => within(part(name));

/** What is copied by a button, once the page says so. */
async function copied(user: UserEvent, button = 'Copy'): Promise<string> {
  await navigator.clipboard.writeText('');
  await user.click(section().getByRole('button', { name: button }));
  await expect.poll(() => navigator.clipboard.readText()).not.toBe('');
  return navigator.clipboard.readText();
}

/** Texts of the questions that are shown. */
const shown = (): string[] =>
  section()
    .getAllByRole('listitem')
    .map((item) => item.querySelector('label')?.textContent ?? '');

it('The founder is asked what the deck leaves open, grouped by the reason, and what is left out is not copied', async () => {
  const { user } = await openReview();
  const groups = textsOf(section().getAllByRole('heading', { level: 3 }));
  expect(groups[0]).toBe('The deck contradicts itself (2)');
  expect(groups).toContain('Not found in the deck (3)');
  const [first = ''] = shown();
  expect(await copied(user)).toContain(`1. ${first}`);
  expect((await screen.findAllByText('Copied')).length).toBeGreaterThan(0);
  const count = Number(section().getByRole('heading', { level: 2 }).textContent.replaceAll(/\D/gu, ''));
  expect(section().getByText(`${count} of ${count} chosen`)).toBeTruthy();

  await user.click(section().getByRole('checkbox', { name: first }));
  expect(section().getByText(`${count - 1} of ${count} chosen`)).toBeTruthy();
  expect(await copied(user)).not.toContain(first);
  await user.click(section().getByRole('checkbox', { name: first }));
  expect(await copied(user)).toContain(first);
});

it('Without a chosen question there is nothing to copy, until all are chosen again', async () => {
  const { user } = await openReview();
  const button = (name: string): HTMLButtonElement => section().getByRole<HTMLButtonElement>('button', { name });
  await user.click(button('Choose none'));
  expect(
    section()
      .getAllByRole<HTMLInputElement>('checkbox')
      .some(({ checked }) => checked),
  ).toBe(false);
  expect([button('Copy').disabled, button('Copy as mail').disabled]).toEqual([true, true]);
  expect(section().queryByRole('link', { name: 'Open as mail' })).toBeNull();
  await user.click(button('Choose all'));
  expect(
    section()
      .getAllByRole<HTMLInputElement>('checkbox')
      .every(({ checked }) => checked),
  ).toBe(true);
  expect(button('Copy').disabled).toBe(false);
});

it('The mail has the company in its subject and is written in the language that is chosen', async () => {
  const { user } = await openReview();
  const address = (): string => section().getByRole('link', { name: 'Open as mail' }).getAttribute('href') ?? '';
  const [first = ''] = shown();
  expect(address()).toMatch(/^mailto:\?subject=Pulsara/u);
  const mail = await copied(user, 'Copy as mail');
  expect(decodeURIComponent(address())).toBe(`mailto:?subject=${mail.replace('\n\n', '&body=')}`);
  await user.selectOptions(section().getByRole('combobox', { name: 'Language of the questions' }), 'German');
  expect(decodeURIComponent(address())).toMatch(/Fragen/u);
  const german = await copied(user);
  expect(german).not.toContain(first);
  expect(german).toContain(shown()[0]);
});

it('A page in German asks in German', async () => {
  await openReview({ language: 'de' });
  const german = section(/^Fragen an das Gründungsteam/u);
  expect(german.getByRole('heading', { name: 'Das Deck widerspricht sich (2)' })).toBeTruthy();
  expect(german.getByRole<HTMLSelectElement>('combobox').value).toBe('de');
  expect(german.getByRole('checkbox', { name: /^Wie hoch ist Ihr monatlicher Umsatz/u })).toBeTruthy();
});

it('The slides of a question lead to what the deck says on it', async () => {
  const { user } = await openReview();
  const [asks] = section().getAllByRole('listitem');
  if (asks === undefined) throw new Error('nothing is asked');
  await user.click(within(asks).getByRole('button', { name: 'Slide 6' }));
  await expect.poll(spoken).toMatch(/^Slide 6/u);
  const current = screen.getByRole('article', { current: true });
  expect(current.getAttribute('aria-label')).toBe('Two sums asked for');
});

it('Of many questions for one reason the first are shown, and the others on request', async () => {
  const open: Partial<ReportQuestion> = { state: 'not_found', evidence: [], answer: null };
  const slugs = recordedReport().chapters.flatMap(({ questions }) => questions.map(({ slug }) => slug));
  const { user } = await openReview({ report: reportWith(Object.fromEntries(slugs.map((slug) => [slug, open]))) });
  const heading = section().getByRole('heading', { name: /^Not found in the deck/u });
  const group = within(heading.parentElement ?? document.body);
  expect(group.getAllByRole('checkbox')).toHaveLength(6);
  await user.click(group.getByRole('button', { name: 'Show all 14' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(14);
  await user.click(group.getByRole('button', { name: 'Show fewer' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(6);
  expect(section().getByRole('link', { name: 'Open as mail' }).title).toMatch(/^Some mail programs cut a mail/u);
});

it('A refused copy is told', async () => {
  const { user } = await openReview();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  write.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  // jsdom has no commands of a document.
  Object.assign(document, { execCommand: () => false });
  await user.click(section().getByRole('button', { name: 'Copy' }));
  expect((await screen.findAllByText('The browser did not let the page copy it.')).length).toBeGreaterThan(0);
  write.mockRestore();
});

it('A deck that leaves nothing open says so, and a run that goes on that the questions follow', async () => {
  const answered: Partial<ReportQuestion> = { state: 'found', covered: 'yes', answer: 'Yes.' };
  const slugs = recordedReport().chapters.flatMap(({ questions }) => questions.map(({ slug }) => slug));
  const complete = reportWith(Object.fromEntries(slugs.map((slug) => [slug, answered])));
  const report = { ...complete, contradictions: [] };
  const { queries } = await openReview({ report });
  expect(section().getByText('The deck leaves no question open.')).toBeTruthy();
  queries.setQueriesData({ predicate: ({ queryKey }) => queryKey.includes('report') }, { ...report, finishedAt: null });
  expect(await section().findByText('They follow once the answers are there.')).toBeTruthy();
});
