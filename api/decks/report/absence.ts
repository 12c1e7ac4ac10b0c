/** What a report says where it has no value. */
import type { ExtractionField } from '../../../domain/models/model-tasks.ts';
import { absenceOf, type AnalysisReport } from '../../../domain/decks/report.ts';
import type { Labels } from './labels.ts';

/** Why a value of the deck is not there. */
export function absentValue(
  { extractions }: Pick<AnalysisReport, 'extractions'>,
  field: ExtractionField,
  labels: Labels,
): string {
  return labels.absence[absenceOf(extractions.find((value) => value.field === field)?.status ?? 'not_asked')];
}

/** Why there is no sector. A deck does not state one, so an answer without one is not known. */
export function absentSector({ sector }: Pick<AnalysisReport, 'sector'>, labels: Labels): string {
  const absence = absenceOf(sector.status);
  return absence === 'not_stated' ? labels.unknown : labels.absence[absence];
}
