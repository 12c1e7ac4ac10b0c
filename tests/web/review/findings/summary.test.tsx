/** The summary and the special readings. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import {
  recordedReport,
  answeredByModel,
  type Inside,
  NOT_JUDGED,
  openReview,
  part,
  reportWith,
  rowIn,
  said,
  spoken,
} from '../deck-page.ts';

const summary = (name = 'Summary'): Inside => within(part(name));

/** Topics with what is told of each. */
const told = (): Record<string, string> =>
  Object.fromEntries(
    summary()
      .getAllByRole('term')
      .map((term) => [term.textContent, (term.nextElementSibling?.textContent ?? '').replaceAll(NOT_JUDGED, '')]),
  );

/** The recorded report with one of its values changed. */
function withValue(field: string, change: Partial<AnalysisReport['extractions'][number]>): AnalysisReport {
  const report = recordedReport();
  const extractions = report.extractions.map((value) => (value.field === field ? { ...value, ...change } : value));
  return { ...report, extractions };
}

it('Every topic is told with its slides, in the words of the deck where rules answered', async () => {
  const { user } = await openReview();
  expect(told()).toEqual({
    'What they do': expect.stringMatching(
      /^Pulsara offers a remote monitoring app for heart failure patientsSlide 1Not/u,
    ),
    Company: expect.stringMatching(/^PulsaraSlide 1Not judged/u),
    Customers: expect.stringMatching(/^Slide 4“Hospitals pay Pulsara 45 euros per patient and month\.”/u),
    'Funding sought': expect.stringMatching(
      /^4\.5 million eurosSlide 5.*Two sums asked for4\.5 million eurosSlide 5€2\.5MSlide 6/u,
    ),
    'Use of funds': expect.stringMatching(/^Slide 5“Half goes to sales, a third to clinical studies\.”/u),
    Traction: expect.stringMatching(/“In a pilot with 212 patients readmissions fell by 38 %\.”/u),
    'Date of the deck': expect.stringMatching(/^March 2026Slide 1Not judged/u),
    Sector: expect.stringMatching(/^Telemedicine95 % sure · The deck is about health/u),
  });
  expect(summary().getByText('Team: not found in the deck')).toBeTruthy();
  await user.click(rowIn('Summary', 'Funding sought').getByRole('button', { name: /^Slide 5/u }));
  await expect.poll(spoken).toBe('Slide 5, quote lit');
});

it('What is not known is told together, a line for each reason', async () => {
  const unknown = { state: null, answer: null, evidence: [] };
  await openReview({
    report: reportWith({
      payer_identification: { ...unknown, status: 'pending' },
      payer_vs_user: { ...unknown, status: 'pending' },
      fund_allocation: { ...unknown, status: 'failed' },
    }),
  });
  for (const line of ['Customers: not asked yet', 'Use of funds: could not be computed', 'Team: not found in the deck'])
    expect(summary().getByText(line)).toBeTruthy();
  expect(told()['Customers']).toBeUndefined();
});

it('A long answer of a model is cut between words, and told in quotes to who wants only the deck', async () => {
  const answer = `Hospitals pay. ${'They pay per patient and month. '.repeat(12)}`.trim();
  const { user } = await openReview({
    report: reportWith({ payer_identification: answeredByModel('payer_identification', answer) }),
  });
  const row = rowIn('Summary', 'Who pays for the product?');
  const cut = row.getByText(/^Hospitals pay\./u).textContent;
  expect(cut.length).toBeLessThan(265);
  expect(cut).toMatch(/^Hospitals pay\. They pay .* \p{L}+\.? …$/u);
  expect(`${answer} `.startsWith(cut.replace('…', ''))).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: 'Only what the deck says' }));
  expect(row.queryByText(/^Hospitals pay\./u)).toBeNull();
  expect(row.getByText('“Hospitals pay Pulsara 45 euros per patient and month.”')).toBeTruthy();
  expect(told()['Sector']).toBeUndefined();
});

it('A value of which the deck says that there is none is told in its words', async () => {
  const evidence = recordedReport().extractions.find(({ field }) => field === 'funding')?.evidence ?? [];
  await openReview({ report: withValue('funding', { raw: null, status: 'stated_absent', evidence }) });
  const row = rowIn('Summary', 'Funding sought');
  expect(row.getByText('The deck says that there is none.')).toBeTruthy();
  expect(row.getByText('“We are raising 4.5 million euros.”')).toBeTruthy();
});

