/** Judgements of people, laid over the quotes of a report. */
import { describe, expect, it } from 'vitest';
import type { ReportEvidence } from '../../../../domain/decks/report.ts';
import { machineTexts, withJudgements } from '../../../../domain/decks/verdicts/judgement.ts';
import { said } from '../../../../testing/said.ts';
import { reportWith } from '../../api/report-fixture.ts';

const plain = reportWith('€2M');
const [firstValue] = plain.extractions;
if (firstValue === undefined) throw new Error('the report has a value');
const subject = `value/${firstValue.field}`;

/** The report with one quote under its first value. */
const withQuote = (quote: Partial<ReportEvidence>) => ({
  ...plain,
  extractions: plain.extractions.map((value) =>
    value === firstValue
      ? { ...value, raw: '€2M', evidence: value.evidence.slice(0, 1).map((q) => ({ ...q, ...quote })) }
      : value,
  ),
});
const withdrawn = { verdict: 'unverified', reread: 'withdrawn', rereadReason: 'no', reason: 'no' } as const;
const quoteOf = (quote: Partial<ReportEvidence>, ...verdicts: Parameters<typeof said>[0][]) =>
  withJudgements(withQuote(quote), verdicts.map(said)).extractions[0]?.evidence[0];
const confirmed = { kind: 'value', subject, text: '€2M' } as const;
const judged = (text: 'right' | 'wrong') =>
  ({ kind: 'judgement', subject, text, machine: { text: '€2M', score: null } }) as const;

it('every claim of a report with words can be judged by them, and its quotes are marked by that', () => {
  const texts = machineTexts(plain);
  const current = [...texts].map(([claim, text]) =>
    said({ kind: 'judgement', subject: claim, text: 'right', machine: { text, score: null } }),
  );
  const { extractions, chapters, specialised } = withJudgements(plain, current);
  const marksOf = (evidence: readonly ReportEvidence[]): unknown[] => evidence.map(({ answeringBy }) => answeringBy);
  const marks = new Map([
    ...extractions.map(({ field, evidence }) => [`value/${field}`, marksOf(evidence)] as const),
    ...chapters.flatMap(({ questions }) => questions.map((q) => [`question/${q.slug}`, marksOf(q.evidence)] as const)),
    ...specialised.map(({ kind, evidence }) => [`reading/${kind}`, marksOf(evidence)] as const),
  ]);
  for (const kind of ['value/', 'question/', 'reading/'])
    expect(
      [...texts.keys()].some((claim) => claim.startsWith(kind)),
      kind,
    ).toBe(true);
  for (const [claim, of] of marks)
    expect([claim, of]).toEqual([claim, of.map(() => (texts.has(claim) ? 'people' : null))]);
});

describe('a quote that the second reading withdrew', () => {
  it('holds again where a person confirmed the value with the words of the machine', () => {
    expect(quoteOf(withdrawn, confirmed)).toMatchObject({
      verdict: 'verified',
      answering: 'high',
      answeringBy: 'people',
    });
    expect(quoteOf(withdrawn, { ...confirmed, text: '€3M' })).toMatchObject({ verdict: 'unverified' });
  });

  it('holds again as recognised words where it was recognised in the picture, without the reason of the withdrawal', () => {
    expect(quoteOf({ ...withdrawn, recognised: true }, judged('right'))).toMatchObject({
      verdict: 'verified_ocr',
      reason: null,
    });
  });

  it('stays withdrawn where a person called the line wrong, also beside a confirmed value', () => {
    expect(quoteOf(withdrawn, judged('wrong'), confirmed)).toMatchObject({
      verdict: 'unverified',
      answering: 'doubtful',
    });
  });
});
