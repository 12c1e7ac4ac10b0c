/** Words of runs: what happened, what to do, other runs of the deck. */
import type { ErrorCode } from '../../../domain/errors.ts';
import { bothLanguages } from '../../words/language.ts';

interface RunWords {
  readonly notReviewed: string;
  readonly notReviewedHint: string;
  readonly start: string;
  readonly waiting: string;
  readonly runs: string;
  readonly runsBeside: (day: string) => string;
  readonly failed: string;
  readonly cancelled: string;
  readonly deleted: string;
  readonly deleting: string;
  readonly reviewAgain: string;
  readonly byRules: string;
  readonly otherRun: (moment: string) => string;
  readonly showNewest: string;
  readonly gaps: (count: number) => string;
  readonly gapsHint: string;
  readonly fillGaps: string;
  readonly fillStarted: string;
  readonly questions: (count: number) => string;
  readonly condensed: string;
  readonly runsTitle: string;
  readonly runsOfDeck: string;
  readonly decksOfCompany: string;
  readonly shown: string;
  readonly open: string;
  readonly compare: string;
  readonly noOthers: string;
  readonly answeredIn: { readonly en: string; readonly de: string };
  /** Why something is missing, by the code of its gap; of other codes the API's own words are shown. */
  readonly gapReason: Readonly<Partial<Record<ErrorCode | 'deadline', string>>>;
  readonly gapValue: string;
  /** By the profile of models that a run used. */
  readonly models: Readonly<Record<string, string>>;
  readonly hazards: string;
  readonly hazard: Readonly<Record<string, string>>;
  readonly hazardUnknown: (hazard: string) => string;
}

