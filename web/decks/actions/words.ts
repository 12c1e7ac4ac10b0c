/** Words of what can be done with decks. */
import { bothLanguages } from '../../words/language.ts';
import type { Action, ReviewScope } from './perform.ts';

interface ActionWords {
  readonly actions: string;
  readonly open: string;
  readonly review: string;
  readonly cancel: string;
  readonly priority: string;
  readonly tags: string;
  readonly assign: string;
  readonly decide: string;
  readonly compare: string;
  readonly compareHint: string;
  readonly export: string;
  readonly exportAs: (format: string) => string;
  readonly exportLimit: (most: number) => string;
  readonly pdf: string;
  readonly delete: string;
  readonly selected: (count: string) => string;
  readonly selectAll: (count: string) => string;
  readonly clear: string;
  readonly done: Readonly<Record<Action['kind'], (count: number) => string>>;
  readonly failedFor: (failed: number, all: number) => string;
  readonly failedHint: string;
  readonly about: (count: number) => string;
  readonly andMore: (count: number) => string;
  readonly scope: string;
  readonly scopes: Readonly<Record<ReviewScope, { readonly name: string; readonly hint: string }>>;
  readonly asBefore: string;
  readonly start: string;
  readonly skipped: (count: number) => string;
  readonly nothingToDo: string;
  readonly setPriority: string;
  readonly newTag: string;
  readonly addTag: string;
  readonly noTags: string;
  readonly assignee: string;
  readonly someoneElse: string;
  readonly nobody: string;
  readonly decision: string;
  readonly noDecision: string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly deleteTitle: (count: number) => string;
  readonly deleteText: string;
  readonly deleteNow: (count: number) => string;
}

const decksEn = (count: number): string => (count === 1 ? '1 deck' : `${count} decks`);
const decksDe = (count: number): string => (count === 1 ? '1 Deck' : `${count} Decks`);

