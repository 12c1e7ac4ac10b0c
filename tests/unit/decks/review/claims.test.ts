/** The list of claims, through which a reader goes with the keyboard. */
import { expect, it } from 'vitest';
import { claimsOf } from '../../../../domain/decks/review/claims.ts';
import { reviewWords } from '../../../../domain/decks/review/words.ts';
import { isProof } from '../../../../domain/decks/review/proof.ts';
import { quotesOfTopic } from '../../../../domain/profile/statement.ts';
import { PROFILE_TOPICS } from '../../../../domain/profile/topics.ts';
import { subjectParts } from '../../../../domain/decks/verdicts/subject.ts';
import { forAll } from '../../../../testing/property.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { anyReport } from './arbitrary-report.ts';

it('a review has an id per claim, of the kind that people give verdicts on', () =>
  forAll([anyReport], (report) => {
    const ids = claimsOf(report).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map(subjectParts)).not.toContain(null);
  }));

it('every quote of a value, a topic, a supported answer or a reading is in exactly one claim', () =>
  forAll([anyReport], (report) => {
    const questions = report.chapters
      .flatMap((chapter) => chapter.questions)
      .filter(({ state }) => state !== 'not_supported');
    const topics = report.profile.topics.map((topic) => ({ evidence: quotesOfTopic(topic) }));
    const all = [...report.extractions, ...topics, ...questions, ...report.specialised].flatMap(
      ({ evidence }) => evidence,
    );
    const claimed = claimsOf(report).flatMap(({ evidence }) => evidence);
    expect(claimed.length).toBe(all.length);
    expect(new Set(claimed)).toEqual(new Set(all));
  }));

it('a claim shows the verdict of its best quote: proof wherever there is some', () =>
  forAll([anyReport], (report) =>
    claimsOf(report).every(({ verdict, evidence }) => isProof({ verdict }) === evidence.some(isProof)),
  ));

it('claims go from values and the profile to answers to readings, with names in the language asked for', () => {
  const report = reportWith('Plain words');
  expect(claimsOf(report).map(({ id, label }) => [id, label])).toEqual([
    ['value/company_name', 'Company'],
    ...PROFILE_TOPICS.map((topic) => [`profile/${topic}`, reviewWords.en.topics[topic]]),
    ['question/question_1', 'Which problem is solved?'],
    ['question/question_2', 'Which problem is solved?'],
    ['question/question_3', 'Which problem is solved?'],
    ['question/question_4', 'Which problem is solved?'],
    ['reading/clinical', 'Clinical'],
  ]);
  expect(claimsOf(report, 'de').at(0)?.label).toBe('Unternehmen');
});