export const runWords = bothLanguages<RunWords>(
  {
    notReviewed: 'This deck is not reviewed yet',
    notReviewedHint: 'A review reads every slide, answers the questions of the template and checks each quote.',
    start: 'Review it',
    waiting: 'The review waits for its turn.',
    runs: 'The review is running. What is finished is shown below.',
    runsBeside: (day) => `A new review is running. Shown is the one of ${day}.`,
    failed: 'The review failed',
    cancelled: 'The review was cancelled. What was finished is shown below.',
    deleted: 'This deck was deleted.',
    deleting: 'This deck is being deleted.',
    reviewAgain: 'Review again',
    byRules:
      'Answered by rules, not by a language model: the score says how much of what is asked stands in the deck, not how good it is.',
    otherRun: (moment) => `This is the review of ${moment}, not the newest one.`,
    showNewest: 'Show the newest',
    gaps: (count) => (count === 1 ? 'Something could not be computed' : `${count} things could not be computed`),
    gapsHint: 'Everything else is complete. To compute only what is missing:',
    fillGaps: 'Compute what is missing',
    fillStarted: 'A run that fills the gaps is started.',
    questions: (count) => (count === 1 ? '1 question' : `${count} questions`),
    condensed:
      'The deck did not fit into the model’s window. Each slide was reduced to its key sentences before questions were answered.',
    runsTitle: 'Runs and versions',
    runsOfDeck: 'Runs of this deck',
    decksOfCompany: 'Decks of the company',
    shown: 'shown',
    open: 'Open',
    compare: 'Compare',
    noOthers: 'There are no others.',
    answeredIn: { en: 'English', de: 'German' },
    gapReason: {
      slide_illegible: 'Nothing could be read',
      page_render_timeout: 'It could not be drawn in time',
      page_render_memory: 'It takes too much memory to draw',
      page_render_failed: 'It could not be drawn',
      model_output_unparseable: 'The answer of the model could not be used',
      model_input_rejected: 'The model refused the question',
      prompt_too_long: 'It is too long for the model',
      model_lacks_vision: 'The model does not see pictures',
      model_not_configured: 'No model is configured for it',
      model_unreachable: 'The model did not answer',
      model_stalled: 'The model stopped in the middle of its answer',
      model_crashed: 'The model crashed',
      deadline: 'The deadline of the review had passed',
    },
    gapValue: 'a value of the whole deck',
    models: { reader: 'by rules', ollama: 'by a language model' },
    hazards: 'In the file, reported and never executed:',
    hazard: {
      javascript: 'a script',
      launch_action: 'a command that starts a program',
      attachments: 'attached files',
      owner_password: 'a password for the rights of its owner',
      xfa_form: 'a form of the kind XFA',
      repaired_structure: 'a damaged structure, which was repaired to read it',
      steering_in_metadata: 'words in its properties that try to steer the score',
      steering_in_annotation: 'words in an annotation that try to steer the score',
      steering_in_alternative_text: 'words in the description of a picture that try to steer the score',
    },
    hazardUnknown: (hazard) => `${hazard} (the file is too damaged to tell)`,
  },
  {
    notReviewed: 'Dieses Deck ist noch nicht geprüft',
    notReviewedHint: 'Eine Prüfung liest jede Folie, beantwortet die Fragen der Vorlage und prüft jedes Zitat.',
    start: 'Prüfen',
    waiting: 'Die Prüfung wartet, bis sie an der Reihe ist.',
    runs: 'Die Prüfung läuft. Was fertig ist, steht unten.',
    runsBeside: (day) => `Eine neue Prüfung läuft. Gezeigt wird die vom ${day}.`,
    failed: 'Die Prüfung ist fehlgeschlagen',
    cancelled: 'Die Prüfung wurde abgebrochen. Was fertig war, steht unten.',
    deleted: 'Dieses Deck wurde gelöscht.',
    deleting: 'Dieses Deck wird gelöscht.',
    reviewAgain: 'Erneut prüfen',
    byRules:
      'Beantwortet von Regeln, nicht von einem Sprachmodell: Die Bewertung sagt, wie viel des Gefragten im Deck steht, nicht, wie gut es ist.',
    otherRun: (moment) => `Das ist die Prüfung vom ${moment}, nicht die neueste.`,
    showNewest: 'Die neueste zeigen',
    gaps: (count) =>
      count === 1 ? 'Etwas konnte nicht berechnet werden' : `${count} Dinge konnten nicht berechnet werden`,
    gapsHint: 'Alles andere ist vollständig. Um nur das Fehlende zu berechnen:',
    fillGaps: 'Fehlendes berechnen',
    fillStarted: 'Ein Lauf, der die Lücken füllt, ist gestartet.',
    questions: (count) => (count === 1 ? '1 Frage' : `${count} Fragen`),
    condensed:
      'Das Deck passte nicht in das Fenster des Modells. Jede Folie wurde vor den Fragen auf ihre Kernsätze gekürzt.',
    runsTitle: 'Läufe und Fassungen',
    runsOfDeck: 'Läufe dieses Decks',
    decksOfCompany: 'Decks der Firma',
    shown: 'gezeigt',
    open: 'Öffnen',
    compare: 'Vergleichen',
    noOthers: 'Es gibt keine anderen.',
    answeredIn: { en: 'Englisch', de: 'Deutsch' },
    gapReason: {
      slide_illegible: 'Nichts war lesbar',
      page_render_timeout: 'Das Zeichnen dauerte zu lange',
      page_render_memory: 'Das Zeichnen braucht zu viel Speicher',
      page_render_failed: 'Das Zeichnen misslang',
      model_output_unparseable: 'Die Antwort des Modells war nicht zu gebrauchen',
      model_input_rejected: 'Das Modell hat die Frage abgelehnt',
      prompt_too_long: 'Es ist zu lang für das Modell',
      model_lacks_vision: 'Das Modell sieht keine Bilder',
      model_not_configured: 'Dafür ist kein Modell eingerichtet',
      model_unreachable: 'Das Modell hat nicht geantwortet',
      model_stalled: 'Das Modell hat mitten in der Antwort aufgehört',
      model_crashed: 'Das Modell ist abgestürzt',
      deadline: 'Die Frist der Prüfung war abgelaufen',
    },
    gapValue: 'ein Wert des ganzen Decks',
    models: { reader: 'von Regeln', ollama: 'von einem Sprachmodell' },
    hazards: 'In der Datei, gemeldet und nie ausgeführt:',
    hazard: {
      javascript: 'ein Skript',
      launch_action: 'ein Befehl, der ein Programm startet',
      attachments: 'angehängte Dateien',
      owner_password: 'ein Passwort für die Rechte des Besitzers',
      xfa_form: 'ein Formular der Art XFA',
      repaired_structure: 'ein beschädigter Aufbau, der zum Lesen repariert wurde',
      steering_in_metadata: 'Text in den Eigenschaften, der die Bewertung lenken will',
      steering_in_annotation: 'Text in einer Anmerkung, der die Bewertung lenken will',
      steering_in_alternative_text: 'Text in der Beschreibung eines Bildes, der die Bewertung lenken will',
    },
    hazardUnknown: (hazard) => `${hazard} (die Datei ist zu beschädigt, um es zu sagen)`,
  },
);
