/** The words of a printed report in each output language. Names and texts of templates come from the template. */
import type { AnalysisReport, ReportContradiction, ReportSlide } from '../../../domain/decks/report.ts';
import { type Absence, absenceOf } from '../../../domain/decks/review/absence.ts';
import { languageName } from '../../../domain/decks/unread.ts';
import type { ExtractionField, Language } from '../../../domain/models/model-tasks.ts';
import type { ContradictionKind } from '../../../domain/evidence/contradictions.ts';
import { pageNoteOf } from '../../../domain/pages/page.ts';
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
  pageNotes: {
    blank: 'A blank page.',
    recognised: 'The text of this page was recognised in its picture (OCR).',
    not_recognised: 'The text in the picture of this page could not be recognised, or not all of it.',
    no_text: 'This page has no text layer that can be read, and no text was recognised in its picture.',
  },
  feedback: 'Feedback',
  figures: 'Figures',
  specialised: 'Specialised readings',
  clinical: 'Clinical',
  regulatory: 'Regulatory',
  science: 'Science',
  recommendations: 'Recommendations',
  gaps: 'What is missing',
  notFound: (count: number) => `${counted(count, 'answer', 'answers')} not found in the deck`,
  notFoundLead:
    'The deck was read, and nothing was found on these questions. That does not prove that it says nothing.',
  unreadableDeck: (byRules: boolean) =>
    `No page of this deck could be read: the pages are pictures, or their fonts cannot be read as text. ${
      byRules
        ? 'The built-in reader does not see pictures: review the deck with a vision model, or upload it with its text (exported from the program it was made with).'
        : 'Upload the deck with its text (exported from the program it was made with), or with sharper pictures.'
    }`,
  foreignLanguage: (code: string | null, byRules: boolean) =>
    `The deck is in ${code === null ? 'another language' : languageName(code, 'en')}, which ${
      byRules ? 'the built-in reader does not read (it reads English and German)' : 'the model does not read'
    }. Questions were not asked and nothing was scored: review the deck with a model that reads the language.`,
  invisible: 'Words that nobody can see',
  invisibleNotice: 'These words are in the file and not to be seen on the slide. They were not read and prove nothing.',
  steering: 'Words that try to steer the score',
  steeringNotice: 'These words on the slides address the machine that reads them. They were reported, not obeyed.',
  contradictions: 'Contradictions in the deck',
  contradictionsNotice: 'These statements of the deck cannot both be right.',
  contradiction: {
    ask: 'Two sums asked for',
    founding_year: 'Two founding years',
    figure: 'Two values',
    total: 'The parts do not add up',
  } satisfies Record<ContradictionKind, string>,
  partsSum: 'sum of the parts',
  hazards: 'In the file',
  absence: {
    not_found: 'not found in the deck',
    stated_absent: 'the deck says that there is none',
    unreadable: 'could not be read',
    not_asked: 'not asked',
    pending: 'not asked yet',
    failed: 'could not be computed',
  } satisfies Record<Absence, string>,
  unknown: 'not known',
  noScore: 'no score',
  verified: 'found on the slide',
  verified_ocr: 'found on the slide (OCR)',
  unverified: 'not checkable',
  glued: 'put together from different places of the slide',
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
  pageNotes: {
    blank: 'Eine leere Seite.',
    recognised: 'Der Text dieser Seite wurde in ihrem Bild erkannt (OCR).',
    not_recognised: 'Der Text im Bild dieser Seite konnte nicht oder nicht ganz erkannt werden.',
    no_text: 'Diese Seite hat keine lesbare Textebene, und in ihrem Bild wurde kein Text erkannt.',
  },
  feedback: 'Rückmeldung',
  figures: 'Abbildungen',
  specialised: 'Fachliche Einschätzungen',
  clinical: 'Klinisch',
  regulatory: 'Regulatorisch',
  science: 'Wissenschaft',
  recommendations: 'Empfehlungen',
  gaps: 'Was fehlt',
  notFound: (count) => `${counted(count, 'Antwort', 'Antworten')} im Deck nicht gefunden`,
  notFoundLead:
    'Das Deck wurde gelesen, zu diesen Fragen wurde nichts gefunden. Das beweist nicht, dass es dazu nichts sagt.',
  unreadableDeck: (byRules) =>
    `Keine Seite dieses Decks war lesbar: Die Seiten sind Bilder, oder ihre Schriften lassen sich nicht als Text lesen. ${
      byRules
        ? 'Der eingebaute Leser sieht keine Bilder: Lassen Sie das Deck von einem Bildmodell lesen, oder laden Sie es mit Text hoch (aus dem Programm exportiert, in dem es entstand).'
        : 'Laden Sie das Deck mit Text hoch (aus dem Programm exportiert, in dem es entstand) oder mit schärferen Bildern.'
    }`,
  foreignLanguage: (code, byRules) =>
    `Das Deck ist in einer Sprache (${code === null ? 'unbekannt' : languageName(code, 'de')}), die ${
      byRules ? 'der eingebaute Leser nicht liest (er liest Englisch und Deutsch)' : 'das Modell nicht liest'
    }. Es wurden keine Fragen gestellt und nichts bewertet: Lassen Sie das Deck von einem Modell lesen, das die Sprache liest.`,
  invisible: 'Text, den niemand sehen kann',
  invisibleNotice:
    'Dieser Text steht in der Datei und ist auf der Folie nicht zu sehen. Er wurde nicht gelesen und belegt nichts.',
  steering: 'Text, der die Wertung lenken will',
  steeringNotice: 'Dieser Text auf den Folien spricht die lesende Maschine an. Er wurde gemeldet, nicht befolgt.',
  contradictions: 'Widersprüche im Deck',
  contradictionsNotice: 'Diese Angaben des Decks können nicht beide stimmen.',
  contradiction: {
    ask: 'Zwei gesuchte Beträge',
    founding_year: 'Zwei Gründungsjahre',
    figure: 'Zwei Werte',
    total: 'Die Teile ergeben nicht die Summe',
  },
  partsSum: 'Summe der Teile',
  hazards: 'In der Datei',
  absence: {
    not_found: 'im Deck nicht gefunden',
    stated_absent: 'laut Deck nicht vorhanden',
    unreadable: 'nicht lesbar',
    not_asked: 'nicht gefragt',
    pending: 'noch nicht gefragt',
    failed: 'nicht berechnet',
  },
  unknown: 'nicht bekannt',
  noScore: 'keine Wertung',
  verified: 'auf der Folie gefunden',
  verified_ocr: 'auf der Folie gefunden (OCR)',
  unverified: 'nicht prüfbar',
  glued: 'aus verschiedenen Stellen der Folie zusammengesetzt',
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

