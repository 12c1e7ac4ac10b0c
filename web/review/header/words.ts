/** Words of the head of the review page. */
import { bothLanguages } from '../../words/language.ts';

interface HeaderWords {
  readonly title: (name: string) => string;
  readonly allDecks: string;
  readonly alsoNamed: (names: string) => string;
  readonly score: string;
  readonly ofSeven: string;
  readonly byRules: string;
  readonly machine: (score: string) => string;
  readonly coverage: (scored: number, asked: number) => string;
  readonly quotes: (verified: number, total: number) => string;
  readonly more: string;
  readonly runs: string;
  readonly company: string;
  readonly history: string;
  readonly made: string;
  readonly keys: string;
  readonly pdf: string;
  readonly export: string;
  readonly exportAs: { readonly html: string; readonly md: string; readonly json: string; readonly pdf: string };
  readonly print: string;
  readonly cancel: string;
  readonly delete: string;
}

export const headerWords = bothLanguages<HeaderWords>(
  {
    title: (name) => `${name}, review`,
    allDecks: 'All decks',
    alsoNamed: (names) => `also ${names}`,
    score: 'Score',
    ofSeven: 'of 7',
    byRules: 'by rules',
    machine: (score) => `machine: ${score}`,
    coverage: (scored, asked) => `${scored} of ${asked} questions scored`,
    quotes: (verified, total) => `${verified} of ${total} quotes verified`,
    more: 'More',
    runs: 'Runs and versions …',
    company: 'All decks of the company',
    history: 'Who said what, when',
    made: 'How this review was made',
    keys: 'Keys',
    pdf: 'Original PDF',
    export: 'Export the review',
    exportAs: { html: 'As a page (HTML)', md: 'As Markdown', json: 'As data (JSON)', pdf: 'As PDF' },
    print: 'Print',
    cancel: 'Cancel the review',
    delete: 'Delete …',
  },
  {
    title: (name) => `${name}, Prüfung`,
    allDecks: 'Alle Decks',
    alsoNamed: (names) => `auch ${names}`,
    score: 'Bewertung',
    ofSeven: 'von 7',
    byRules: 'von Regeln',
    machine: (score) => `Maschine: ${score}`,
    coverage: (scored, asked) => `${scored} von ${asked} Fragen bewertet`,
    quotes: (verified, total) => `${verified} von ${total} Zitaten belegt`,
    more: 'Mehr',
    runs: 'Läufe und Fassungen …',
    company: 'Alle Decks der Firma',
    history: 'Wer was wann gesagt hat',
    made: 'Wie diese Prüfung entstand',
    keys: 'Tasten',
    pdf: 'Original-PDF',
    export: 'Prüfung exportieren',
    exportAs: { html: 'Als Seite (HTML)', md: 'Als Markdown', json: 'Als Daten (JSON)', pdf: 'Als PDF' },
    print: 'Drucken',
    cancel: 'Prüfung abbrechen',
    delete: 'Löschen …',
  },
);
