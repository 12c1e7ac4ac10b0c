/**
 * Words of people on lines of a review: a line that a person calls right answers its question, one that a person calls wrong may be about
 * something else, whatever the machine judged.
 *
 * Without a library at run time, because pages import it.
 */
import type { Answering } from '../../evidence/answering.ts';
import type { AnalysisReport, ReportEvidence, ReportQuestion } from '../report.ts';
import { statementOfTopic } from '../../profile/statement.ts';
import { marksOf } from '../review/claims.ts';
import type { HumanVerdict } from './human-verdict.ts';
import type { Judgement, VerdictKind, VerdictSubject } from './kinds.ts';
import { subjectOf } from './subject.ts';

/** Words of the machine by the claim that they make: a value, an answer, a reading, a topic of the profile. Claims without words are left out. */
export function machineTexts({
  extractions,
  chapters,
  specialised,
  profile,
}: Pick<AnalysisReport, 'extractions' | 'chapters' | 'specialised' | 'profile'>): ReadonlyMap<VerdictSubject, string> {
  const texts: [VerdictSubject, string | null][] = [
    ...extractions.map(({ field, raw }): [VerdictSubject, string | null] => [subjectOf({ of: 'value', field }), raw]),
    ...chapters
      .flatMap(({ questions }) => questions)
      .map(({ slug, answer }): [VerdictSubject, string | null] => [subjectOf({ of: 'question', slug }), answer]),
    ...specialised.map(({ kind, summary }): [VerdictSubject, string | null] => [
      subjectOf({ of: 'reading', reading: kind }),
      summary,
    ]),
    ...profile.topics.map((topic): [VerdictSubject, string | null] => [
      subjectOf({ of: 'profile', topic: topic.topic }),
      statementOfTopic(topic),
    ]),
  ];
  return new Map(texts.flatMap(([claim, text]) => (text === null ? [] : [[claim, text]])));
}

/** How well a line answers by a person's word. */
const judgedAs = (judgement: Judgement): Answering => (judgement === 'right' ? 'high' : 'doubtful');

/** A verdict, as far as it may be a judgement on a line. */
type SaidOfLine = Pick<HumanVerdict, 'kind' | 'subject' | 'text'> & {
  readonly machine: Pick<HumanVerdict['machine'], 'text'>;
};

/**
 * Judgement of people on a line: a judgement on these very words decides alone; else a value is right that a person confirmed, with the
 * machine's own words as its correction. Null where neither is there. It does not hold for another answer to the same question.
 *
 * @param current from `currentVerdicts`
 * @param text what the machine says: the value, the answer or the summary
 */
export function judgementOn(
  current: readonly SaidOfLine[],
  claim: VerdictSubject,
  text: string | null,
): Judgement | null {
  const words = text?.trim() ?? '';
  if (words === '') return null;
  const ofKind = (wanted: VerdictKind): SaidOfLine | undefined =>
    current.find(({ kind, subject }) => kind === wanted && subject === claim);
  const judgement = ofKind('judgement');
  const said = judgement?.machine.text?.trim() === words ? judgement.text : null;
  if (said === 'right' || said === 'wrong') return said;
  return ofKind('value')?.text?.trim() === words ? 'right' : null;
}

/** True for a verdict that may be a judgement on a line. */
export const isOnLines = ({ kind }: Pick<HumanVerdict, 'kind'>): boolean => kind === 'judgement' || kind === 'value';

/** A quote of a judged line. A person who calls the line right has seen the slide: a verdict that the second reading withdrew holds again. */
export const judgedQuote = <Q extends JudgeableQuote>(quote: Q, judgement: Judgement | null): Q => {
  if (judgement === null) return quote;
  const judged = { ...quote, answering: judgedAs(judgement), answeringBy: 'people' };
  if (judgement === 'wrong' || quote.reread !== 'withdrawn') return judged;
  return { ...judged, verdict: quote.recognised === true ? 'verified_ocr' : 'verified', reason: null };
};

type JudgeableQuote = Pick<ReportEvidence, 'verdict' | 'answering' | 'reread'> &
  Partial<Pick<ReportEvidence, 'recognised'>>;

/** State of an answer: one that its own check does not support is found where a person calls it right. */
export const judgedState = (state: ReportQuestion['state'], judgement: Judgement | null): ReportQuestion['state'] =>
  state === 'not_supported' && judgement === 'right' ? 'found' : state;

/**
 * A report in which people's judgements stand above the machine's. For pages and documents: the report of the API stays as it is.
 *
 * @param current from `currentVerdicts`
 */
export function withJudgements(report: AnalysisReport, current: readonly HumanVerdict[]): AnalysisReport {
  if (!current.some(isOnLines)) return report;
  const texts = machineTexts(report);
  const judgementOf = (claim: VerdictSubject): Judgement | null =>
    judgementOn(current, claim, texts.get(claim) ?? null);
  const judged = (claim: VerdictSubject, evidence: readonly ReportEvidence[]): ReportEvidence[] => {
    const judgement = judgementOf(claim);
    return evidence.map((quote) => judgedQuote(quote, judgement));
  };
  const overlaid = {
    ...report,
    keyPoints: report.keyPoints.map((point) => {
      const { question: slug, evidence } = point;
      return { ...point, evidence: judged(subjectOf({ of: 'question', slug }), evidence) };
    }),
    extractions: report.extractions.map((value) => {
      const { field, evidence } = value;
      return { ...value, evidence: judged(subjectOf({ of: 'value', field }), evidence) };
    }),
    chapters: report.chapters.map((chapter) => ({
      ...chapter,
      questions: chapter.questions.map((question) => {
        const { slug, state, evidence } = question;
        const claim = subjectOf({ of: 'question', slug });
        return {
          ...question,
          state: judgedState(state, judgementOf(claim)),
          evidence: judged(claim, evidence),
        };
      }),
    })),
    specialised: report.specialised.map((reading) => {
      const { kind, evidence } = reading;
      return { ...reading, evidence: judged(subjectOf({ of: 'reading', reading: kind }), evidence) };
    }),
    profile: {
      ...report.profile,
      topics: report.profile.topics.map((topic) => {
        const claim = subjectOf({ of: 'profile', topic: topic.topic });
        const facts = topic.facts.map((fact) => ({ ...fact, evidence: judged(claim, fact.evidence) }));
        return { ...topic, facts, evidence: judged(claim, topic.evidence) };
      }),
    },
  };
  return { ...overlaid, marks: marksOf(overlaid, report.marks.rule) };
}
