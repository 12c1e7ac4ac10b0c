/**
 * The ten-second check of one slide from its text: too many words, no headline, claims without a number where one belongs, tiny print,
 * stacked jargon. Silent when nothing is wrong; it cannot judge the picture.
 */
import type { SlideFeedbackOutput } from '../domain/models/result-schemas.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { countWords } from './text.ts';
import { phrases } from './phrases.ts';
import { countDistinct, has } from './words.ts';

const NUMBERS_BELONG = phrases('numbers belong');
const JARGON = phrases('jargon');
const MOST_WORDS = 130;
const LONG_UNIT = 38;

type Finding = readonly [english: string, german: string];

function findings(slide: ReadSlide): Finding[] {
  const content = slide.units.filter((unit) => !unit.running);
  const text = content.map((unit) => unit.text).join(' ');
  const words = countWords(text);
  const heading = content[0];
  const found: Finding[] = [];
  if (words > MOST_WORDS) {
    found.push([
      `The slide has about ${words} words; that is too much to read in ten seconds. Keep the three statements that matter and move the rest to the notes or an appendix.`,
      `Die Folie hat rund ${words} Wörter; das ist zu viel, um es in zehn Sekunden zu lesen. Lassen Sie die drei wichtigsten Aussagen stehen und verschieben Sie den Rest in die Notizen oder den Anhang.`,
    ]);
  }
  const long = content.filter((unit) => unit.words > LONG_UNIT);
  if (words <= MOST_WORDS && long.length > 0) {
    found.push([
      `A sentence of ${Math.max(...long.map((unit) => unit.words))} words hides the message. Split it and lead with the result.`,
      `Ein Satz mit ${Math.max(...long.map((unit) => unit.words))} Wörtern verdeckt die Aussage. Teilen Sie ihn und beginnen Sie mit dem Ergebnis.`,
    ]);
  }
  if (heading !== undefined && heading.words > 20 && content.length > 1) {
    found.push([
      'The slide opens without a headline. Say its one message in at most ten words at the top.',
      'Die Folie beginnt ohne Überschrift. Sagen Sie oben in höchstens zehn Wörtern, worum es geht.',
    ]);
  }
  if (heading !== undefined && has(heading.text, NUMBERS_BELONG) && !/\d/u.test(text)) {
    found.push([
      'The slide speaks of size or progress but shows no number. Add the figure, its date and where it comes from.',
      'Die Folie spricht von Größe oder Fortschritt, zeigt aber keine Zahl. Ergänzen Sie die Zahl, ihren Stand und ihre Quelle.',
    ]);
  }
  const jargon = countDistinct(text, JARGON);
  if (jargon >= 4 || (jargon >= 3 && jargon / Math.max(1, words) > 0.06)) {
    found.push([
      'Catchwords stand where facts should. Say in plain words what the product does and for whom.',
      'Schlagwörter stehen, wo Tatsachen stehen sollten. Sagen Sie in einfachen Worten, was das Produkt für wen tut.',
    ]);
  }
  if (/lorem ipsum|\btodo\b|\btbd\b|xx+\s?%|\[(?:insert|placeholder|name|logo)/iu.test(text)) {
    found.push([
      'A placeholder is still on the slide. Replace it before sending the deck.',
      'Auf der Folie steht noch ein Platzhalter. Ersetzen Sie ihn, bevor Sie das Deck versenden.',
    ]);
  }
  return found;
}

/** Feedback on one slide; `legible: false` when there is no text to read. */
export function slideFeedback(prompt: ReadPrompt): SlideFeedbackOutput {
  const slide = prompt.slides[0];
  if (slide === undefined || slide.text.trim() === '') return { legible: false, hasIssues: false, feedback: '' };
  const found = findings(slide).slice(0, 2);
  const feedback = found.map(([english, german]) => (prompt.language === 'de' ? german : english)).join(' ');
  return { legible: true, hasIssues: found.length > 0, feedback: feedback.slice(0, 500) };
}