/** Slides with words that nobody can see. */
export const invisibleSlides = ({ slides }: AnalysisReport): AnalysisReport['slides'] =>
  slides.filter((slide) => slide.invisibleText !== null);

/** Text of a hazard; `…_unknown` means that the file is too damaged to tell. */
export function hazardText(hazard: string, labels: Labels): string {
  const asked = /^(.+)_unknown$/u.exec(hazard)?.[1];
  return asked === undefined ? hazard : `${asked}: ${labels.unknown}`;
}

/** What contradicts itself: "Two values: customers". */
export function contradictionTitle({ kind, subject }: ReportContradiction, labels: Labels): string {
  const words = labels.contradiction[kind];
  return kind === 'figure' || kind === 'total' ? `${words}: ${subject}` : words;
}

/** Value of one side; of a total the first side is the sum of its parts. */
export const sideValue = (
  { kind, first }: ReportContradiction,
  side: ReportContradiction['first'],
  labels: Labels,
): string => (kind === 'total' && side === first ? `${side.value}, ${labels.partsSum}` : side.value);

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
  return absence === 'not_found' ? labels.unknown : labels.absence[absence];
}

/** `5.3 of 7`, or that there is no score. */
export function formatScore(score: number | null, labels: Labels): string {
  return score === null ? labels.noScore : `${score.toFixed(1)} ${labels.outOf}`;
}

/** Share as whole percent. */
export const formatConfidence = (share: number): string => `${Math.round(share * 100)} %`;

/** `EUR 2,500,000`, of a range `EUR 500,000–1,000,000`; the code stays a code, because a symbol can mean several currencies. Null without an amount. */
export function formatAmount(
  money: Pick<AnalysisReport['funding'], 'amount' | 'minAmount' | 'currency'>,
  language: Language,
): string | null {
  if (money.amount === null) return null;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const number =
    money.minAmount === null
      ? format.format(money.amount)
      : `${format.format(money.minAmount)}–${format.format(money.amount)}`;
  return money.currency === null ? number : `${money.currency} ${number}`;
}

/** Class of a score on the page: 6 and more is good, 4 and more is medium, below is weak. */
export function scoreClass(score: number | null): 'good' | 'medium' | 'weak' | 'none' {
  if (score === null) return 'none';
  if (score >= 6) return 'good';
  return score >= 4 ? 'medium' : 'weak';
}

/** What a reader should know of the text of a page; null where there is nothing to say. */
export function pageNote({ page }: Pick<ReportSlide, 'page'>, labels: Labels): string | null {
  const code = page === null ? null : pageNoteOf(page);
  return code === null ? null : labels.pageNotes[code];
}
