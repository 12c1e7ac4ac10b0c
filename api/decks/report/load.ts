/**
 * Makes the report document of an analysis from what is stored. Reads only; the same rows always give the same document.
 */
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import { scopeOfRun } from '../../../domain/decks/run-scope.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import {
  type AnalysisReport,
  analysisReportSchema,
  COVERED,
  READING_STATUSES,
  type ReportEvidence,
  RULES_LABEL,
  VALUE_STATUSES,
} from '../../../domain/decks/report.ts';
import { marksOf } from '../../../domain/decks/review/claims.ts';
import type { AnsweringSettings, MarkRule } from '../../../domain/evidence/answering-settings.ts';
import { isWithdrawn } from '../../../domain/decks/review/proof.ts';
import { LANGUAGE_CODE, wholeDeckNotice } from '../../../domain/decks/unread.ts';
import { VALUE_STATES } from '../../../domain/evidence/value-state.ts';
import { CONTRADICTION_KINDS } from '../../../domain/evidence/contradictions.ts';
import { placeKey } from '../../../domain/evidence/choose-rereads.ts';
import type { RereadState } from '../../../domain/evidence/rereading.ts';
import { coverage } from '../../../domain/decks/scoring.ts';
import {
  EXTRACTION_FIELDS,
  type Language,
  LANGUAGES,
  SPECIALISED_KINDS,
  TASK_TYPES,
  taskOfField,
} from '../../../domain/models/model-tasks.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { rolloutOf } from '../../../domain/rollouts/assignment.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { documentOf } from '../../http/definition.ts';
import { failureOf } from '../store.ts';
import { buildChapters } from './chapters.ts';
import { keyPoints, recommendations } from './derived.ts';
import { quotesOfTopic } from '../../../domain/profile/statement.ts';
import { profileOf } from './profile.ts';
import { type Labels, labelsOf } from './labels.ts';
import { claimEvidence, gapOf, provenanceOf, slidesLacked, statusWithoutRow } from './parts.ts';
import { type AnalysisRows, readReportRows, type ReportRows } from './rows.ts';
import { buildSlides } from './slides.ts';

/**
 * Loads the report of an analysis, finished or not.
 *
 * @param settings what it takes for a line to be settled, and for people's judgements to hold
 * @throws DeckhandError `not_found`, also for an analysis of another tenant
 */
export async function loadReport(
  db: PrismaClient,
  tenantId: string,
  analysisId: string,
  settings: AnsweringSettings,
): Promise<AnalysisReport> {
  return buildReport(await readReportRows(db, tenantId, analysisId, settings), settings);
}

