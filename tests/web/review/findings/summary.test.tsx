/** The summary and the special readings. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { reviewWords } from '../../../../domain/decks/review/words.ts';
import { competitionIn, factFrom, NO_PROFILE, profileOf, TOPIC_STATES } from '../../../../testing/profile.ts';
import { runWords } from '../../../../web/review/run/words.ts';
import { pageWords } from '../../../../web/review/words.ts';
import { callsOf } from '../../support/api.ts';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import {
  recordedReport,
  ANALYSIS_ID,
  DECK,
  sentVerdicts,
  type Inside,
  NOT_JUDGED,
  openReview,
  part,
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

/** The recorded report with this profile. */
const withProfile = (profile: AnalysisReport['profile']): AnalysisReport => ({ ...recordedReport(), profile });

it('Every topic is told with its slides, in the order of an analyst', async () => {
  const { user } = await openReview();
  const said = told();
  expect(said).toEqual({
    'What they do': expect.stringMatching(
      /^Pulsara offers a remote monitoring app for heart failure patientsSlide 1Not/u,
    ),
    Company: expect.stringMatching(/^PulsaraSlide 1Not judged/u),
    'Funding sought': expect.stringMatching(
      /^4\.5 million eurosSlide 5.*Two sums asked for4\.5 million eurosSlide 5€2\.5MSlide 6/u,
    ),
    'Use of funds': expect.stringMatching(/^50 %SalesSlide 5a thirdClinical studiesSlide 5Not judged/u),
    Traction: expect.stringMatching(
      /^14 paying hospitalsSlide 4a pilot with 212 patientsSlide 3Planned, not reached yet:a trialSlide 2Not judged/u,
    ),
    Competition: expect.stringMatching(/^Slide 3“Competitors sell scales/u),
    'Date of the deck': expect.stringMatching(/^March 2026Slide 1Not judged/u),
    Sector: expect.stringMatching(/^Telemedicine95 % sure · The deck is about health/u),
  });
  expect(Object.keys(said)).toEqual(ORDER);
  await user.click(rowIn('Summary', 'Funding sought').getByRole('button', { name: /^Slide 5/u }));
  await expect.poll(spoken).toBe('Slide 5, quote lit');
});

const ORDER = [
  'What they do',
  'Company',
  'Funding sought',
  'Use of funds',
  'Traction',
  'Competition',
  'Date of the deck',
  'Sector',
];

it('Each fact of a list is a place that leads to its quote, and the topic is judged and annotated once', async () => {
  const { user, address } = await openReview();
  await user.click(rowIn('Summary', 'Use of funds: Clinical studies a third').getByText('Clinical studies'));
  await expect.poll(address).toMatch(/claim=profile%2Fuse_of_funds%2F2&slide=5$/u);
  expect(summary().getAllByRole('group', { name: /Use of funds$/u })).toHaveLength(1);
  await user.click(summary().getByRole('button', { name: 'Right: Use of funds' }));
  await summary().findByText('Right, says Ann Archer');
  expect(sentVerdicts()).toMatchObject([{ kind: 'judgement', subject: 'profile/use_of_funds', text: 'right' }]);
  // The key writes a note on the topic, wherever in its list one is.
  await user.keyboard('n');
  await user.keyboard('Ask for the plan.');
  await user.click(summary().getByRole('button', { name: 'Save' }));
  expect(await summary().findAllByText('Ask for the plan.')).toHaveLength(1);
  expect(sentVerdicts().at(-1)).toMatchObject({ kind: 'note', subject: 'profile/use_of_funds' });
});

it('Market sizes, people and competitors are set as such', async () => {
  await openReview({
    report: withProfile(
      profileOf({
        market: [factFrom(2, 'TAM €12.4B', { name: 'TAM', value: '€12.4B', amount: 12.4e9, currency: 'EUR' })],
        team: [
          factFrom(5, 'Dr. Ines Falk, cardiologist', { name: 'Dr. Ines Falk', value: 'cardiologist' }),
          factFrom(5, 'Jan Roth', { name: 'Jan Roth' }),
        ],
        competition: [factFrom(3, 'Quay', { name: 'Quay' }), factFrom(3, 'Dock', { name: 'Dock' })],
        ask: [
          factFrom(5, 'We are raising 4.5 million euros.', { name: 'amount', value: '4.5 million euros' }),
          factFrom(5, 'for 18 months', { name: 'runway', value: '18 months' }),
        ],
      }),
    ),
  });
  const topics = told();
  expect(topics['Market size']).toMatch(/^€12\.4BTAMSlide 2/u);
  expect(topics['Team']).toMatch(/^Dr\. Ines Falk, cardiologistSlide 5Jan RothSlide 5/u);
  expect(topics['Competition']).toMatch(/^QuaySlide 3DockSlide 3/u);
  expect(topics['Funding sought']).toMatch(/^4\.5 million eurosSlide 5Not judged.*18 monthsrunwaySlide 5/u);
});

