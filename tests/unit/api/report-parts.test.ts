/** Parts of a report that are derived, and what a run waits for. */
import { expect, it } from 'vitest';
import { type PendingActivity, waitingReason } from '../../../activities/decks/waiting/waiting.ts';
import { questionStatus } from '../../../api/decks/report/chapters.ts';
import { firstSentence, keyPoints, recommendations } from '../../../api/decks/report/derived.ts';
import { labelsOf } from '../../../api/decks/report/labels.ts';
import { hostsOf, type HostSetup } from '../../../api/decks/report/hosts.ts';
import { evidenceOf, provenanceOf, slidesLacked } from '../../../api/decks/report/parts.ts';
import type { ModelResultRow } from '../../../api/decks/report/rows.ts';
import type { ReportChapter } from '../../../domain/decks/report.ts';
import { VERDICTS } from '../../../domain/evidence/quote-check.ts';
import { NOT_JUDGED, reportWith } from './report-fixture.ts';

const [base] = reportWith('Patients wait for months.').chapters;

/** A chapter with one question of that score and so many verified quotes. */
function chapter(slug: string, score: number | null, verified: number): ReportChapter {
  if (base === undefined) throw new Error('the fixture has no chapter');
  const [question] = base.questions;
  if (question === undefined) throw new Error('the fixture has no question');
  const evidence = Array.from({ length: verified }, () => ({
    slide: 1,
    quote: 'q',
    verdict: 'verified' as const,
    reason: 'in one block of text',
    boxes: null,
    ...NOT_JUDGED,
  }));
  return {
    ...base,
    slug,
    name: slug,
    score,
    questions: [{ ...question, slug: `${slug}_q`, score: score === null ? null : Math.round(score), evidence }],
  };
}

it('key points come from the best answers with at least one verified quote, at most five', () => {
  const chapters = [
    chapter('a', 7, 0),
    chapter('b', 5, 1),
    chapter('c', 6, 1),
    chapter('d', 6, 3),
    chapter('e', 3, 2),
    chapter('f', 4, 1),
    chapter('g', 7, 1),
    chapter('h', 5, 2),
  ];
  const points = keyPoints(chapters, 'en');
  expect(points.map((p) => p.chapter)).toEqual(['g', 'd', 'c', 'h', 'b']);
  expect(points.every((p) => p.text === 'Patients wait for months.')).toBe(true);
});

it('key points count quotes that were verified by OCR as proof', () => {
  const read = chapter('a', 7, 1);
  const questions = read.questions.map((question) => ({
    ...question,
    evidence: question.evidence.map((quote) => ({ ...quote, verdict: 'verified_ocr' as const })),
  }));
  expect(keyPoints([{ ...read, questions }], 'en')).toMatchObject([{ evidence: [{ verdict: 'verified_ocr' }] }]);
});

it('key points are none when nothing is proved', () =>
  expect(keyPoints([chapter('a', 7, 0), chapter('b', null, 2)], 'en')).toEqual([]));

it('key points are the first sentence, by the language’s own rules', () => {
  expect(firstSentence('We grew 2.5 times. Then more.', 'en')).toBe('We grew 2.5 times.');
  expect(firstSentence('Ohne Punkt', 'de')).toBe('Ohne Punkt');
  expect(firstSentence('', 'en')).toBe('');
});

it('recommendations name chapters below 4, weakest first, at most four', () => {
  const chapters = [3.9, 4, 1, null, 2, 0, 3].map((score, n) => chapter(`c${n}`, score, 1));
  expect(recommendations(chapters, labelsOf('en')).map((r) => [r.chapter, r.score])).toEqual([
    ['c5', 0],
    ['c2', 1],
    ['c4', 2],
    ['c6', 3],
  ]);
});

it('recommendations are written in the language of the analysis', () =>
  expect(recommendations([chapter('Markt', 2, 1)], labelsOf('de'))[0]?.text).toBe('„Markt“ stärken'));

it('state of a question follows the answer first, then the score', () => {
  expect(questionStatus(undefined)).toBe('pending');
  expect(questionStatus({ status: 'answered', scoreStatus: null })).toBe('answered');
  expect(questionStatus({ status: 'answered', scoreStatus: 'scored' })).toBe('scored');
  expect(questionStatus({ status: 'answered', scoreStatus: 'unparseable' })).toBe('unparseable');
  expect(questionStatus({ status: 'unparseable', scoreStatus: 'skipped' })).toBe('unparseable');
  expect(questionStatus({ status: 'failed', scoreStatus: null })).toBe('failed');
});

