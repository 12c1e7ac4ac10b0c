/** Small parts that every section of a report is made of: evidence, provenance, checked enumerations. */
import { boxesSchema } from '../../../domain/pages/page-schemas.ts';
import {
  isFinished,
  type Provenance,
  provenanceSchema,
  type ReportEvidence,
  type ReportGap,
  reportEvidenceSchema,
  reportGapSchema,
  type ReportVerdict,
} from '../../../domain/decks/report.ts';
import { levelOfLine } from '../../../domain/evidence/judged-by-people.ts';
import type { VerdictSubject } from '../../../domain/decks/verdicts/kinds.ts';
import type { Gap } from '../../../generated/prisma/client.ts';
import { documentOf } from '../../http/definition.ts';
import { setupVersionOf } from './hosts.ts';
import type { AnalysisRows, ModelResultRow } from './rows.ts';

/**
 * Slides that a value was computed without, in order. By the results it stands on: a call that was planned or made without a slide may have
 * been made anew with it since.
 */
export function slidesLacked(
  { modelCalls }: Pick<AnalysisRows, 'modelCalls'>,
  results: readonly (Pick<ModelResultRow, 'contentKey'> | null | undefined)[],
): number[] {
  const calls = modelCalls.filter((c) => results.some((result) => result?.contentKey === c.contentKey));
  return [...new Set(calls.flatMap((c) => c.computedWithout))].toSorted((a, b) => a - b);
}

/** State of a value without a row: it may still come, or it was not asked for. */
export const statusWithoutRow = ({ status }: Pick<AnalysisRows, 'status'>, isAsked: boolean): 'pending' | 'not_asked' =>
  isAsked && !isFinished(status) ? 'pending' : 'not_asked';

type EvidenceRow = Omit<ReportEvidence, 'slide' | 'verdict' | 'boxes'> &
  Pick<AnalysisRows['answers'][number]['evidence'][number], 'slideNumber' | 'verdict' | 'boxes'>;

/** A stored quote as the report shows it. */
export const evidenceOf = (row: EvidenceRow): ReportEvidence =>
  documentOf(reportEvidenceSchema, {
    ...row,
    slide: row.slideNumber,
    verdict: reportVerdict(row),
    boxes: row.boxes === null ? null : boxesSchema.parse(row.boxes),
  });

/**
 * The quotes of a claim. What people said of enough claims of the same kind and model stands above the comparison with the rules.
 *
 * @param made the result that the claim is from
 */
export function claimEvidence(
  { people }: Pick<AnalysisRows, 'people'>,
  claim: VerdictSubject,
  made: ModelResultRow | null | undefined,
  rows: readonly EvidenceRow[],
): ReportEvidence[] {
  const level = levelOfLine(people, made ?? null, claim);
  return rows.map((row) => ({
    ...evidenceOf(row),
    ...(level === null ? {} : { answering: level, answeringBy: 'people' as const }),
  }));
}

/** A stored gap as the report and the events show it. */
export const gapOf = (row: Gap): ReportGap =>
  documentOf(reportGapSchema, { ...row, slide: row.slideNumber, question: row.questionSlug });

/** A program that counts `verified` counts what others find in the text of the PDF, so proof by recognised words has a verdict of its own. */
const reportVerdict = ({ verdict, recognised }: EvidenceRow): ReportVerdict =>
  verdict === 'verified' && recognised ? 'verified_ocr' : verdict;

/** Where a stored result came from; null when no model answered. @param templateVersion null where no template asks for it */
export function provenanceOf(
  { setups }: Pick<AnalysisRows, 'setups'>,
  row: ModelResultRow | null | undefined,
  templateVersion: number | null = null,
): Provenance | null {
  if (row === null || row === undefined) return null;
  return documentOf(provenanceSchema, {
    ...row,
    model: row.modelName,
    templateVersion,
    setupVersion: setupVersionOf(setups, row),
    options: documentOf(provenanceSchema.shape.options, row),
    computedAt: row.createdAt,
  });
}
