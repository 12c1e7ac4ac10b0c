/** The summary of a review: what is said first, and that nothing is added to what the report says. */
import { expect, it } from 'vitest';
import type { AnalysisReport, ReportQuestion } from '../../../../domain/decks/report.ts';
import { claimsOf } from '../../../../domain/decks/review/claims.ts';
import { quoteKey } from '../../../../domain/decks/review/proof.ts';
import { summaryOf, TOPICS, type SummaryTopic } from '../../../../domain/decks/review/summary.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../../prisma/seed/seven-chapter-review.ts';
import { forAll } from '../../../../testing/property.ts';
import { provenance, reportWith } from '../../api/report-fixture.ts';
import { chapterAsking, quoted } from '../fixtures.ts';
import { anyReport } from './arbitrary-report.ts';

/** A report with these answers, by slug; a language model made them. */
function withAnswers(
  answers: Readonly<Record<string, Partial<ReportQuestion>>>,
  engineKind = 'ollama',
): AnalysisReport {
  const questions = Object.entries(answers).map(([slug, answer]) => ({
    answerProvenance: { ...provenance, engineKind },
    evidence: [],
    slug,
    ...answer,
  }));
  return reportWith('x', { chapters: chapterAsking(questions) });
}

const topicOf = (report: AnalysisReport, topic: SummaryTopic['topic']): SummaryTopic | undefined =>
  summaryOf(report).find((each) => each.topic === topic);

it('a summary tells each topic once, in the order that an analyst reads', () =>
  forAll([anyReport], (report) => {
    const topics = summaryOf(report).map(({ topic }) => topic);
    expect(topics).toEqual(TOPICS.filter((topic) => topics.includes(topic)));
  }));

it('a summary says nothing that the report does not say: each fact is a value, an answer or the sector, with quotes of its own claim', () =>
  forAll([anyReport], (report) => {
    const claims = new Map(claimsOf(report).map((claim) => [claim.id, claim]));
    const answers = report.chapters.flatMap(({ questions }) => questions.map(({ answer }) => answer));
    const texts = [...report.extractions.map(({ raw }) => raw), ...answers, report.sector.name];
    for (const fact of summaryOf(report).flatMap(({ facts }) => facts)) {
      const own = claims.get(fact.claim)?.evidence ?? [];
      expect(own).toEqual(expect.arrayContaining([...fact.evidence]));
      const said = fact.verbatim ? fact.evidence.map((each) => each.quote) : [fact.text];
      expect(fact.verbatim ? own.map((each) => each.quote) : texts).toEqual(expect.arrayContaining(said));
    }
  }));

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
  const summary = summaryOf({ ...withAnswers({}), contradictions });
  expect(
    summary.flatMap(({ topic, contradiction }) => (contradiction === null ? [] : [[topic, contradiction]])),
  ).toEqual([['ask', { index: 1, sides: contradictions[1] }]]);
});

it('a quote of the deck is said in one fact only', () =>
  forAll([anyReport], (report) => {
    const facts = summaryOf(report).flatMap((topic) => topic.facts);
    const keys = facts.filter(({ verbatim }) => verbatim).flatMap(({ evidence }) => evidence.map(quoteKey));
    expect(new Set(keys).size).toBe(keys.length);
  }));

it('a fact has the words of a model, and its quotes with those that prove something first', () => {
  const evidence = [quoted('Many customers', 2, 'contradicted'), quoted('31 hospitals pay', 7)];
  const report = withAnswers({ paying_customers: { answer: ' 31 hospitals pay for it. ', evidence } });
  expect(topicOf(report, 'traction')?.facts).toEqual([
    {
      claim: 'question/paying_customers',
      text: '31 hospitals pay for it.',
      verbatim: false,
      statedAbsent: false,
      evidence: evidence.toReversed(),
    },
  ]);
});

it('a fact has the quotes in place of an answer of rules, which only frames them', () => {
  const evidence = [quoted('31 hospitals pay', 7), quoted('not on the slide', 2, 'contradicted')];
  const report = withAnswers({ paying_customers: { answer: 'Slide 7: "31 hospitals pay"', evidence } }, 'rules');
  expect(topicOf(report, 'traction')?.facts[0]).toMatchObject({ text: '31 hospitals pay', verbatim: true });
});

it('a quote goes to the fact that has the fewest', () => {
  const use = quoted('40 % sales');
  const report = withAnswers(
    {
      funding_requirements: { evidence: [quoted('We raise €2M'), use, quoted('24 months')] },
      fund_allocation: { evidence: [use] },
    },
    'rules',
  );
  expect(topicOf(report, 'use_of_funds')?.facts[0]?.text).toBe('40 % sales');
  expect(topicOf(report, 'ask')?.facts.at(-1)?.text).toBe('We raise €2M · 24 months');
});

it('a summary says that a deck names no team, and leaves out a market of which it says nothing', () => {
  const none = { state: 'not_found' as const, answer: null };
  const report = withAnswers({ team_experience: none, problem_quantification: none });
  expect(topicOf(report, 'team')).toMatchObject({ facts: [], absence: 'not_found' });
  expect(topicOf(report, 'market')).toBeUndefined();
});

it('a summary tells that the deck says there is none, in its words', () => {
  const answer = {
    state: 'stated_absent' as const,
    answer: 'There are no competitors.',
    evidence: [quoted('No rivals')],
  };
  const [fact] = topicOf(withAnswers({ competitive_landscape: answer }), 'competition')?.facts ?? [];
  expect(fact).toMatchObject({ statedAbsent: true, text: 'There are no competitors.' });
});

it('a summary has fewer topics for a template with other questions', () => {
  const topics = summaryOf(reportWith('x')).map(({ topic }) => topic);
  expect(topics).toEqual(['offering', 'company', 'ask', 'deck_date', 'sector']);
});

it('a summary knows every slug that it asks of the Seven-Chapter review', () => {
  const slugs = SEVEN_CHAPTER_REVIEW.chapters.flatMap((chapter) => chapter.questions.map(({ slug }) => slug));
  const all = Object.fromEntries(slugs.map((slug) => [slug, { answer: slug, evidence: [quoted(slug)] }]));
  expect(summaryOf(withAnswers(all)).map(({ topic }) => topic)).toEqual(TOPICS);
});
