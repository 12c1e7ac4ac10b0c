/** Words of the calibration page. */
import { bothLanguages } from '../words/language.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

interface CalibrationWords {
  readonly title: string;
  readonly lead: string;
  readonly author: string;
  readonly anyone: string;
  readonly since: string;
  readonly everSince: string;
  readonly sinceDays: (days: number) => string;
  readonly summary: (scores: number, questions: number) => string;
  readonly agreeing: (share: string) => string;
  readonly higher: (points: string) => string;
  readonly lower: (points: string) => string;
  readonly level: string;
  readonly byQuestion: string;
  readonly question: string;
  readonly scores: string;
  readonly scoresHint: (compared: number, scored: number) => string;
  readonly difference: string;
  readonly differenceHint: string;
  readonly machineHigher: string;
  readonly peopleHigher: string;
  readonly agreement: string;
  readonly newest: string;
  readonly machineToPerson: (machine: number, human: number) => string;
  readonly noReason: string;
  readonly noDifferences: string;
  readonly values: string;
  readonly value: string;
  readonly corrected: string;
  readonly added: string;
  /** What `added` counts. */
  readonly addedHint: string;
  readonly confirmed: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly nothingFits: string;
  readonly clear: string;
  readonly toDecks: string;
}

export const calibrationWords = bothLanguages<CalibrationWords>(
  {
    title: 'Calibration',
    lead: 'Where people and the machine differ.',
    author: 'Said by',
    anyone: 'Anyone',
    since: 'Said since',
    everSince: 'The beginning',
    sinceDays: (days) => `The last ${days} days`,
    summary: (scores, questions) =>
      `People gave ${plural(scores, 'score', 'scores')} on ${plural(questions, 'question', 'questions')} that the machine had scored, too.`,
    agreeing: (share) => `${share} of them are the same as the machine’s.`,
    higher: (points) => `On average people score ${points} points higher.`,
    lower: (points) => `On average people score ${points} points lower.`,
    level: 'On average people score as the machine does.',
    byQuestion: 'By question',
    question: 'Question',
    scores: 'Scores',
    scoresHint: (compared, scored) => `${compared} of ${scored} can be compared`,
    difference: 'Mean difference',
    differenceHint: 'Score of people minus score of the machine',
    machineHigher: 'machine higher',
    peopleHigher: 'people higher',
    agreement: 'Agreement',
    newest: 'Newest differences',
    machineToPerson: (machine, human) => `Machine ${machine}, person ${human}`,
    noReason: 'No reason given.',
    noDifferences: 'People and the machine gave the same scores.',
    values: 'Corrected values',
    value: 'Value',
    corrected: 'Corrected',
    added: 'Of them added',
    addedHint: 'The machine had found nothing',
    confirmed: 'Confirmed',
    emptyTitle: 'Nothing to compare yet',
    emptyText:
      'This page fills when people give scores of their own. Open a review, press the score of an answer, choose another one and say why. The machine’s score stays beside it.',
    nothingFits: 'Nobody gave a score that fits these filters.',
    clear: 'Clear filters',
    toDecks: 'To the decks',
  },
  {
    title: 'Abgleich',
    lead: 'Wo Menschen und Maschine auseinanderliegen.',
    author: 'Von',
    anyone: 'Allen',
    since: 'Seit',
    everSince: 'Anfang',
    sinceDays: (days) => `${days} Tagen`,
    summary: (scores, questions) =>
      `Menschen gaben ${plural(scores, 'Bewertung', 'Bewertungen')} zu ${plural(questions, 'Frage', 'Fragen')} ab, die auch die Maschine bewertet hatte.`,
    agreeing: (share) => `${share} davon sind dieselben wie die der Maschine.`,
    higher: (points) => `Im Mittel bewerten Menschen um ${points} Punkte höher.`,
    lower: (points) => `Im Mittel bewerten Menschen um ${points} Punkte niedriger.`,
    level: 'Im Mittel bewerten Menschen wie die Maschine.',
    byQuestion: 'Nach Frage',
    question: 'Frage',
    scores: 'Bewertungen',
    scoresHint: (compared, scored) => `${compared} von ${scored} sind vergleichbar`,
    difference: 'Mittlerer Unterschied',
    differenceHint: 'Bewertung der Menschen minus Bewertung der Maschine',
    machineHigher: 'Maschine höher',
    peopleHigher: 'Menschen höher',
    agreement: 'Gleich',
    newest: 'Neueste Unterschiede',
    machineToPerson: (machine, human) => `Maschine ${machine}, Mensch ${human}`,
    noReason: 'Ohne Begründung.',
    noDifferences: 'Menschen und Maschine bewerten gleich.',
    values: 'Berichtigte Werte',
    value: 'Wert',
    corrected: 'Berichtigt',
    added: 'Davon ergänzt',
    addedHint: 'Die Maschine hatte nichts gefunden',
    confirmed: 'Bestätigt',
    emptyTitle: 'Noch nichts zu vergleichen',
    emptyText:
      'Diese Seite füllt sich, wenn Menschen eigene Bewertungen abgeben. Öffnen Sie eine Prüfung, drücken Sie auf die Bewertung einer Antwort, wählen Sie eine andere und sagen Sie warum. Die Bewertung der Maschine bleibt daneben stehen.',
    nothingFits: 'Niemand hat eine Bewertung abgegeben, die zu diesen Filtern passt.',
    clear: 'Filter zurücksetzen',
    toDecks: 'Zu den Decks',
  },
);