/** Makes the document from rows. */
export function buildReport(rows: ReportRows, rule: MarkRule): AnalysisReport {
  const { analysis } = rows;
  const language: Language = memberOf(LANGUAGES, analysis.language) ?? 'en';
  const labels = labelsOf(language);
  const extractions = buildExtractions(analysis);
  const value = (field: string): AnalysisReport['extractions'][number] | undefined =>
    extractions.find((e) => e.field === field && e.status !== 'not_supported');
  const chapters = buildChapters(analysis);
  const specialised = specialisedOf(analysis);
  const profile = profileOf(analysis);
  return {
    analysisId: analysis.id,
    status: analysis.status,
    taskType: memberOf(TASK_TYPES, analysis.taskType),
    replay: replayOf(analysis),
    rollout: rolloutOf(analysis),
    language,
    stage: memberOf(STAGES, analysis.stage),
    createdAt: analysis.createdAt.toISOString(),
    startedAt: analysis.startedAt?.toISOString() ?? null,
    finishedAt: analysis.finishedAt?.toISOString() ?? null,
    durationMs:
      analysis.finishedAt === null ? null : Math.max(0, analysis.finishedAt.getTime() - analysis.createdAt.getTime()),
    failure: failureOf(analysis),
    engine: engineOf(analysis),
    deck: deckOf(rows),
    company: value('company_name')?.raw ?? null,
    offering: value('offering')?.raw ?? null,
    funding: {
      raw: value('funding')?.raw ?? null,
      amount: value('funding')?.amount ?? null,
      minAmount: value('funding')?.minAmount ?? null,
      currency: value('funding')?.currency ?? null,
    },
    deckDate: { raw: value('deck_date')?.raw ?? null, iso: value('deck_date')?.iso ?? null },
    extractions,
    sector: sectorOf(rows),
    template: {
      slug: analysis.templateVersion?.template.slug ?? null,
      name: analysis.templateVersion?.template.name ?? null,
      version: analysis.templateVersion?.version ?? null,
      reason: analysis.templateReason,
      requested: analysis.requestedTemplate,
    },
    overall: {
      score: analysis.overallScore,
      method: analysis.scoreMethod,
      coverage: analysis.askedQuestions === 0 ? null : coverage(analysis.scoredQuestions, analysis.askedQuestions),
      scored: analysis.scoredQuestions,
      asked: analysis.askedQuestions,
      computedWithout: overallLacks(chapters),
    },
    notices: noticesOf(analysis, labels),
    keyPoints: keyPoints(chapters, language),
    chapters,
    specialised,
    profile,
    marks: marksOf({ language, extractions, chapters, specialised, profile }, rule),
    recommendations: recommendations(chapters, labels),
    steering: analysis.slideFindings
      .filter((f) => f.kind === 'steering_attempt')
      .map((f) => ({ slide: f.slideNumber, text: f.steeringText ?? '' })),
    secondReading: secondReadingOf([
      ...extractions.flatMap((each) => each.evidence),
      ...chapters.flatMap((chapter) => chapter.questions.flatMap((question) => question.evidence)),
      ...specialised.flatMap((reading) => reading.evidence),
      ...profile.topics.flatMap(quotesOfTopic),
    ]),
    contradictions: analysis.contradictions.flatMap(contradictionOf),
    condensed: analysis.condensed ? labels.condensedNotice : null,
    slides: buildSlides(rows),
    gaps: analysis.gaps.toSorted(inReadingOrder).map(gapOf),
    hosts: analysis.hosts,
  };
}

/** One sentence for what keeps the whole deck from being reviewed. */
function noticesOf(analysis: AnalysisRows, labels: Labels): AnalysisReport['notices'] {
  const code = wholeDeckNotice(analysis.gaps, analysis.extractions);
  if (code === null) return [];
  const isByRules = analysis.engineKind === 'rules';
  const text =
    code === LANGUAGE_CODE
      ? labels.foreignLanguage(analysis.deck.language, isByRules)
      : labels.unreadableDeck(isByRules);
  return [{ code, text }];
}

/** Outcomes of the second reading; a quote that several claims have was read once. */
function secondReadingOf(evidence: readonly ReportEvidence[]): AnalysisReport['secondReading'] {
  const outcomes = new Map<string, RereadState>();
  // Under one claim a quote may be withdrawn that a person keeps under another: it counts as withdrawn.
  for (const quote of [...evidence.filter((each) => !isWithdrawn(each)), ...evidence.filter(isWithdrawn)]) {
    const { reread } = quote;
    if (reread !== null)
      outcomes.set(placeKey(quote), reread === 'withdrawn' && !isWithdrawn(quote) ? 'agreed' : reread);
  }
  const numberOf = (state: RereadState): number => [...outcomes.values()].filter((each) => each === state).length;
  return { agreed: numberOf('agreed'), withdrawn: numberOf('withdrawn'), notRead: numberOf('not_read') };
}

function contradictionOf(row: AnalysisRows['contradictions'][number]): AnalysisReport['contradictions'] {
  const kind = memberOf(CONTRADICTION_KINDS, row.kind);
  if (kind === null) return [];
  return [
    {
      kind,
      subject: row.subject,
      first: { slide: row.firstSlide, quote: row.firstQuote, value: row.firstValue },
      second: { slide: row.secondSlide, quote: row.secondQuote, value: row.secondValue },
    },
  ];
}

/** By stage and slide: what failed at the same time is listed the same way in every report. */
function inReadingOrder(a: AnalysisRows['gaps'][number], b: AnalysisRows['gaps'][number]): number {
  const stageOf = ({ stage }: { readonly stage: string }): number => STAGES.findIndex((each) => each === stage);
  const slideOf = ({ slideNumber }: { readonly slideNumber: number | null }): number => slideNumber ?? 0;
  return stageOf(a) - stageOf(b) || slideOf(a) - slideOf(b) || (a.item < b.item ? -1 : 1);
}

