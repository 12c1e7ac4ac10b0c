/** Words of the slide viewer: controls, verdicts on quotes and their reasons, what is said of a page. */
import { rereadReasonInGerman } from '../../marks/words.ts';
import { bothLanguages, plural } from '../../words/language.ts';

export const viewerWords = bothLanguages(
  {
    slides: 'Slides',
    slide: (number: number) => `Slide ${number}`,
    slideOf: (number: number, count: number) => `Slide ${number} of ${count}`,
    previousSlide: 'Previous slide (←)',
    nextSlide: 'Next slide (→)',
    zoomIn: 'Zoom in (+)',
    zoomOut: 'Zoom out (−)',
    fit: 'Fit (F)',
    actualSize: '100 %',
    hide: 'Hide the slide',
    show: 'Show the slide',
    noPicture: 'There is no picture of this slide.',
    notDrawn: 'This slide is not drawn yet.',
    marks: {
      proofs: (count: number) => plural(count, 'quote', 'quotes'),
      feedback: 'feedback',
      warning: 'warning',
      notes: (count: number) => plural(count, 'note', 'notes'),
    },
    choose: 'Choose a statement: its words are lit on the slide.',
    previousQuote: 'Previous quote (,)',
    nextQuote: 'Next quote (.)',
    quoteOf: (number: number, count: number) => `Quote ${number} of ${count}`,
    onSlide: (slide: number) => `This quote is on slide ${slide}.`,
    /** Words of the live region. */
    lit: (slide: number) => `Slide ${slide}, quote lit`,
    notFoundOnSlide: (slide: number) => `Slide ${slide}, quote not found on the slide`,
    verdict: {
      verified: 'Verified: the slide says so.',
      verified_ocr: 'Verified: the slide says so. Its words were recognised in the picture.',
      unverified: 'Not verified: it cannot be checked.',
      glued: 'Not verified: it is put together from different places of the slide.',
      contradicted: 'Not verified: the slide does not say so.',
    },
    /** Of quotes that nothing is proved by, as a mark. */
    mark: {
      verified: 'verified',
      verified_ocr: 'verified',
      unverified: 'not checkable',
      glued: 'put together',
      contradicted: 'not on the slide',
    },
    inParts: 'The words stand in several places of the slide.',
    notLocated: 'The words cannot be found on the slide, so nothing is lit.',
    pageNote: {
      blank: 'A blank page.',
      recognised: 'The text of this page was recognised in its picture.',
      not_recognised: 'The text in the picture of this page could not be recognised, or not all of it.',
      no_text: 'No text of this page could be read.',
    },
    howMade: 'How it was made',
  },
  {
    slides: 'Folien',
    slide: (number) => `Folie ${number}`,
    slideOf: (number, count) => `Folie ${number} von ${count}`,
    previousSlide: 'Vorige Folie (←)',
    nextSlide: 'Nächste Folie (→)',
    zoomIn: 'Vergrößern (+)',
    zoomOut: 'Verkleinern (−)',
    fit: 'Einpassen (F)',
    actualSize: '100 %',
    hide: 'Folie ausblenden',
    show: 'Folie einblenden',
    noPicture: 'Es gibt kein Bild dieser Folie.',
    notDrawn: 'Diese Folie ist noch nicht gezeichnet.',
    marks: {
      proofs: (count) => plural(count, 'Zitat', 'Zitate'),
      feedback: 'Rückmeldung',
      warning: 'Warnung',
      notes: (count) => plural(count, 'Notiz', 'Notizen'),
    },
    choose: 'Wählen Sie eine Aussage: Ihre Worte werden auf der Folie hervorgehoben.',
    previousQuote: 'Voriges Zitat (,)',
    nextQuote: 'Nächstes Zitat (.)',
    quoteOf: (number, count) => `Zitat ${number} von ${count}`,
    onSlide: (slide) => `Dieses Zitat steht auf Folie ${slide}.`,
    lit: (slide) => `Folie ${slide}, Zitat hervorgehoben`,
    notFoundOnSlide: (slide) => `Folie ${slide}, Zitat auf der Folie nicht gefunden`,
    verdict: {
      verified: 'Belegt: So steht es auf der Folie.',
      verified_ocr: 'Belegt: So steht es auf der Folie. Die Worte wurden im Bild erkannt.',
      unverified: 'Nicht belegt: Es lässt sich nicht prüfen.',
      glued: 'Nicht belegt: Es ist aus verschiedenen Stellen der Folie zusammengesetzt.',
      contradicted: 'Nicht belegt: So steht es nicht auf der Folie.',
    },
    mark: {
      verified: 'belegt',
      verified_ocr: 'belegt',
      unverified: 'nicht prüfbar',
      glued: 'zusammengesetzt',
      contradicted: 'nicht auf der Folie',
    },
    inParts: 'Die Worte stehen an mehreren Stellen der Folie.',
    notLocated: 'Die Worte sind auf der Folie nicht zu finden; darum ist nichts hervorgehoben.',
    pageNote: {
      blank: 'Eine leere Seite.',
      recognised: 'Der Text dieser Seite wurde in ihrem Bild erkannt.',
      not_recognised: 'Der Text im Bild dieser Seite konnte nicht oder nicht ganz erkannt werden.',
      no_text: 'Kein Text dieser Seite konnte gelesen werden.',
    },
    howMade: 'Wie es entstand',
  },
);

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

/** Reason of a moved quote. */
const MOVED = /^(.*), on slide (\d+) alone; slide (\d+) was named$/u;

/** The reason of a verdict in the language in use; null where there is none in it. */
export function reasonText(reason: string | null, language: 'en' | 'de'): string | null {
  if (reason === null || language === 'en') return reason;
  if (reason.startsWith('read again, ')) {
    const german = rereadReasonInGerman(reason);
    return german === null ? null : `noch einmal gelesen: ${german}`;
  }
  const [, plain = reason, slide, named] = MOVED.exec(reason) ?? [];
  if (slide === undefined) return REASONS_DE[reason] ?? null;
  return `${REASONS_DE[plain] ?? plain}, nur auf Folie ${slide}; genannt war Folie ${named}`;
}
