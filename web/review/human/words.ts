/** Words of what people say: corrections, scores, notes, tags, assignee, decision, history. */
import type { VerdictKind } from '../../../domain/decks/verdicts/kinds.ts';
import { bothLanguages } from '../../words/language.ts';

interface HumanWords {
  readonly machine: (value: string) => string;
  readonly machineNone: string;
  readonly by: (name: string) => string;
  readonly correctOf: (label: string) => string;
  readonly add: string;
  readonly withdraw: string;
  readonly value: string;
  readonly asInDeck: string;
  readonly amount: string;
  readonly currency: string;
  readonly isoDate: string;
  readonly isoDateHint: string;
  readonly sector: string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly score: string;
  /** Behind the name of who said it. */
  readonly scored: (score: number | string) => string;
  readonly scoreOf: (label: string) => string;
  readonly yourScore: string;
  readonly note: string;
  readonly addNote: string;
  readonly noteOn: (label: string) => string;
  readonly editNote: string;
  readonly withdrawNote: string;
  readonly notes: string;
  readonly decision: string;
  readonly decisionReason: string;
  readonly assignee: string;
  readonly assign: string;
  readonly nobody: string;
  readonly someoneElse: string;
  readonly tags: string;
  readonly addTag: string;
  readonly newTag: string;
  readonly removeTag: (tag: string) => string;
  readonly history: string;
  readonly historyEmpty: string;
  readonly saving: string;
  /** Of a row of the history. */
  readonly kind: Readonly<Record<VerdictKind, string>>;
  readonly on: (label: string) => string;
  readonly withdrawn: string;
  readonly tagOff: (tag: string) => string;
}

export const humanWords = bothLanguages<HumanWords>(
  {
    machine: (value) => `machine: ${value}`,
    machineNone: 'nothing',
    by: (name) => `by ${name}`,
    correctOf: (label) => `Correct: ${label}`,
    add: 'Add',
    withdraw: 'Withdraw',
    value: 'Value',
    asInDeck: 'In words',
    amount: 'Amount',
    currency: 'Currency',
    isoDate: 'Date',
    isoDateHint: '2026, 2026-03 or 2026-03-14',
    sector: 'Sector',
    reason: 'Reason',
    reasonHint: 'Kept with your name and the date.',
    score: 'Score',
    scored: (score) => `score ${score}`,
    scoreOf: (label) => `Score: ${label}`,
    yourScore: 'Your score, 0 to 7',
    note: 'Note',
    addNote: 'Add a note (N)',
    noteOn: (label) => `Note on ${label}`,
    editNote: 'Change the note',
    withdrawNote: 'Withdraw the note',
    notes: 'Notes',
    decision: 'Decision',
    decisionReason: 'Reason of the decision',
    assignee: 'Assignee',
    assign: 'Assign',
    nobody: 'Nobody',
    someoneElse: 'Name',
    tags: 'Tags',
    addTag: 'Add a tag',
    newTag: 'New tag',
    removeTag: (tag) => `Remove the tag ${tag}`,
    history: 'Who said what, when',
    historyEmpty: 'Nobody has said anything about this deck yet.',
    saving: 'saving …',
    kind: {
      value: 'Correction',
      score: 'Score',
      note: 'Note',
      tag: 'Tag',
      assignee: 'Assignee',
      decision: 'Decision',
    },
    on: (label) => `on ${label}`,
    withdrawn: 'withdrawn',
    tagOff: (tag) => `${tag}, removed`,
  },
  {
    machine: (value) => `Maschine: ${value}`,
    machineNone: 'nichts',
    by: (name) => `von ${name}`,
    correctOf: (label) => `Berichtigen: ${label}`,
    add: 'Hinzufügen',
    withdraw: 'Zurücknehmen',
    value: 'Wert',
    asInDeck: 'In Worten',
    amount: 'Betrag',
    currency: 'Währung',
    isoDate: 'Datum',
    isoDateHint: '2026, 2026-03 oder 2026-03-14',
    sector: 'Branche',
    reason: 'Begründung',
    reasonHint: 'Wird mit Ihrem Namen und dem Datum aufbewahrt.',
    score: 'Bewertung',
    scored: (score) => `Bewertung ${score}`,
    scoreOf: (label) => `Bewertung: ${label}`,
    yourScore: 'Ihre Bewertung, 0 bis 7',
    note: 'Notiz',
    addNote: 'Notiz hinzufügen (N)',
    noteOn: (label) => `Notiz zu ${label}`,
    editNote: 'Notiz ändern',
    withdrawNote: 'Notiz zurücknehmen',
    notes: 'Notizen',
    decision: 'Entscheidung',
    decisionReason: 'Begründung der Entscheidung',
    assignee: 'Zuständig',
    assign: 'Zuweisen',
    nobody: 'Niemand',
    someoneElse: 'Name',
    tags: 'Schlagwörter',
    addTag: 'Schlagwort hinzufügen',
    newTag: 'Neues Schlagwort',
    removeTag: (tag) => `Schlagwort ${tag} entfernen`,
    history: 'Wer was wann gesagt hat',
    historyEmpty: 'Zu diesem Deck hat noch niemand etwas gesagt.',
    saving: 'wird gespeichert …',
    kind: {
      value: 'Berichtigung',
      score: 'Bewertung',
      note: 'Notiz',
      tag: 'Schlagwort',
      assignee: 'Zuständig',
      decision: 'Entscheidung',
    },
    on: (label) => `zu ${label}`,
    withdrawn: 'zurückgenommen',
    tagOff: (tag) => `${tag}, entfernt`,
  },
);