const modelCalls = [
  { contentKey: 'without slides 30 and 7', computedWithout: [30, 7] },
  { contentKey: 'without slide 7', computedWithout: [7] },
];

it('slides that a value lacks are those of the results it stands on, in order and each once', () => {
  const results = modelCalls.toReversed().map(({ contentKey }) => ({ contentKey }));
  expect(slidesLacked({ modelCalls }, results)).toEqual([7, 30]);
});

it('a value lacks no slide where the call was made anew with it, although the one without it is still there', () =>
  expect(slidesLacked({ modelCalls }, [{ contentKey: 'with every slide' }])).toEqual([]));

it('a missing value lacks no slide', () => expect(slidesLacked({ modelCalls }, [null, undefined])).toEqual([]));

it('a verified quote of recognised words is verified_ocr in the report; every other verdict is as it is stored', () => {
  const verdictOf = (verdict: (typeof VERDICTS)[number], recognised: boolean) =>
    evidenceOf({ ...NOT_JUDGED, slideNumber: 1, quote: 'q', verdict, recognised, reason: null, boxes: null }).verdict;
  expect(VERDICTS.map((verdict) => verdictOf(verdict, false))).toEqual(VERDICTS);
  const ofRecognised = VERDICTS.map((verdict) => (verdict === 'verified' ? 'verified_ocr' : verdict));
  expect(VERDICTS.map((verdict) => verdictOf(verdict, true))).toEqual(ofRecognised);
});

const NOW_MS = 1_000_000;
const activity = (values: Partial<PendingActivity>): PendingActivity => ({
  name: 'describeSlide',
  started: false,
  scheduledAtMs: NOW_MS - 60_000,
  lastFailure: null,
  ...values,
});

it.each([
  ['a model host for images', activity({})],
  ['a model host for text', activity({ name: 'answerQuestion' })],
  ['a convert worker', activity({ name: 'convertWindow' })],
  ['a control worker', activity({ name: 'explainUnreadable' })],
  ['a control worker', activity({ name: 'planSlides' })],
  ['another try (phi4 is not the pinned version)', activity({ lastFailure: 'phi4 is not the pinned version.' })],
  ['a host that serves phi4', activity({ lastFailure: 'Waiting for a host that serves phi4.' })],
])('a run that waits says for what: %s', (reason, pending) => expect(waitingReason([pending], NOW_MS)).toBe(reason));

it('a run names nothing that it waits for while something runs, while nothing is pending, or at first', () => {
  expect(waitingReason([activity({}), activity({ started: true })], NOW_MS)).toBeNull();
  expect(waitingReason([], NOW_MS)).toBeNull();
  expect(waitingReason([activity({ scheduledAtMs: NOW_MS - 500 })], NOW_MS)).toBeNull();
});

const setup: HostSetup = { name: 'visual-0', setupVersion: '0a1b2c3d4e5f', from: new Date(1000), until: null };
const answer = (host: string, atMs: number) => ({ host, createdAt: new Date(atMs) });

it('provenance names the set-up of its host where that is known', () => {
  const setups = [setup];
  const result = answer('visual-0', 1000) as ModelResultRow;
  expect(provenanceOf({ setups }, result)).toMatchObject({ host: 'visual-0', setupVersion: '0a1b2c3d4e5f' });
  expect(provenanceOf({ setups }, { ...result, host: 'static-0' })?.setupVersion).toBeNull();
  expect(provenanceOf({ setups: [] }, result)?.setupVersion).toBeNull();
  expect(provenanceOf({ setups }, undefined)).toBeNull();
});

it('an answer has no set-up when its machine was another one, before the first boot or on an older disk after it', () => {
  const setups = [{ ...setup, until: new Date(2000) }];
  const versionAt = (atMs: number) =>
    provenanceOf({ setups }, answer('visual-0', atMs) as ModelResultRow)?.setupVersion ?? null;
  expect([999, 1000, 1999, 2000].map(versionAt)).toEqual([null, '0a1b2c3d4e5f', '0a1b2c3d4e5f', null]);
});

it('a report lists each host by name, once for each set-up that answered', () => {
  const answers = [answer('visual-0', 1500), answer('static-0', 1), answer('visual-0', 1), answer('visual-0', 1501)];
  expect(hostsOf([setup], answers)).toEqual([
    { name: 'static-0', setupVersion: null },
    { name: 'visual-0', setupVersion: null },
    { name: 'visual-0', setupVersion: '0a1b2c3d4e5f' },
  ]);
});
