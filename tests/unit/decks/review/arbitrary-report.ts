/** Reports with any states of values, answers and readings, for properties of what is made of them. */
import { ANSWERING } from '../../../../domain/evidence/answering.ts';
import fc from 'fast-check';
import {
  REPORT_VERDICTS,
  QUESTION_STATUSES,
  VALUE_STATUSES,
  type AnalysisReport,
} from '../../../../domain/decks/report.ts';
import { VALUE_STATES } from '../../../../domain/evidence/value-state.ts';
import { EXTRACTION_FIELDS, LANGUAGES, SPECIALISED_KINDS } from '../../../../domain/models/model-tasks.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../../prisma/seed/seven-chapter-review.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../../../../domain/profile/topics.ts';
import { NOT_TYPED, provenance, reportWith } from '../../api/report-fixture.ts';

/** Few words, so that quotes are alike. */
const words = fc.constantFrom('31 hospitals pay.', 'We raise €2M.', 'Two pilots run.', 'Team of 5', 'No competitors');
const evidence = fc.array(
  fc.record({
    slide: fc.integer({ min: 1, max: 3 }),
    quote: words,
    verdict: fc.constantFrom(...REPORT_VERDICTS),
    reason: fc.constant(null),
    boxes: fc.constant(null),
    answering: fc.constantFrom(...ANSWERING, null),
    answeringBy: fc.constant(null),
    citedSlide: fc.constant(null),
    recognised: fc.constant(false),
    reread: fc.constant(null),
    rereadReason: fc.constant(null),
  }),
  { maxLength: 4 },
);
const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null });
const madeBy = fc.constantFrom(null, provenance, { ...provenance, engineKind: 'ollama' });

const UNREAD = { amount: null, minAmount: null, currency: null, iso: null, reason: null, computedWithout: [] };
const value = (field: string): fc.Arbitrary<AnalysisReport['extractions'][number]> =>
  fc
    .record({ status: fc.constantFrom(...VALUE_STATUSES), text: words, evidence, provenance: madeBy })
    .map(({ text, ...found }) => ({ field, raw: found.status === 'found' ? text : null, ...UNREAD, ...found }));

type SeedChapter = (typeof SEVEN_CHAPTER_REVIEW.chapters)[number];
const answer = fc.record({
  status: fc.constantFrom(...QUESTION_STATUSES),
  score: orNull(fc.integer({ min: 0, max: 7 })),
  state: orNull(fc.constantFrom(...VALUE_STATES)),
  covered: orNull(fc.constantFrom('yes' as const, 'partly' as const)),
  answer: orNull(words),
  evidence,
  answerProvenance: madeBy,
  weight: fc.constantFrom(1, 2, 5),
});

const chapter = ({
  slug,
  name,
  description,
  questions,
}: SeedChapter): fc.Arbitrary<AnalysisReport['chapters'][number]> =>
  fc
    .record({
      answers: fc.array(answer, { minLength: questions.length, maxLength: questions.length }),
      score: orNull(fc.double({ min: 0, max: 7, noNaN: true })),
    })
    .map(({ answers, score }) => ({
      slug,
      name,
      description,
      weight: 1,
      score,
      scored: 0,
      asked: questions.length,
      questions: answers.map((found, index) => ({
        slug: questions[index]?.slug ?? '',
        text: questions[index]?.text ?? '',
        healthFocus: null,
        rationale: null,
        reason: null,
        computedWithout: [],
        scoreProvenance: null,
        ...found,
      })),
    }));

const reading = (kind: AnalysisReport['specialised'][number]['kind']) =>
  evidence.map((quotes) => ({
    kind,
    status: 'analysed' as const,
    state: 'found' as const,
    covered: 'yes' as const,
    summary: 'What the deck says of it.',
    reason: null,
    points: [],
    computedWithout: [],
    evidence: quotes,
    provenance,
  }));

const fact = fc
  .record({ name: orNull(words), value: orNull(words), isPlan: fc.boolean(), evidence })
  .map(({ name, value, ...rest }) => ({ ...NOT_TYPED, ...rest, name: name ?? '', value: value ?? '' }));
const topic = (name: ProfileTopic): fc.Arbitrary<AnalysisReport['profile']['topics'][number]> =>
  fc
    .record({ status: fc.constantFrom(...VALUE_STATUSES), facts: fc.array(fact, { maxLength: 3 }), evidence })
    .map(({ status, facts, evidence: denied }) => ({
      topic: name,
      status,
      facts: status === 'found' ? facts : [],
      evidence: status === 'stated_absent' ? denied : [],
    }));
const profile: fc.Arbitrary<AnalysisReport['profile']> = fc
  .record({ topics: fc.tuple(...PROFILE_TOPICS.map(topic)), provenance: madeBy })
  .map((parts) => ({ status: 'analysed', reason: null, document: null, computedWithout: [], ...parts }));

/** Any report of the Seven-Chapter review. */
export const anyReport: fc.Arbitrary<AnalysisReport> = fc
  .record({
    language: fc.constantFrom(...LANGUAGES),
    extractions: fc.tuple(...EXTRACTION_FIELDS.map(value)),
    chapters: fc.tuple(...SEVEN_CHAPTER_REVIEW.chapters.map(chapter)),
    specialised: fc.tuple(...SPECIALISED_KINDS.map(reading)),
    profile,
  })
  .map((parts) => reportWith('Plain words', { ...parts, keyPoints: [], recommendations: [] }));
