/** A person's correction of a value that the machine read. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  recordedReport,
  ANALYSIS_ID,
  head,
  type Inside,
  openReview,
  part,
  rowIn,
  said,
  sentVerdicts,
} from '../deck-page.ts';

/** What the summary says on a topic. */
function topic(name: string, section = 'Summary'): Inside {
  const row = within(part(section)).getByText(name, { selector: 'dt' }).parentElement;
  if (row === null) throw new Error(`nothing is told of ${name}`);
  return within(row);
}

/** The open form. */
const form = (): Inside => within(screen.getByRole('dialog', { name: /^(?:Correct|Berichtigen): /u }));

const field = (name: string): HTMLInputElement => form().getByLabelText<HTMLInputElement>(name);

const save = (): HTMLButtonElement => form().getByRole<HTMLButtonElement>('button', { name: 'Save' });

it('A corrected sum stands at once beside what the machine read, until it is withdrawn', async () => {
  const { user } = await openReview();
  const row = (): Inside => rowIn('Summary', 'Funding sought');
  await user.click(row().getByRole('button', { name: 'Correct: Funding sought' }));
  expect([field('In words').value, field('Amount').value, field('Currency').value]).toEqual([
    '4.5 million euros',
    '4500000',
    'EUR',
  ]);
  await user.clear(field('In words'));
  await user.type(field('In words'), 'three million');
  await user.clear(field('Amount'));
  await user.type(field('Amount'), '3 000 000,50');
  await user.type(field('Reason'), 'They said so.');
  await user.click(save());

  await row().findByText(/^three million \(€3m\)$/iu);
  expect(row().getByText('machine: 4.5 million euros')).toBeTruthy();
  expect(row().getByText('by Ann Archer')).toBeTruthy();
  expect(row().getByText('They said so.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sentVerdicts()).toEqual([
    {
      kind: 'value',
      subject: 'value/funding',
      text: 'three million',
      amount: 3_000_000.5,
      currency: 'EUR',
      isoDate: null,
      reason: 'They said so.',
      analysisId: ANALYSIS_ID,
    },
  ]);

  await user.click(row().getByRole('button', { name: 'Correct: Funding sought' }));
  expect([field('In words').value, field('Reason').value]).toEqual(['three million', 'They said so.']);
  await user.click(form().getByRole('button', { name: 'Withdraw' }));
  await row().findByText('4.5 million euros');
  expect(row().queryByText(/^machine:/u)).toBeNull();
  expect(sentVerdicts().at(-1)).toMatchObject({ kind: 'value', subject: 'value/funding', text: null });
});

it('A sum or a currency that is none cannot be saved, and a sum alone is its own words', async () => {
  const { user } = await openReview();
  await user.click(screen.getByRole('button', { name: 'Correct: Funding sought' }));
  await user.clear(field('In words'));
  await user.clear(field('Amount'));
  expect(save().disabled).toBe(true);
  await user.type(field('Amount'), 'a lot');
  expect(save().disabled).toBe(true);
  await user.clear(field('Amount'));
  await user.type(field('Amount'), '5');
  await user.clear(field('Currency'));
  await user.type(field('Currency'), 'us');
  expect(save().disabled).toBe(true);
  await user.type(field('Currency'), 'd');
  await user.click(save());
  await expect.poll(sentVerdicts).toMatchObject([{ text: 'USD 5', amount: 5, currency: 'USD', reason: null }]);
});

it('A corrected date is read back, and a date that is none cannot be saved', async () => {
  const { user } = await openReview();
  await user.click(screen.getByRole('button', { name: 'Correct: Date of the deck' }));
  expect(field('Date').value).toBe('2026-03');
  await user.clear(field('In words'));
  await user.type(field('In words'), 'next spring');
  await user.clear(field('Date'));
  await user.type(field('Date'), 'spring');
  expect(save().disabled).toBe(true);
  await user.clear(field('Date'));
  await user.type(field('Date'), '2027-04');
  await user.click(save());
  await topic('Date of the deck').findByText(/^next spring \(Apr(?:il)? 2027\)$/u);
  expect(sentVerdicts()).toMatchObject([{ subject: 'value/deck_date', isoDate: '2027-04', amount: null }]);
});

it('Another sector is chosen by its name, and both are shown by their names', async () => {
  const { user } = await openReview();
  expect(topic('Sector').getByText(/^95 % sure · The deck is about health/u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Correct: Sector' }));
  await user.selectOptions(field('Sector'), 'Digital therapeutics');
  await user.click(save());
  await topic('Sector').findByText('Digital therapeutics');
  expect(topic('Sector').getByText('machine: Telemedicine')).toBeTruthy();
  expect(sentVerdicts()).toMatchObject([{ subject: 'value/sector', text: 'digital_therapeutics' }]);
});

it('A corrected company is the heading of the page, its title, and the one who is asked', async () => {
  const { user } = await openReview();
  await user.click(screen.getByRole('button', { name: 'Correct: Company' }));
  await user.clear(field('Value'));
  await user.type(field('Value'), 'Pulsara Health');
  await user.click(save());
  await head().findByRole('heading', { name: 'Pulsara Health' });
  expect(document.title).toBe('Pulsara Health, review · Deckhand');
  const mail = screen.getByRole('link', { name: 'Open as mail' }).getAttribute('href') ?? '';
  expect(decodeURIComponent(mail)).toContain('Pulsara Health');
});

it('A value that the machine did not find can be given by a person', async () => {
  const report = recordedReport();
  const extractions = report.extractions.map((value) =>
    value.field === 'company_name' ? { ...value, raw: null, status: 'not_found' as const, evidence: [] } : value,
  );
  const { user } = await openReview({ report: { ...report, company: null, extractions } });
  expect(topic('Company').getByText('not found in the deck')).toBeTruthy();
  expect(head().getByRole('heading').textContent).toBe('Pulsara 2026.pdf');
  await user.click(topic('Company').getByRole('button', { name: 'Correct: Company' }));
  await user.type(field('Value'), 'Pulsara');
  await user.click(form().getByRole('button', { name: 'Cancel' }));
  expect(sentVerdicts()).toEqual([]);
  await user.click(topic('Company').getByRole('button', { name: 'Correct: Company' }));
  await user.type(field('Value'), 'Pulsara');
  await user.click(save());
  await topic('Company').findByText('machine: nothing');
  expect(head().getByRole('heading').textContent).toBe('Pulsara');
});

it('A correction is shown and made in German', async () => {
  const history = said({ kind: 'value', subject: 'value/offering', text: 'Eine App', reason: 'Kürzer.' });
  const { user } = await openReview({ history, language: 'de' });
  const row = topic('Was sie tun', 'Überblick');
  expect(row.getByText('Eine App')).toBeTruthy();
  expect(row.getByText('von Ben Baker')).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Berichtigen: Angebot' }));
  expect([field('Wert').value, field('Begründung').value]).toEqual(['Eine App', 'Kürzer.']);
});