it('A sector is told with the second one, and without a share that is not known', async () => {
  const report = recordedReport();
  const sector = { ...report.sector, confidence: null, secondary: 'diagnostics_devices', reasoning: null };
  await openReview({ report: { ...report, sector } });
  expect(told()['Sector']).toMatch(/^Telemedicinealso Diagnostics/u);
});

it('The summary is told in German', async () => {
  await openReview({ language: 'de' });
  const german = summary('Überblick');
  expect(german.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Was sie tun',
    'Unternehmen',
    'Kunden',
    'Gesuchte Finanzierung',
    'Verwendung der Mittel',
    'Bisherige Erfolge',
    'Stand des Decks',
    'Branche',
  ]);
  expect(german.getByText(/^zu 95 % sicher · /u)).toBeTruthy();
  expect(german.getByText('Team: im Deck nicht gefunden')).toBeTruthy();
});

it('A special reading tells its points by the quotes they rest on, and one that found nothing says so', async () => {
  const { user } = await openReview({
    history: said({ kind: 'note', subject: 'reading/science', text: 'Ask a cardiologist.' }),
  });
  const clinical = rowIn('Special readings', 'Clinical');
  expect(clinical.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual([
    'Population and sample size',
    'Not found',
  ]);
  // The quote is written out above: the point, which is only that quote, is not told again.
  expect(clinical.queryByText(/^Slide 3: "In a pilot/u)).toBeNull();
  expect(clinical.getByText(/^Nothing was found on: Study design/u)).toBeTruthy();
  expect(rowIn('Special readings', 'Science').getByText('Ask a cardiologist.')).toBeTruthy();
  expect(within(part('Special readings')).getByText('Regulatory:').parentElement?.textContent).toBe(
    'Regulatory: not found in the deck',
  );
  await user.click(clinical.getByRole('button', { name: /^Slide 3/u }));
  await expect.poll(spoken).toBe('Slide 3, quote lit');

  await user.click(screen.getByRole('checkbox', { name: 'Only what the deck says' }));
  expect(clinical.queryByText(/^The deck speaks of/u)).toBeNull();
  expect(clinical.queryByText(/^Nothing was found on/u)).toBeNull();
  expect(screen.queryByText('Regulatory:')).toBeNull();
});

it('A special reading tells which slides it had to do without and why there is none', async () => {
  const report = recordedReport();
  const specialised = report.specialised.map((reading) => {
    if (reading.kind === 'clinical') return { ...reading, points: [], computedWithout: [4] };
    return { ...reading, status: 'failed' as const, summary: null, evidence: [], reason: `No ${reading.kind} answer.` };
  });
  await openReview({ report: { ...report, specialised } });
  const section = within(part('Special readings'));
  expect(rowIn('Special readings', 'Clinical').getByText('Computed without slide 4.')).toBeTruthy();
  expect(rowIn('Special readings', 'Clinical').getByRole('button', { name: /^Slide 3/u })).toBeTruthy();
  expect(section.getByText('No regulatory answer.')).toBeTruthy();
  expect(section.getByText('No science answer.')).toBeTruthy();
});

it('A deck of another sector has no special readings', async () => {
  const report = recordedReport();
  const specialised = report.specialised.map((reading) => ({ ...reading, status: 'skipped' as const, evidence: [] }));
  await openReview({ report: { ...report, specialised } });
  expect(screen.queryByRole('region', { name: 'Special readings' })).toBeNull();
});

it('Two sums asked for stand beside each other in the summary, and each leads to its slide', async () => {
  const report = recordedReport();
  const sum = (slide: number, value: string) => ({ slide, value, quote: `We raise ${value}` });
  const ask = { kind: 'ask' as const, subject: 'ask', first: sum(5, '5 crore'), second: sum(7, '3 crore') };
  const { user, address } = await openReview({ report: { ...report, contradictions: [ask] } });
  const row = summary().getByText('Two sums asked for').parentElement as HTMLElement;
  expect(row.textContent).toBe('Two sums asked for5 croreSlide 53 croreSlide 7');
  await user.click(within(row).getByRole('button', { name: /3 crore/u }));
  await expect.poll(address).toMatch(/claim=contradiction%2F1&quote=2&slide=7$/u);
});
