/** The summary of a review: what is said first, and that nothing is added to what the report says. */
import { expect, it } from 'vitest';
import type { AnalysisReport, ReportProfile } from '../../../../domain/decks/report.ts';
import { claimsOf } from '../../../../domain/decks/review/claims.ts';
import {
  claimsOfTopic,
  isOfProfile,
  lacksProfile,
  SUMMARY_CLAIMS,
  summaryOf,
  TOPICS,
  type SummaryTopic,
} from '../../../../domain/decks/review/summary.ts';
import { statementOfFact } from '../../../../domain/profile/statement.ts';
import {
  competitionIn,
  factFrom,
  NO_PROFILE,
  profileOf,
  quoteFrom,
  TOPIC_STATES,
} from '../../../../testing/profile.ts';
import { forAll } from '../../../../testing/property.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { anyReport } from './arbitrary-report.ts';

const withProfile = (profile: ReportProfile): AnalysisReport => reportWith('x', { profile });

/** A topic of the summary of a report. */
function topicOf(report: AnalysisReport, topic: SummaryTopic['topic']): SummaryTopic {
  const found = summaryOf(report).find((each) => each.topic === topic);
  if (found === undefined) throw new Error(`the summary lacks ${topic}`);
  return found;
}

it('a summary tells every topic once, in the order that an analyst reads, whatever was found', () =>
  forAll([anyReport], (report) => expect(summaryOf(report).map(({ topic }) => topic)).toEqual(TOPICS)));

it('a summary says nothing that the report does not say: each fact is a value, a fact of the profile or the sector, with quotes of its own claim', () =>
  forAll([anyReport], (report) => {
    const claims = new Map(claimsOf(report).map((claim) => [claim.id, claim]));
    const facts = report.profile.topics.flatMap(({ topic, facts: own }) =>
      own.map((fact) => statementOfFact(topic, fact)),
    );
    const texts = [...report.extractions.map(({ raw }) => raw), ...facts, report.sector.name];
    for (const fact of summaryOf(report).flatMap((topic) => topic.facts)) {
      const own = claims.get(fact.claim)?.evidence ?? [];
      expect(own).toEqual(expect.arrayContaining([...fact.evidence]));
      expect(SUMMARY_CLAIMS.has(fact.claim)).toBe(true);
      if (!fact.verbatim) expect(texts).toContain(fact.text);
    }
  }));

it('each fact has a key of its own, and each claim of a topic has all of its facts', () =>
  forAll([anyReport], (report) => {
    const topics = summaryOf(report);
    const keys = topics.flatMap(({ facts }) => facts.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    for (const topic of topics) {
      const claims = claimsOfTopic(topic);
      expect(claims.flatMap(({ facts }) => facts).toSorted(byKey)).toEqual(topic.facts.toSorted(byKey));
      expect(claims.every(({ claim, facts }) => facts.every((fact) => fact.claim === claim))).toBe(true);
    }
  }));

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

it('achievements stand before plans', () =>
  forAll([anyReport], (report) =>
    summaryOf(report)
      .flatMap(claimsOfTopic)
      .every(({ facts }) => {
        const plans = facts.map(({ isPlan }) => isPlan);
        return plans.indexOf(true) === -1 || !plans.slice(plans.indexOf(true)).includes(false);
      }),
  ));

it('a topic has either facts or the reason why there are none', () =>
  forAll([anyReport], (report) =>
    summaryOf(report).every(({ facts, absence }) => facts.length > 0 === (absence === null)),
  ));

it('the ask names both of two sums asked for with their slides, and no other contradiction', () => {
  const sides = (kind: 'ask' | 'figure', value: string) => ({
    kind,
    subject: kind,
    first: { slide: 3, quote: `Ask: ${value}`, value },
    second: { slide: 9, quote: 'We raise 3 crore', value: '3 crore' },
  });
  const contradictions = [sides('figure', '120'), sides('ask', '5 crore')];
  const summary = summaryOf(reportWith('x', { contradictions }));
  expect(
    summary.flatMap(({ topic, contradiction }) => (contradiction === null ? [] : [[topic, contradiction]])),
  ).toEqual([['ask', { index: 1, sides: contradictions[1] }]]);
});

it.each(TOPIC_STATES)('a topic that is $status is told as such', ({ status, absence }) => {
  const topic = topicOf(withProfile(competitionIn(status)), 'competition');
  expect(topic.absence).toBe(absence);
  expect(topic.facts.map(({ text, statedAbsent }) => [text, statedAbsent])).toEqual(
    status === 'found'
      ? [
          ['Quay', false],
          ['Dock', false],
        ]
      : status === 'stated_absent'
        ? [['Nobody else does this today.', true]]
        : [],
  );
});

it('a profile that failed or still runs is the reason for each of its topics', () => {
  for (const [status, absence] of [
    ['failed', 'failed'],
    ['pending', 'pending'],
    ['unreadable', 'unreadable'],
  ] as const) {
    const topics = summaryOf(withProfile({ ...NO_PROFILE, status })).filter(({ topic }) => isOfProfile(topic));
    expect(new Set(topics.map((topic) => topic.absence))).toEqual(new Set([absence]));
  }
});

it('the ask has its value first, and what the profile says of terms once', () => {
  const amount = factFrom(5, 'We raise €2M', { name: 'amount', value: '€2M', amount: 2e6, currency: 'EUR' });
  const runway = factFrom(5, 'for 18 months', { name: 'runway', value: '18 months' });
  const report = withProfile(profileOf({ ask: [amount, runway] }));
  const [company] = report.extractions;
  if (company === undefined) throw new Error('the fixture has a value');
  const funding = { ...company, field: 'funding', raw: '€2M', evidence: [quoteFrom(5, 'We raise €2M')] };
  expect(
    topicOf({ ...report, extractions: [funding] }, 'ask').facts.map(({ key, text, typed }) => [key, text, typed]),
  ).toEqual([
    ['value/funding', '€2M', null],
    ['profile/ask/2', 'runway: 18 months', runway],
  ]);
  expect(topicOf({ ...report, extractions: [] }, 'ask').facts.map(({ text }) => text)).toEqual([
    '€2M',
    'runway: 18 months',
  ]);
});

it('a fact without words of its own is its quote', () => {
  const [fact] = topicOf(withProfile(profileOf({ traction: [factFrom(4, '31 hospitals pay')] })), 'traction').facts;
  expect(fact).toMatchObject({ text: '31 hospitals pay', verbatim: true });
});

it('a review from before decks had a profile lacks it; one that runs, or that has asked for nothing, does not', () => {
  expect(lacksProfile(withProfile(NO_PROFILE))).toBe(true);
  expect(lacksProfile(withProfile({ ...NO_PROFILE, status: 'pending' }))).toBe(false);
  expect(lacksProfile(withProfile(profileOf({})))).toBe(false);
  expect(lacksProfile(reportWith('x', { profile: NO_PROFILE, extractions: [] }))).toBe(false);
});
