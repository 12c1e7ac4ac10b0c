/** The extracted values of a report: always all four, in a fixed order. */
import { EXTRACTION_FIELDS } from '../../../domain/models/model-tasks.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { VALUE_STATUSES } from '../../../domain/decks/report.ts';
import { evidenceOf, provenanceOf, scopeOf, slidesLacked, statusWithoutRow } from './parts.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { AnalysisRows } from './rows.ts';

/** Values with their state; one that nothing looked for is null, and `pending` only while the run may still look. */
export function buildExtractions(analysis: AnalysisRows): AnalysisReport['extractions'] {
  const asked = scopeOf(analysis).fields;
  return EXTRACTION_FIELDS.map((field) => {
    const row = analysis.extractions.find((e) => e.field === field);
    return {
      field,
      status:
        row === undefined
          ? statusWithoutRow(analysis, asked.includes(field))
          : (memberOf(VALUE_STATUSES, row.status) ?? 'failed'),
      raw: row?.raw ?? null,
      amount: row?.amount?.toNumber() ?? null,
      currency: row?.currency ?? null,
      iso: row?.isoDate ?? null,
      reason: row?.reason ?? null,
      computedWithout: slidesLacked(analysis, [row?.modelResult]),
      evidence: row?.evidence.map(evidenceOf) ?? [],
      provenance: provenanceOf(row?.modelResult ?? null, null),
    };
  });
}