function replayOf({ replayOfId, replayKind }: AnalysisRows): AnalysisReport['replay'] {
  const kind = memberOf(REPLAY_KINDS, replayKind);
  return replayOfId === null || kind === null ? null : { of: replayOfId, kind };
}

/** The overall score lacks what any of the scores lacks. */
function overallLacks(chapters: AnalysisReport['chapters']): number[] {
  const scored = chapters.flatMap((c) => c.questions).filter((q) => q.score !== null);
  return [...new Set(scored.flatMap((q) => q.computedWithout))].toSorted((a, b) => a - b);
}

function engineOf(analysis: AnalysisRows): AnalysisReport['engine'] {
  const { engineName: name, engineKind: kind, engineVersion: version } = analysis;
  if (name === null || kind === null) return null;
  return { name, kind, label: kind === 'rules' ? RULES_LABEL : name, version };
}

const deckOf = ({ analysis: { deck }, invisible }: ReportRows): AnalysisReport['deck'] =>
  documentOf(analysisReportSchema.shape.deck, {
    ...deck,
    slides: deck.pageCount,
    hazards: invisible.size === 0 ? deck.hazards : [...deck.hazards, 'invisible_text'],
  });

function sectorOf({ analysis, sectorNames }: ReportRows): AnalysisReport['sector'] {
  const found = analysis.classification;
  const slug = found?.sectorSlug ?? null;
  return {
    slug,
    name: slug === null ? null : (sectorNames.get(slug) ?? null),
    secondary: found?.secondarySlug ?? null,
    confidence: found?.confidence ?? null,
    confident: slug === null ? null : (found?.confident ?? null),
    reasoning: found?.reasoning ?? null,
    keywords: found?.keywords ?? [],
    status:
      found === null
        ? statusWithoutRow(analysis, scopeOfRun(analysis.taskType).has('classify_sector'))
        : (memberOf(READING_STATUSES, found.status) ?? 'failed'),
    reason: found?.reason ?? null,
    computedWithout: slidesLacked(analysis, [found?.modelResult]),
    provenance: provenanceOf(analysis, found?.modelResult),
  };
}

function specialisedOf(analysis: AnalysisRows): AnalysisReport['specialised'] {
  return SPECIALISED_KINDS.flatMap((kind) => {
    const row = analysis.specialised.find((s) => s.kind === kind);
    if (row === undefined) return [];
    return {
      kind,
      status: memberOf(READING_STATUSES, row.status) ?? 'failed',
      state: row.status === 'unreadable' ? 'unreadable' : memberOf(VALUE_STATES, row.state),
      covered: memberOf(COVERED, row.covered),
      summary: row.summary,
      reason: row.reason,
      points: row.points.map(({ heading, text }) => ({ heading, text })),
      computedWithout: slidesLacked(analysis, [row.modelResult]),
      evidence: claimEvidence(analysis, subjectOf({ of: 'reading', reading: kind }), row.modelResult, row.evidence),
      provenance: provenanceOf(analysis, row.modelResult),
    };
  });
}

/** Values with their state; one that nothing looked for is null, and `pending` only while the run may still look. */
function buildExtractions(analysis: AnalysisRows): AnalysisReport['extractions'] {
  const asked = scopeOfRun(analysis.taskType);
  return EXTRACTION_FIELDS.map((field) => {
    const row = analysis.extractions.find((e) => e.field === field);
    return {
      field,
      status:
        row === undefined
          ? statusWithoutRow(analysis, asked.has(taskOfField(field)))
          : (memberOf(VALUE_STATUSES, row.status) ?? 'failed'),
      raw: row?.raw ?? null,
      amount: row?.amount?.toNumber() ?? null,
      minAmount: row?.minAmount?.toNumber() ?? null,
      currency: row?.currency ?? null,
      iso: row?.isoDate ?? null,
      reason: row?.reason ?? null,
      computedWithout: slidesLacked(analysis, [row?.modelResult]),
      evidence: claimEvidence(analysis, subjectOf({ of: 'value', field }), row?.modelResult, row?.evidence ?? []),
      provenance: provenanceOf(analysis, row?.modelResult),
    };
  });
}