describe.each(['en', 'de'] as const)('in %s', (language) => {
  const { topics, absence: reasons } = reviewWords[language];
  const { statedAbsent } = pageWords[language];
  const section = (): Inside => summary(pageWords[language].sections.summary);

  it.each(TOPIC_STATES)('a topic that is $status is told as such', async ({ status, absence }) => {
    await openReview({ report: withProfile(competitionIn(status)), language });
    if (absence !== null) {
      expect(section().getByText(new RegExp(`${topics.competition}.*: ${reasons[absence]}$`, 'u'))).toBeTruthy();
      expect(section().queryByText(topics.competition)).toBeNull();
    } else if (status === 'stated_absent') {
      expect(section().getByText(statedAbsent)).toBeTruthy();
      expect(section().getByText(/Nobody else does this today\./u)).toBeTruthy();
    } else {
      for (const name of ['Quay', 'Dock']) expect(section().getByText(name)).toBeTruthy();
    }
  });

  it('a review from before decks had a profile says so once, and a run asks for it', async () => {
    const { user } = await openReview({
      report: withProfile(NO_PROFILE),
      language,
      answers: { 'POST /analyses/:analysis/replay': {} },
    });
    expect(section().getByText(reviewWords[language].profileNotAsked)).toBeTruthy();
    expect(section().queryByText(new RegExp(topics.competition, 'u'))).toBeNull();
    await user.click(section().getByRole('button', { name: runWords[language].askProfile }));
    expect(await screen.findByText(runWords[language].profileStarted)).toBeTruthy();
    expect(callsOf('POST /analyses/:analysis/replay').map(({ params, body }) => [params, body])).toEqual([
      [{ analysis: ANALYSIS_ID }, { kind: 'full' }],
    ]);
  });
});

it('While a run is under way the profile cannot be asked for', async () => {
  await openReview({
    report: withProfile(NO_PROFILE),
    answers: { 'GET /decks/:deck': { ...DECK, status: 'running' } },
  });
  expect(summary().getByText('The profile was not asked.')).toBeTruthy();
  expect(summary().queryByRole('button', { name: 'Ask for it' })).toBeNull();
});

it('What is not known is told together, a line for each reason', async () => {
  await openReview();
  for (const line of ['Customers: could not be computed', 'Stage, Team, Market size: not found in the deck'])
    expect(summary().getByText(line)).toBeTruthy();
  expect(told()['Customers']).toBeUndefined();
});

it('Slides that the profile had to do without are named', async () => {
  await openReview({ report: withProfile(profileOf({}, { computedWithout: [6] })) });
  expect(summary().getByText('Computed without slide 6.')).toBeTruthy();
});

it('Who wants only the deck is told the facts in quotes, each once, without sector and judgements', async () => {
  const { user } = await openReview();
  await user.click(screen.getByRole('checkbox', { name: 'Only what the deck says' }));
  const quote = '“Half goes to sales, a third to clinical studies.”';
  expect(summary().getAllByText(quote)).toHaveLength(1);
  expect(summary().queryByText('Clinical studies')).toBeNull();
  expect(summary().queryByRole('button', { name: 'Right: Use of funds' })).toBeNull();
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
    'Gesuchte Finanzierung',
    'Verwendung der Mittel',
    'Bisherige Erfolge',
    'Wettbewerb',
    'Stand des Decks',
    'Branche',
  ]);
  expect(german.getByText(/^zu 95 % sicher · /u)).toBeTruthy();
  expect(german.getByText('Phase, Team, Marktgröße: im Deck nicht gefunden')).toBeTruthy();
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
