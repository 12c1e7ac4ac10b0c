/** Words of the two marks of quotes, of lines by their quotes, and of what became of a quote when it was checked. */
import { rereadReasonText } from '../../domain/decks/review/reason-words.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { bothLanguages } from '../words/language.ts';

export const markWords = bothLanguages(
  {
    onSlide: 'on the slide',
    /** Of a quote, in a word or two; shown where it proves nothing. */
    verdict: {
      verified: 'verified',
      verified_ocr: 'verified',
      unverified: 'not checkable',
      glued: 'put together',
      contradicted: 'not on the slide',
    },
    /** Of a claim, in a word or two; the full words are those of reviews. */
    claim: {
      settled: 'Settled',
      on_slide: 'Bears on it',
      not_judged: 'Not judged',
      doubtful: 'Doubtful',
      not_proved: 'Not proved',
    },
    /** Of a quote, as a sentence. */
    answeringLong: {
      high: 'It answers the question.',
      some: 'It bears on the question.',
      doubtful: 'It may be about something else.',
      not_judged: 'It was not judged whether it answers the question.',
    },
    /** Where the judgement of a quote comes from. */
    answeringBy: {
      reader: 'by the check of the built-in reader',
      readings: 'by comparison with the built-in rules',
      people: 'by people',
    },
    moved: (slide: number, cited: number) => `Quoted from slide ${slide}; the model named slide ${cited}.`,
    withdrawn: 'Read again in the picture, and no longer verified',
    notRead: 'Not read again',
    calledRight: 'The second reading withdrew it; a person called it right.',
    withdrawnMark: 'withdrawn',
  },
  {
    onSlide: 'auf der Folie',
    verdict: {
      verified: 'belegt',
      verified_ocr: 'belegt',
      unverified: 'nicht prüfbar',
      glued: 'zusammengesetzt',
      contradicted: 'nicht auf der Folie',
    },
    claim: {
      settled: 'Gesichert',
      on_slide: 'Hat damit zu tun',
      not_judged: 'Nicht beurteilt',
      doubtful: 'Fraglich',
      not_proved: 'Nicht belegt',
    },
    answeringLong: {
      high: 'Es beantwortet die Frage.',
      some: 'Es hat mit der Frage zu tun.',
      doubtful: 'Es handelt vielleicht von etwas anderem.',
      not_judged: 'Nicht beurteilt, ob es die Frage beantwortet.',
    },
    answeringBy: {
      reader: 'nach der Prüfung des eingebauten Lesers',
      readings: 'nach dem Vergleich mit den eingebauten Regeln',
      people: 'nach dem Urteil von Menschen',
    },
    moved: (slide, cited) => `Von Folie ${slide} zitiert; das Modell nannte Folie ${cited}.`,
    withdrawn: 'Im Bild noch einmal gelesen und nicht mehr belegt',
    notRead: 'Nicht noch einmal gelesen',
    calledRight: 'Beim zweiten Lesen zurückgenommen; ein Mensch hat es richtig genannt.',
    withdrawnMark: 'zurückgenommen',
  },
);

/**
 * The outcome of a second reading, with its reason where there is one in the language.
 *
 * @param outcome in words, without a full stop
 */
export function rereadText(outcome: string, reason: string | null, language: Language): string {
  const shown = rereadReasonText(reason, language);
  return shown === null ? `${outcome}.` : `${outcome}: ${shown}`;
}
