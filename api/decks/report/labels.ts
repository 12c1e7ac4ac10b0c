/** The words of a review that leaves the house, in each language. Names and texts of templates come from the template. */
import type { KnownHazard } from '../../../activities/convert/render/messages.ts';
import type { AnalysisStatus } from '../../../domain/decks/report.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import { languageName } from '../../../domain/decks/unread.ts';
import type { Decision, Judgement } from '../../../domain/decks/verdicts/kinds.ts';
import type { RereadState } from '../../../domain/evidence/rereading.ts';
import type { ContradictionKind } from '../../../domain/evidence/contradictions.ts';
import type { Language, ModelTask } from '../../../domain/models/model-tasks.ts';
import type { RolloutSide } from '../../../domain/rollouts/assignment.ts';
import { counted } from '../../../domain/text/words.ts';

/** Something in a file, and what became of it or where it is. */
export type HazardWords = readonly [name: string, remark: string | null];

const english = {
  ...reviewWords.en,
  review: 'Review',
  statuses: {
    queued: 'waiting',
    running: 'running',
    completed: 'complete',
    completed_with_gaps: 'complete, with gaps',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<AnalysisStatus, string>,
  reviewed: (date: string) => `reviewed ${date}`,
  engine: 'Answered by',
  overall: 'Overall score',
  outOf: 'of 7',
  decimal: (number: number, digits: number) => number.toFixed(digits),
  noScore: 'no score',
  coverage: (scored: number, asked: number) => `${scored} of ${counted(asked, 'question')} scored`,
  movedFrom: (slide: number) => `given for slide ${slide}, found here alone`,
  /** Outcomes of the second reading with their reason, where there is one in the language. */
  reread: {
    withdrawn: (why: string | null) => `read again: ${why ?? 'the picture does not say so'}`,
    not_read: (why: string | null) => (why === null ? 'not read again' : `not read again: ${why}`),
  } satisfies Record<Exclude<RereadState, 'agreed'>, (why: string | null) => string>,
  calledRight: 'a person called it right',
  summary: 'Summary',
  uncertain: 'uncertain',
  strengths: 'Strengths and weaknesses',
  strong: 'Best evidenced answers',
  weak: 'Weak chapters',
  questions: 'What is missing: questions to the founder',
  questionsLead:
    'The deck was read, and nothing or too little was found on these questions. That does not prove that it says nothing.',
  notFound: (count: number) => `${counted(count, 'question')} without an answer in the deck`,
  partly: (count: number) => `${counted(count, 'question')} answered in part`,
  unclear: 'To be cleared first',
  gaps: 'Not computed',
  contradictions: 'Contradictions in the deck',
  contradictionsNotice: 'These statements of the deck cannot both be right.',
  contradiction: {
    ask: 'Two sums asked for',
    founding_year: 'Two founding years',
    figure: 'Two values',
    total: 'The parts do not add up',
  } satisfies Record<ContradictionKind, string>,
  partsSum: 'sum of the parts',
  steering: 'Words that try to steer the score',
  steeringNotice: 'These words on the slides address the machine that reads them. They were reported, not obeyed.',
  invisible: 'Words that nobody can see',
  invisibleNotice: 'These words are in the file and not to be seen on the slide. They were not read and prove nothing.',
  hazards: 'In the file',
  hazard: {
    javascript: ['scripts', 'not run'],
    launch_action: ['a command that starts a program', 'not run'],
    attachments: ['attached files', 'not opened'],
    owner_password: ['a protection against changes', null],
    xfa_form: ['a form', 'not read'],
    repaired_structure: ['a damaged structure', 'repaired for reading'],
    steering_in_metadata: ['words that address a machine', 'in the properties of the file'],
    steering_in_annotation: ['words that address a machine', 'in a comment'],
    steering_in_alternative_text: ['words that address a machine', 'in the description of a picture'],
    invisible_text: ['words that nobody can see', null],
  } satisfies Record<KnownHazard | 'invisible_text', HazardWords>,
  chapters: 'Chapters',
  rationale: 'Why this score',
  verified: 'found on the slide',
  verified_ocr: 'found on the slide (OCR)',
  unverified: 'not checkable',
  glued: 'put together from different places of the slide',
  contradicted: 'not found on the slide',
  specialised: 'Specialised readings',
  slides: 'Slides',
  slideCount: (count: number) => counted(count, 'slide'),
  pageNotes: {
    blank: 'A blank page.',
    recognised: 'The text of this page was recognised in its picture (OCR).',
    not_recognised: 'The text in the picture of this page could not be recognised, or not all of it.',
    no_text: 'This page has no text layer that can be read, and no text was recognised in its picture.',
  },
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
  condensedNotice:
    'The deck did not fit the model’s window. Each slide was reduced to its key sentences before questions were answered.',
  strengthen: (chapter: string) => `Strengthen “${chapter}”`,
  computedWithout: (slides: readonly number[]) =>
    `computed without ${slides.length === 1 ? 'slide' : 'slides'} ${slides.join(', ')}`,
  replayOf: 'Replay of',
  rollout: 'Rollout',
  rolloutSides: { candidate: 'candidate', baseline: 'baseline' } satisfies Record<RolloutSide, string>,
  unknown: 'not known',
  provenance: 'How this review was made',
  secondReading: 'Read again in the picture',
  secondReadingWords: (agreed: number, withdrawn: number, notRead: number) =>
    `${counted(agreed, 'quote')} agreed, ${withdrawn} withdrawn, ${notRead} could not be read again`,
  analysis: 'Analysis',
  template: 'Template',
  file: 'File',
  sectorReason: 'Why this sector',
  method: 'Scoring',
  methodWords: 'weighted mean of the chapters, each the weighted mean of its scored questions',
  cost: 'Cost of GPUs',
  task: 'Task',
  model: 'Model',
  prompt: 'Prompt',
  results: 'Results',
  time: 'Time',
  tokens: 'Tokens',
  hosts: 'Hosts',
  setup: 'set-up',
  tasks: {
    describe_slide: 'Description of a slide',
    slide_feedback: 'Feedback on a slide',
    extract_offering: 'Offering',
    extract_company_name: 'Company',
    extract_funding: 'Funding sought',
    extract_deck_date: 'Date of the deck',
    extract_profile: 'Profile',
    classify_sector: 'Sector',
    answer_question: 'Answer to a question',
    score_answer: 'Score of an answer',
    condense_slide: 'Key sentences of a slide',
    specialised_clinical: 'Clinical reading',
    specialised_regulatory: 'Regulatory reading',
    specialised_science: 'Scientific reading',
  } satisfies Record<ModelTask, string>,
  decision: 'Decision',
  decisions: { meet: 'meet', later: 'later', pass: 'pass' } satisfies Record<Decision, string>,
  assignee: 'Assigned to',
  tags: 'Tags',
  saidBy: (author: string, date: string) => `${author}, ${date}`,
  corrected: 'corrected to',
  judgements: { right: 'right', wrong: 'wrong' } satisfies Record<Judgement, string>,
  scoredByPeople: (score: string) => `the machine says ${score}`,
};

/** Every word a review needs. */
export type Labels = typeof english;

const german: Labels = {
  ...reviewWords.de,
  review: 'Bewertung',
  statuses: {
    queued: 'wartet',
    running: 'läuft',
    completed: 'vollständig',
    completed_with_gaps: 'vollständig, mit Lücken',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
  },
  reviewed: (date) => `bewertet am ${date}`,
  engine: 'Beantwortet von',
  overall: 'Gesamtwertung',
  outOf: 'von 7',
  decimal: (number, digits) => number.toFixed(digits).replace('.', ','),
  noScore: 'keine Wertung',
  coverage: (scored, asked) => `${scored} von ${counted(asked, 'Frage', 'Fragen')} bewertet`,
  movedFrom: (slide) => `für Folie ${slide} angegeben, nur hier gefunden`,
  reread: {
    withdrawn: (why) => `noch einmal gelesen: ${why ?? 'Das Bild sagt es nicht'}`,
    not_read: (why) => (why === null ? 'nicht noch einmal gelesen' : `nicht noch einmal gelesen: ${why}`),
  },
  calledRight: 'ein Mensch hat es richtig genannt',
  summary: 'Zusammenfassung',
  uncertain: 'unsicher',
  strengths: 'Stärken und Schwächen',
  strong: 'Am besten belegte Antworten',
  weak: 'Schwache Kapitel',
  questions: 'Was fehlt: Fragen an die Gründer',
  questionsLead:
    'Das Deck wurde gelesen, zu diesen Fragen wurde nichts oder zu wenig gefunden. Das beweist nicht, dass es dazu nichts sagt.',
  notFound: (count) => `${counted(count, 'Frage', 'Fragen')} ohne Antwort im Deck`,
  partly: (count) => `${counted(count, 'Frage', 'Fragen')} zum Teil beantwortet`,
  unclear: 'Zuerst zu klären',
  gaps: 'Nicht berechnet',
  contradictions: 'Widersprüche im Deck',
  contradictionsNotice: 'Diese Angaben des Decks können nicht beide stimmen.',
  contradiction: {
    ask: 'Zwei gesuchte Beträge',
    founding_year: 'Zwei Gründungsjahre',
    figure: 'Zwei Werte',
    total: 'Die Teile ergeben nicht die Summe',
  },
  partsSum: 'Summe der Teile',
  steering: 'Text, der die Wertung lenken will',
  steeringNotice: 'Dieser Text auf den Folien spricht die lesende Maschine an. Er wurde gemeldet, nicht befolgt.',
  invisible: 'Text, den niemand sehen kann',
  invisibleNotice:
    'Dieser Text steht in der Datei und ist auf der Folie nicht zu sehen. Er wurde nicht gelesen und belegt nichts.',
  hazards: 'In der Datei',
  hazard: {
    javascript: ['Skripte', 'nicht ausgeführt'],
    launch_action: ['ein Befehl, der ein Programm startet', 'nicht ausgeführt'],
    attachments: ['angehängte Dateien', 'nicht geöffnet'],
    owner_password: ['ein Schutz gegen Änderungen', null],
    xfa_form: ['ein Formular', 'nicht gelesen'],
    repaired_structure: ['ein beschädigter Aufbau', 'zum Lesen repariert'],
    steering_in_metadata: ['Text, der eine Maschine anspricht', 'in den Eigenschaften der Datei'],
    steering_in_annotation: ['Text, der eine Maschine anspricht', 'in einem Kommentar'],
    steering_in_alternative_text: ['Text, der eine Maschine anspricht', 'in der Beschreibung eines Bildes'],
    invisible_text: ['Text, den niemand sehen kann', null],
  },
  chapters: 'Kapitel',
  rationale: 'Warum diese Wertung',
  verified: 'auf der Folie gefunden',
  verified_ocr: 'auf der Folie gefunden (OCR)',
  unverified: 'nicht prüfbar',
  glued: 'aus verschiedenen Stellen der Folie zusammengesetzt',
  contradicted: 'auf der Folie nicht gefunden',
  specialised: 'Fachliche Einschätzungen',
  slides: 'Folien',
  slideCount: (count) => counted(count, 'Folie', 'Folien'),
  pageNotes: {
    blank: 'Eine leere Seite.',
    recognised: 'Der Text dieser Seite wurde in ihrem Bild erkannt (OCR).',
    not_recognised: 'Der Text im Bild dieser Seite konnte nicht oder nicht ganz erkannt werden.',
    no_text: 'Diese Seite hat keine lesbare Textebene, und in ihrem Bild wurde kein Text erkannt.',
  },
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
  condensedNotice:
    'Das Deck passte nicht in das Fenster des Modells. Jede Folie wurde vor den Fragen auf ihre Kernsätze gekürzt.',
  strengthen: (chapter) => `„${chapter}“ stärken`,
  computedWithout: (slides) => `ohne Folie ${slides.join(', ')} berechnet`,
  replayOf: 'Wiederholung von',
  rollout: 'Rollout',
  rolloutSides: { candidate: 'Kandidat', baseline: 'Vergleichsgruppe' },
  unknown: 'nicht bekannt',
  provenance: 'Wie diese Bewertung entstand',
  secondReading: 'Im Bild noch einmal gelesen',
  secondReadingWords: (agreed, withdrawn, notRead) =>
    `${counted(agreed, 'Zitat', 'Zitate')} bestätigt, ${withdrawn} zurückgenommen, ${notRead} nicht noch einmal lesbar`,
  analysis: 'Analyse',
  template: 'Vorlage',
  file: 'Datei',
  sectorReason: 'Warum diese Branche',
  method: 'Wertung',
  methodWords: 'gewichtetes Mittel der Kapitel, jedes das gewichtete Mittel seiner bewerteten Fragen',
  cost: 'Kosten der GPUs',
  task: 'Aufgabe',
  model: 'Modell',
  prompt: 'Prompt',
  results: 'Ergebnisse',
  time: 'Dauer',
  tokens: 'Tokens',
  hosts: 'Rechner',
  setup: 'Einrichtung',
  tasks: {
    describe_slide: 'Beschreibung einer Folie',
    slide_feedback: 'Rückmeldung zu einer Folie',
    extract_offering: 'Angebot',
    extract_company_name: 'Unternehmen',
    extract_funding: 'Gesuchte Finanzierung',
    extract_deck_date: 'Stand des Decks',
    extract_profile: 'Profil',
    classify_sector: 'Branche',
    answer_question: 'Antwort auf eine Frage',
    score_answer: 'Wertung einer Antwort',
    condense_slide: 'Kernsätze einer Folie',
    specialised_clinical: 'Klinische Einschätzung',
    specialised_regulatory: 'Regulatorische Einschätzung',
    specialised_science: 'Wissenschaftliche Einschätzung',
  },
  decision: 'Entscheidung',
  decisions: { meet: 'treffen', later: 'später', pass: 'absagen' },
  assignee: 'Zuständig',
  tags: 'Schlagwörter',
  saidBy: (author, date) => `${author}, ${date}`,
  corrected: 'korrigiert zu',
  judgements: { right: 'richtig', wrong: 'falsch' },
  scoredByPeople: (score) => `die Maschine sagt ${score}`,
};

/** The words of a language. */
export function labelsOf(language: Language): Labels {
  return language === 'de' ? german : english;
}