export const actionWords = bothLanguages<ActionWords>(
  {
    actions: 'Actions',
    open: 'Open',
    review: 'Review again …',
    cancel: 'Cancel the review',
    priority: 'Priority …',
    tags: 'Tags …',
    assign: 'Assign …',
    decide: 'Decide …',
    compare: 'Compare',
    compareHint: 'Select two to five decks with results',
    export: 'Export',
    exportAs: (format) => `Export as ${format}`,
    exportLimit: (most) => `Select at most ${most} decks, or all that fit`,
    pdf: 'Download the PDF',
    delete: 'Delete …',
    selected: (count) => `${count} selected`,
    selectAll: (count) => `Select all ${count}`,
    clear: 'Clear the selection',
    done: {
      review: (count) => `Review of ${decksEn(count)} started`,
      cancel: (count) => `Review of ${decksEn(count)} cancelled`,
      priority: (count) => `Priority of ${decksEn(count)} changed`,
      verdicts: (count) => `Saved for ${decksEn(count)}`,
      delete: (count) => `${decksEn(count)} deleted`,
    },
    failedFor: (failed, all) => `Not done for ${failed} of ${all} decks`,
    failedHint: 'It was done for the others.',
    about: decksEn,
    andMore: (count) => `and ${count} more`,
    scope: 'What is computed',
    scopes: {
      stored: {
        name: 'What changed',
        hint: 'Stored results stand. What is missing or was made with other models or questions is computed.',
      },
      gaps: { name: 'Only what is missing', hint: 'Fills gaps; everything else stays as it is.' },
      anew: { name: 'Everything anew', hint: 'Takes as long and costs as much as the first review.' },
    },
    asBefore: 'As before',
    start: 'Start the review',
    skipped: (count) =>
      count === 1
        ? '1 deck is left out: its review is running.'
        : `${count} decks are left out: their review is running.`,
    nothingToDo: 'The review of every selected deck is running.',
    setPriority: 'Change the priority',
    newTag: 'New tag',
    addTag: 'Add',
    noTags: 'No tags yet.',
    assignee: 'Assignee',
    someoneElse: 'Name',
    nobody: 'Nobody',
    decision: 'Decision',
    noDecision: 'None yet',
    reason: 'Reason',
    reasonHint: 'Kept with your name and the date.',
    deleteTitle: (count) => `Delete ${decksEn(count)}?`,
    deleteText:
      'This deletes the PDF and its slides, every review, and all notes, tags and decisions. A running review is stopped. It cannot be undone.',
    deleteNow: (count) => `Delete ${decksEn(count)}`,
  },
  {
    actions: 'Aktionen',
    open: 'Öffnen',
    review: 'Erneut prüfen …',
    cancel: 'Prüfung abbrechen',
    priority: 'Priorität …',
    tags: 'Schlagwörter …',
    assign: 'Zuweisen …',
    decide: 'Entscheiden …',
    compare: 'Vergleichen',
    compareHint: 'Zwei bis fünf Decks mit Ergebnissen auswählen',
    export: 'Exportieren',
    exportAs: (format) => `Als ${format} exportieren`,
    exportLimit: (most) => `Höchstens ${most} Decks auswählen, oder alle passenden`,
    pdf: 'PDF herunterladen',
    delete: 'Löschen …',
    selected: (count) => `${count} ausgewählt`,
    selectAll: (count) => `Alle ${count} auswählen`,
    clear: 'Auswahl aufheben',
    done: {
      review: (count) => `Prüfung von ${decksDe(count)} gestartet`,
      cancel: (count) => `Prüfung von ${decksDe(count)} abgebrochen`,
      priority: (count) => `Priorität von ${decksDe(count)} geändert`,
      verdicts: (count) => `Für ${decksDe(count)} gespeichert`,
      delete: (count) => `${decksDe(count)} gelöscht`,
    },
    failedFor: (failed, all) => `Für ${failed} von ${all} Decks nicht ausgeführt`,
    failedHint: 'Für die anderen wurde es ausgeführt.',
    about: decksDe,
    andMore: (count) => `und ${count} weitere`,
    scope: 'Was berechnet wird',
    scopes: {
      stored: {
        name: 'Was sich geändert hat',
        hint: 'Gespeicherte Ergebnisse bleiben. Berechnet wird, was fehlt oder mit anderen Modellen oder Fragen entstand.',
      },
      gaps: { name: 'Nur was fehlt', hint: 'Füllt Lücken; alles andere bleibt, wie es ist.' },
      anew: { name: 'Alles neu', hint: 'Dauert so lange und kostet so viel wie die erste Prüfung.' },
    },
    asBefore: 'Wie bisher',
    start: 'Prüfung starten',
    skipped: (count) =>
      count === 1
        ? '1 Deck wird ausgelassen: Seine Prüfung läuft.'
        : `${count} Decks werden ausgelassen: Ihre Prüfung läuft.`,
    nothingToDo: 'Die Prüfung aller ausgewählten Decks läuft.',
    setPriority: 'Priorität ändern',
    newTag: 'Neues Schlagwort',
    addTag: 'Hinzufügen',
    noTags: 'Noch keine Schlagwörter.',
    assignee: 'Zuständig',
    someoneElse: 'Name',
    nobody: 'Niemand',
    decision: 'Entscheidung',
    noDecision: 'Noch keine',
    reason: 'Begründung',
    reasonHint: 'Wird mit Ihrem Namen und dem Datum aufbewahrt.',
    deleteTitle: (count) => `${decksDe(count)} löschen?`,
    deleteText:
      'Gelöscht werden die PDF-Datei mit ihren Folien, alle Prüfungen sowie alle Notizen, Schlagwörter und Entscheidungen. Eine laufende Prüfung wird beendet. Das lässt sich nicht rückgängig machen.',
    deleteNow: (count) => `${decksDe(count)} löschen`,
  },
);
