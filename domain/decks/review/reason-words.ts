/**
 * Reasons of verdicts on quotes and of the second reading in both languages. They are stored in English, as the checks give them.
 *
 * Without a library at run time: the pages of the workspace import it.
 */
import type { Language } from '../../models/model-tasks.ts';

/** Reasons of verdicts, as the check of quotes gives them, in German. */
const REASONS_DE: Readonly<Record<string, string>> = {
  'in one block of text': 'in einem Textblock',
  'within a picture on the slide': 'in einem Bild auf der Folie',
  'in one row of a table': 'in einer Zeile einer Tabelle',
  'in one row of a table, with the headings of its columns':
    'in einer Zeile einer Tabelle, mit den Überschriften ihrer Spalten',
  // As it was said before; stored verdicts keep their words.
  'in one row of a table, with its header': 'in einer Zeile einer Tabelle, mit ihrer Überschrift',
  'in a sentence that runs on in the next column or box': 'in einem Satz, der in der nächsten Spalte weitergeht',
  'the page was not read': 'die Seite wurde nicht gelesen',
  'the page is blank': 'die Seite ist leer',
  'the page has no text that can be read': 'die Seite hat keinen lesbaren Text',
  'the words stand on the slide, but in different boxes, columns or rows':
    'die Worte stehen auf der Folie, aber in verschiedenen Feldern, Spalten oder Zeilen',
  'the words do not stand on this slide in one run': 'die Worte stehen auf dieser Folie nicht hintereinander',
  'a word or number of the quote was not recognised with certainty':
    'ein Wort oder eine Zahl des Zitats wurde nicht sicher erkannt',
  'a quote of fewer than 3 words proves nothing unless a line or box says nothing else':
    'ein Zitat von weniger als 3 Wörtern belegt nichts, wenn es nicht allein in einer Zeile oder einem Feld steht',
  'the quote cuts the unit off its last number': 'das Zitat schneidet die Einheit seiner letzten Zahl ab',
  'the quote cuts the sign off its first number': 'das Zitat schneidet das Vorzeichen seiner ersten Zahl ab',
  'the quote cuts off what is part of its first number': 'das Zitat schneidet einen Teil seiner ersten Zahl ab',
  'a negation right before the quote is left out': 'eine Verneinung direkt vor dem Zitat fehlt',
  'a negation right after the quote is left out': 'eine Verneinung direkt nach dem Zitat fehlt',
};

/** What the reason of a moved quote ends with. Views say it apart, from the slide that was named. */
const MOVED = /, on slide \d+ alone; slide \d+ was named$/u;

/** The reason of a verdict in a language, without that the quote was moved; null where there is none in it. */
export function reasonText(reason: string | null, language: Language): string | null {
  const plain = reason?.replace(MOVED, '') ?? null;
  return plain === null || language === 'en' ? plain : (REASONS_DE[plain] ?? null);
}

/** Reasons of the second reading in German, by their English words. */
const REREAD_DE: readonly (readonly [RegExp, string])[] = [
  [
    /the picture of the slide says something else: “(?<words>.*)”/su,
    'das Bild der Folie sagt etwas anderes: „$<words>“',
  ],
  [
    /the picture of the slide shows other digits: “(?<words>.*)”/su,
    'das Bild der Folie zeigt andere Ziffern: „$<words>“',
  ],
  [/the picture of the slide shows nothing in its place/u, 'das Bild der Folie zeigt an seiner Stelle nichts'],
  [/could not be read with certainty/u, 'es ließ sich im Bild nicht sicher lesen'],
  [/no data to recognise its script/u, 'seine Schrift kann nicht erkannt werden'],
  [/its place is outside the picture of its slide/u, 'seine Stelle liegt außerhalb des Bildes der Folie'],
  [/no picture of its slide/u, 'von seiner Folie gibt es kein Bild'],
  [/its place on the slide is not known/u, 'seine Stelle auf der Folie ist nicht bekannt'],
  [/its letters are too small/u, 'seine Buchstaben sind zu klein'],
];

/**
 * The reason of a second reading in a language; null where there is none in it.
 *
 * @param reason as it is stored, with or without `read again, ` before it
 */
export function rereadReasonText(reason: string | null, language: Language): string | null {
  const why = reason?.replace(/^read again, /u, '') ?? '';
  if (why === '') return null;
  return language === 'en' ? why : rereadReasonInGerman(why);
}

/** The reason of a second reading in German; null where there is none in it. */
function rereadReasonInGerman(reason: string): string | null {
  for (const [pattern, german] of REREAD_DE) {
    const found = pattern.exec(reason);
    if (found !== null) return found[0].replace(pattern, german);
  }
  return null;
}
