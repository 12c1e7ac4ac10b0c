/** Facts of a profile, and the facts that a careful reader would give for labels. */
import type { AnalysisReport, ReportEvidence, ReportFact } from '../../../domain/decks/report.ts';
import type { FactLabel, TopicsLabel } from '../../../domain/evaluation/topic-labels.ts';
import { labelledFacts } from '../../../domain/evaluation/topic-labels.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../../../domain/profile/topics.ts';
import { NOT_JUDGED, NOT_TYPED, reportWith } from '../api/report-fixture.ts';

/** Page of the quotes. */
export const PAGE = { widthPt: 1000, heightPt: 500 } as const;

/** A fact of these values. */
export const factWith = (values: Partial<ReportFact>): ReportFact => ({
  name: '',
  value: '',
  ...NOT_TYPED,
  evidence: [],
  ...values,
});

/** A quote at this place of a page, given as in labels. */
export const quoteAt = (
  slide: number,
  [left, top, right, bottom]: readonly [number, number, number, number],
  values: Partial<ReportEvidence> = {},
): ReportEvidence => ({
  slide,
  quote: 'words',
  verdict: 'verified',
  reason: null,
  boxes: [[left * PAGE.widthPt, top * PAGE.heightPt, right * PAGE.widthPt, bottom * PAGE.heightPt]],
  ...NOT_JUDGED,
  ...values,
});

/** The fact that says what a label says, quoted where the label says that it stands. */
export function factOf(topic: ProfileTopic, label: FactLabel): ReportFact {
  const evidence = (label.places ?? []).map(({ slide, box }) => quoteAt(slide, box ?? [0, 0, 1, 1]));
  const isPlan = label.plan === true;
  const money = { amount: label.amount ?? null, currency: label.currency ?? null };
  switch (topic) {
    case 'offering':
    case 'stage':
    case 'ask':
      return factWith({ value: label.text ?? '', ...money, evidence });
    case 'customers':
    case 'traction':
      return factWith({ name: label.text ?? '', isPlan, evidence });
    case 'team':
      return factWith({ name: label.name ?? '', value: label.role ?? '', evidence });
    case 'market':
      return factWith({ name: label.name ?? '', value: label.text ?? '', ...money, evidence });
    case 'competition':
      return factWith({ name: label.name ?? '', evidence });
    case 'use_of_funds':
      return factWith({ name: label.name ?? '', percent: label.share ?? null, ...money, evidence });
  }
}

/** A review with these facts. */
export function reviewWith(
  facts: Partial<Record<ProfileTopic, readonly ReportFact[]>>,
  absent: readonly ProfileTopic[] = [],
): AnalysisReport {
  const report = reportWith('x');
  const topics = PROFILE_TOPICS.map((topic) => {
    const ofTopic = [...(facts[topic] ?? [])];
    const none = absent.includes(topic) ? ('stated_absent' as const) : ('not_found' as const);
    return { topic, status: ofTopic.length > 0 ? ('found' as const) : none, facts: ofTopic, evidence: [] };
  });
  const [first] = report.slides;
  const page = { ...PAGE, source: 'layer', ocr: 'none', readableShare: 1, blank: false } as const;
  if (first === undefined) throw new Error('the report has no slide');
  const slides = Array.from({ length: 20 }, (_, i) => ({ ...first, number: i + 1, page }));
  return { ...report, slides, profile: { ...report.profile, topics } };
}

/** The review that says what labels say. */
export const perfectReview = (topics: TopicsLabel): AnalysisReport =>
  reviewWith(
    Object.fromEntries(
      PROFILE_TOPICS.map((topic) => [topic, labelledFacts(topics, topic).map((label) => factOf(topic, label))]),
    ),
    PROFILE_TOPICS.filter((topic) => topics[topic] !== undefined && !Array.isArray(topics[topic])),
  );
