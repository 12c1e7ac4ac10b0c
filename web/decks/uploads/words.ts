/** Words of uploads: adding decks, their progress, and why a file was not taken. */
import type { Language } from '../../../domain/models/model-tasks.ts';
import { bothLanguages } from '../../words/language.ts';

/** Why a file was not taken, and what to do. */
export interface RefusalWords {
  readonly text: string;
  readonly hint: string;
}

interface UploadWords {
  readonly add: string;
  readonly choices: string;
  readonly language: string;
  readonly languages: Readonly<Record<Language, string>>;
  readonly priority: string;
  readonly priorities: Readonly<Record<1 | 2 | 3 | 4 | 5, string>>;
  readonly dropHere: string;
  readonly dropHint: string;
  readonly section: string;
  readonly waiting: string;
  readonly held: string;
  readonly sending: (share: string) => string;
  readonly storing: string;
  readonly starting: string;
  readonly started: string;
  readonly known: (day: string) => string;
  readonly knownRunning: string;
  readonly knownAs: (name: string) => string;
  readonly open: string;
  readonly openName: (name: string) => string;
  readonly reviewAgain: string;
  readonly retry: string;
  readonly dismiss: (name: string) => string;
  readonly stop: (name: string) => string;
  readonly progressOf: (name: string) => string;
  readonly underWay: (count: number) => string;
  readonly refusedCount: (count: number) => string;
  readonly dismissFinished: string;
  readonly refusals: Readonly<Record<string, RefusalWords>>;
  readonly other: string;
}

export const uploadWords = bothLanguages<UploadWords>(
  {
    add: 'Add decks',
    choices: 'How added decks are reviewed',
    language: 'Language of the review',
    languages: { en: 'English', de: 'German' },
    priority: 'Priority',
    priorities: { 1: '1 – critical', 2: '2 – high', 3: '3 – normal', 4: '4 – low', 5: '5 – batch' },
    dropHere: 'Drop the decks here',
    dropHint: 'PDF files or folders with them. Each one is reviewed.',
    section: 'Uploads',
    waiting: 'Waiting',
    held: 'Waits until Deckhand answers again',
    sending: (share) => `Uploading, ${share}`,
    storing: 'Being stored',
    starting: 'Starting the review',
    started: 'Review started',
    known: (day) => `Known, reviewed on ${day}`,
    knownRunning: 'Known, its review is running',
    knownAs: (name) => `known as ${name}`,
    open: 'Open',
    openName: (name) => `Open ${name}`,
    reviewAgain: 'Review again',
    retry: 'Try again',
    dismiss: (name) => `Dismiss ${name}`,
    stop: (name) => `Stop the upload of ${name}`,
    progressOf: (name) => `Upload of ${name}`,
    underWay: (count) => (count === 1 ? '1 file is being added' : `${count} files are being added`),
    refusedCount: (count) => (count === 1 ? '1 could not be taken' : `${count} could not be taken`),
    dismissFinished: 'Dismiss finished',
    refusals: {
      not_a_pdf: { text: 'Not a PDF', hint: 'Export the deck as PDF and add it again.' },
      pdf_empty: { text: 'The file is empty', hint: 'Export the deck again.' },
      pdf_too_large: { text: 'The file is too large', hint: 'Export the deck with smaller pictures.' },
      file_gone: { text: 'The file can no longer be read', hint: 'It was moved or deleted. Add it again.' },
      storage_full: { text: 'No space is left for the file', hint: 'Delete decks, or ask who runs Deckhand.' },
      conflict: { text: 'This deck is being deleted', hint: 'Try again once it is gone.' },
      offline: { text: 'The connection broke', hint: 'Try again.' },
      service_unavailable: { text: 'Deckhand is not ready', hint: 'Try again in a moment.' },
    },
    other: 'Could not be taken',
  },
  {
    add: 'Decks hinzufügen',
    choices: 'Wie neue Decks geprüft werden',
    language: 'Sprache der Prüfung',
    languages: { en: 'Englisch', de: 'Deutsch' },
    priority: 'Priorität',
    priorities: { 1: '1 – kritisch', 2: '2 – hoch', 3: '3 – normal', 4: '4 – niedrig', 5: '5 – Stapel' },
    dropHere: 'Decks hier ablegen',
    dropHint: 'PDF-Dateien oder Ordner mit PDF-Dateien. Jede wird geprüft.',
    section: 'Uploads',
    waiting: 'Wartet',
    held: 'Wartet, bis Deckhand wieder antwortet',
    sending: (share) => `Wird hochgeladen, ${share}`,
    storing: 'Wird gespeichert',
    starting: 'Prüfung wird gestartet',
    started: 'Prüfung gestartet',
    known: (day) => `Bekannt, geprüft am ${day}`,
    knownRunning: 'Bekannt, die Prüfung läuft',
    knownAs: (name) => `bekannt als ${name}`,
    open: 'Öffnen',
    openName: (name) => `${name} öffnen`,
    reviewAgain: 'Erneut prüfen',
    retry: 'Noch einmal versuchen',
    dismiss: (name) => `${name} ausblenden`,
    stop: (name) => `Upload von ${name} abbrechen`,
    progressOf: (name) => `Upload von ${name}`,
    underWay: (count) => (count === 1 ? '1 Datei wird hinzugefügt' : `${count} Dateien werden hinzugefügt`),
    refusedCount: (count) => (count === 1 ? '1 wurde nicht angenommen' : `${count} wurden nicht angenommen`),
    dismissFinished: 'Erledigte ausblenden',
    refusals: {
      not_a_pdf: { text: 'Keine PDF-Datei', hint: 'Das Deck als PDF exportieren und noch einmal hinzufügen.' },
      pdf_empty: { text: 'Die Datei ist leer', hint: 'Das Deck noch einmal exportieren.' },
      pdf_too_large: { text: 'Die Datei ist zu groß', hint: 'Das Deck mit kleineren Bildern exportieren.' },
      file_gone: {
        text: 'Die Datei ist nicht mehr lesbar',
        hint: 'Sie wurde verschoben oder gelöscht. Bitte noch einmal hinzufügen.',
      },
      storage_full: {
        text: 'Für die Datei ist kein Platz mehr',
        hint: 'Decks löschen oder den Betreiber von Deckhand fragen.',
      },
      conflict: { text: 'Dieses Deck wird gerade gelöscht', hint: 'Danach noch einmal versuchen.' },
      offline: { text: 'Die Verbindung ist abgebrochen', hint: 'Noch einmal versuchen.' },
      service_unavailable: { text: 'Deckhand ist nicht bereit', hint: 'Gleich noch einmal versuchen.' },
    },
    other: 'Nicht angenommen',
  },
);
