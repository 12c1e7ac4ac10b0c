/** The words of a printed report in each output language. Names and texts of templates come from the template. */
import { type Absence, absenceOf, type AnalysisReport } from '../../../domain/decks/report.ts';
import type { ExtractionField, Language } from '../../../domain/models/model-tasks.ts';
import { counted } from '../../../domain/text/words.ts';

const english = {
  review: 'Review',
  company: 'Company',
  offering: 'Offering',
  funding: 'Funding sought',
  deckDate: 'Date of the deck',
  sector: 'Sector',
  template: 'Template',
  confidence: 'confidence',
  engine: 'Answered by',
  rulesNotice:
    'These results were made by rules, not a language model. They show what the text of the deck says; they do not judge it.',
  status: 'Status',
  overall: 'Overall score',
  outOf: 'of 7',
  coverage: (scored: number, asked: number) => `${scored} of ${counted(asked, 'question')} scored`,
  method: 'Method',
  keyPoints: 'Key points',
  chapters: 'Chapters',
  healthFocus: 'Health angle',
  rationale: 'Why this score',
  evidence: 'Evidence',
  slide: 'Slide',
  slides: 'Slides',
  feedback: 'Feedback',
  figures: 'Figures',
  specialised: 'Specialised readings',
  clinical: 'Clinical',
  regulatory: 'Regulatory',
  science: 'Science',
  recommendations: 'Recommendations',
  gaps: 'What is missing',
  steering: 'Words that try to steer the score',
  steeringNotice: 'These words on the slides address the machine that reads them. They were reported, not obeyed.',
  hazards: 'In the file',
  absence: {
    not_stated: 'not stated in the deck',
    not_asked: 'not asked',
    pending: 'not asked yet',
    unreadable: 'could not be read',
  } satisfies Record<Absence, string>,
  unknown: 'not known',
  noScore: 'no score',
  verified: 'found on the slide',
  unverified: 'not checkable',
  contradicted: 'not found on the slide',
  condensedNotice:
    'The deck did not fit the model’s window. Each slide was reduced to its key sentences before questions were answered.',
  strengthen: (chapter: string) => `Strengthen “${chapter}”`,
  computedWithout: (slides: readonly number[]) =>
    `computed without ${slides.length === 1 ? 'slide' : 'slides'} ${slides.join(', ')}`,
  replayOf: 'Replay of',
  provenance: 'Made with',
  prompt: 'prompt',
};

/** Every word a printed report needs. */
export type Labels = typeof english;

const german: Labels = {
  review: 'Bewertung',
  company: 'Unternehmen',
  offering: 'Angebot',
  funding: 'Gesuchte Finanzierung',
  deckDate: 'Stand des Decks',
  sector: 'Branche',
  template: 'Vorlage',
  confidence: 'Sicherheit',
  engine: 'Beantwortet von',
  rulesNotice:
    'Diese Ergebnisse stammen von Regeln, nicht von einem Sprachmodell. Sie zeigen, was im Text des Decks steht; sie beurteilen es nicht.',
  status: 'Status',
  overall: 'Gesamtwertung',
  outOf: 'von 7',
  coverage: (scored, asked) => `${scored} von ${counted(asked, 'Frage', 'Fragen')} bewertet`,
  method: 'Methode',
  keyPoints: 'Kernpunkte',
  chapters: 'Kapitel',
  healthFocus: 'Blick auf Gesundheit',
  rationale: 'Warum diese Wertung',
  evidence: 'Belege',
  slide: 'Folie',
  slides: 'Folien',
  feedback: 'Rückmeldung',
  figures: 'Abbildungen',
  specialised: 'Fachliche Einschätzungen',
  clinical: 'Klinisch',
  regulatory: 'Regulatorisch',
  science: 'Wissenschaft',
  recommendations: 'Empfehlungen',
  gaps: 'Was fehlt',
  steering: 'Text, der die Wertung lenken will',
  steeringNotice: 'Dieser Text auf den Folien spricht die lesende Maschine an. Er wurde gemeldet, nicht befolgt.',
  hazards: 'In der Datei',
  absence: {
    not_stated: 'im Deck nicht genannt',
    not_asked: 'nicht gefragt',
    pending: 'noch nicht gefragt',
    unreadable: 'nicht lesbar',
  },
  unknown: 'nicht bekannt',
  noScore: 'keine Wertung',
  verified: 'auf der Folie gefunden',
  unverified: 'nicht prüfbar',
  contradicted: 'auf der Folie nicht gefunden',
  condensedNotice:
    'Das Deck passte nicht in das Fenster des Modells. Jede Folie wurde vor den Fragen auf ihre Kernsätze gekürzt.',
  strengthen: (chapter) => `„${chapter}“ stärken`,
  computedWithout: (slides) => `ohne Folie ${slides.join(', ')} berechnet`,
  replayOf: 'Wiederholung von',
  provenance: 'Erstellt mit',
  prompt: 'Prompt',
};

/** The words of a language. */
export function labelsOf(language: Language): Labels {
  return language === 'de' ? german : english;
}

/** Text of a hazard; `…_unknown` means that the file is too damaged to tell. */
export function hazardText(hazard: string, labels: Labels): string {
  const asked = /^(.+)_unknown$/u.exec(hazard)?.[1];
  return asked === undefined ? hazard : `${asked}: ${labels.unknown}`;
}

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

/** `5.3 of 7`, or that there is no score. */
export function formatScore(score: number | null, labels: Labels): string {
  return score === null ? labels.noScore : `${score.toFixed(1)} ${labels.outOf}`;
}

/** Share as whole percent. */
export const formatConfidence = (share: number): string => `${Math.round(share * 100)} %`;

/** `EUR 2,500,000`; the code stays a code, because a symbol can mean several currencies. Null without an amount. */
export function formatAmount(
  money: { readonly amount: number | null; readonly currency: string | null },
  language: Language,
): string | null {
  if (money.amount === null) return null;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(money.amount);
  return money.currency === null ? number : `${money.currency} ${number}`;
}

/** Class of a score on the page: 6 and more is good, 4 and more is medium, below is weak. */
export function scoreClass(score: number | null): 'good' | 'medium' | 'weak' | 'none' {
  if (score === null) return 'none';
  if (score >= 6) return 'good';
  return score >= 4 ? 'medium' : 'weak';
}
