/** What a place of the review is called. */
import type { AnalysisReport, ReportContradiction } from '../../domain/decks/report.ts';
import { otherDocument } from '../../domain/decks/review/document-kind.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { subjectParts } from '../../domain/decks/verdicts/subject.ts';
import type { VerdictSubject } from '../../domain/decks/verdicts/kinds.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { wordFor } from '../words/language.ts';
import type { Stop } from './selection/stops.ts';
import { pageWords } from './words.ts';

/** What a verdict of a person is about: the question, the name of the value or reading, the slide. */
export function subjectLabel(
  subject: VerdictSubject,
  { chapters }: Pick<AnalysisReport, 'chapters'>,
  language: Language,
): string | null {
  const parts = subjectParts(subject);
  switch (parts?.of) {
    case 'value':
      return wordFor(reviewWords[language].fields, parts.field) ?? parts.field;
    case 'question':
      return chapters.flatMap(({ questions }) => questions).find(({ slug }) => slug === parts.slug)?.text ?? parts.slug;
    case 'reading':
      return wordFor(reviewWords[language].readings, parts.reading) ?? parts.reading;
    case 'profile':
      return wordFor(reviewWords[language].topics, parts.topic) ?? parts.topic;
    case 'slide':
      return pageWords[language].slide(parts.number);
    case 'deck':
    case undefined:
      return null;
  }
}

/** What contradicts itself. */
export const contradictionLabel = ({ kind, subject }: ReportContradiction, language: Language): string =>
  pageWords[language].contradiction[kind](subject);

/** What a place is called. */
export function stopLabel(stop: Stop, report: AnalysisReport, language: Language): string {
  const words = pageWords[language];
  switch (stop.kind) {
    case 'document':
      return otherDocument(report, language)?.text ?? '';
    case 'steering':
      return words.steering;
    case 'invisible':
      return words.invisible;
    case 'contradiction': {
      const contradiction = report.contradictions[Number(stop.key.split('/')[1]) - 1];
      return contradiction === undefined ? words.sections.contradictions : contradictionLabel(contradiction, language);
    }
    case 'fact':
    case 'strength':
    case 'answer':
    case 'unsupported':
    case 'reading':
      return (stop.subject === null ? null : subjectLabel(stop.subject, report, language)) ?? '';
  }
}
