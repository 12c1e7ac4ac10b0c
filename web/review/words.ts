/** Words of the review page: sections, findings, keys. Those of the slides, of people's verdicts, of runs and of the header stand beside them. */
import type { ContradictionKind } from '../../domain/evidence/contradictions.ts';
import { bothLanguages } from '../words/language.ts';

/** Sections of the findings, in the order of the page. */
export const SECTIONS = [
  'summary',
  'strengths',
  'missing',
  'contradictions',
  'warnings',
  'chapters',
  'readings',
  'feedback',
] as const;
export type SectionName = (typeof SECTIONS)[number];

interface PageWords {
  readonly findings: string;
  readonly contents: string;
  readonly sections: Readonly<Record<SectionName, string>>;
  /** The same in the list of contents, where a shorter name does. */
  readonly shortSections: Readonly<Partial<Record<SectionName, string>>>;
  readonly onlyDeck: string;
  readonly onlyDeckHint: string;
  readonly slide: (number: number) => string;
  readonly quoted: (text: string) => string;
  /** A quote as it is read out. */
  readonly quoteOnSlide: (slide: number, quote: string) => string;
  /** Topics of the summary of which nothing is told, for one reason. */
  readonly untold: (reason: string, topics: readonly string[]) => string;
  readonly answeredOf: (scored: number, asked: number) => string;
  readonly partly: string;
  readonly statedAbsent: string;
  readonly withoutSlides: (slides: readonly number[]) => string;
  readonly notFound: (count: number) => string;
  readonly notAsked: (count: number) => string;
  readonly notComputed: (count: number) => string;
  readonly nothingFound: string;
  readonly noStrengths: string;
  readonly noContradictions: string;
  readonly chapterScores: string;
  readonly contradiction: Readonly<Record<ContradictionKind, (subject: string) => string>>;
  readonly against: string;
  readonly partsSum: (value: string) => string;
  readonly steering: string;
  readonly steeringText: string;
  readonly invisible: string;
  readonly invisibleText: string;
  readonly showWords: string;
  readonly sectorAlso: (name: string) => string;
  readonly sectorSure: (share: string) => string;
  readonly showAll: (count: number) => string;
  readonly showFewer: string;
  readonly keysTitle: string;
  readonly keys: readonly (readonly [key: string, does: string])[];
  readonly keysOn: string;
}

export const pageWords = bothLanguages<PageWords>(
  {
    findings: 'Findings',
    contents: 'Contents',
    sections: {
      summary: 'Summary',
      strengths: 'Strengths',
      missing: 'Questions to the founder',
      contradictions: 'Contradictions',
      warnings: 'Warnings',
      chapters: 'Chapters',
      readings: 'Special readings',
      feedback: 'Slide feedback',
    },
    shortSections: { missing: 'Questions', readings: 'Readings', feedback: 'Feedback' },
    onlyDeck: 'Only what the deck says',
    onlyDeckHint: 'Leaves out scores, reasons and everything else that is not in the deck.',
    slide: (number) => `Slide ${number}`,
    quoted: (text) => `“${text}”`,
    quoteOnSlide: (slide, quote) => `Slide ${slide}: “${quote}”`,
    untold: (reason, topics) => `${topics.join(', ')}: ${reason}`,
    answeredOf: (scored, asked) => `${scored} of ${asked} scored`,
    partly: 'The deck says this only in part.',
    statedAbsent: 'The deck says that there is none.',
    withoutSlides: (slides) =>
      slides.length === 1
        ? `Computed without slide ${slides.join('')}.`
        : `Computed without slides ${slides.join(', ')}.`,
    notFound: (count) =>
      count === 1 ? '1 question: not found in the deck' : `${count} questions: not found in the deck`,
    notAsked: (count) => (count === 1 ? '1 question: not asked yet' : `${count} questions: not asked yet`),
    notComputed: (count) =>
      count === 1 ? '1 question: could not be computed' : `${count} questions: could not be computed`,
    nothingFound: 'Nothing was found on these questions. That does not prove that the deck says nothing.',
    noStrengths: 'No answer is well evidenced and has a high score.',
    noContradictions: 'None found.',
    chapterScores: 'Scores of the chapters',
    contradiction: {
      ask: () => 'Two sums asked for',
      founding_year: () => 'Two founding years',
      figure: (subject) => `Two values: ${subject}`,
      total: (subject) => `The parts do not add up: ${subject}`,
    },
    against: 'against',
    partsSum: (value) => `${value} (sum of the parts)`,
    steering: 'Words that try to steer the score',
    steeringText: 'These words address the machine that reads the deck. They were reported, not obeyed.',
    invisible: 'Words that nobody can see',
    invisibleText: 'These words are in the file and not to be seen on the slide. They were not read and prove nothing.',
    showWords: 'Show the words',
    sectorAlso: (name) => `also ${name}`,
    sectorSure: (share) => `${share} sure`,
    showAll: (count) => `Show all ${count}`,
    showFewer: 'Show fewer',
    keysTitle: 'Keys',
    keys: [
      ['J / K', 'next and previous statement'],
      ['Enter', 'light the statement with the focus'],
      [', / .', 'previous and next quote of a statement'],
      ['← / →', 'previous and next slide'],
      ['+ / −', 'zoom in and out'],
      ['F', 'fit the slide'],
      ['0', '100 %'],
      ['N', 'note on the statement, or on the slide'],
      ['Esc', 'light nothing'],
      ['?', 'this list'],
    ],
    keysOn: 'Single keys are on',
  },
  {
    findings: 'Befunde',
    contents: 'Inhalt',
    sections: {
      summary: 'Überblick',
      strengths: 'Stärken',
      missing: 'Fragen an das Gründungsteam',
      contradictions: 'Widersprüche',
      warnings: 'Warnungen',
      chapters: 'Kapitel',
      readings: 'Fachprüfungen',
      feedback: 'Rückmeldung zu Folien',
    },
    shortSections: { missing: 'Fragen', feedback: 'Rückmeldung' },
    onlyDeck: 'Nur was das Deck sagt',
    onlyDeckHint: 'Lässt Bewertungen, Begründungen und alles andere weg, was nicht im Deck steht.',
    slide: (number) => `Folie ${number}`,
    quoted: (text) => `„${text}“`,
    quoteOnSlide: (slide, quote) => `Folie ${slide}: „${quote}“`,
    untold: (reason, topics) => `${topics.join(', ')}: ${reason}`,
    answeredOf: (scored, asked) => `${scored} von ${asked} bewertet`,
    partly: 'Das Deck sagt das nur zum Teil.',
    statedAbsent: 'Laut Deck gibt es das nicht.',
    withoutSlides: (slides) => `Ohne Folie ${slides.join(', ')} berechnet.`,
    notFound: (count) => (count === 1 ? '1 Frage: im Deck nicht gefunden' : `${count} Fragen: im Deck nicht gefunden`),
    notAsked: (count) => (count === 1 ? '1 Frage: noch nicht gestellt' : `${count} Fragen: noch nicht gestellt`),
    notComputed: (count) =>
      count === 1 ? '1 Frage: konnte nicht berechnet werden' : `${count} Fragen: konnten nicht berechnet werden`,
    nothingFound: 'Zu diesen Fragen wurde nichts gefunden. Das beweist nicht, dass das Deck dazu nichts sagt.',
    noStrengths: 'Keine Antwort ist gut belegt und hoch bewertet.',
    noContradictions: 'Keine gefunden.',
    chapterScores: 'Bewertung der Kapitel',
    contradiction: {
      ask: () => 'Zwei gesuchte Beträge',
      founding_year: () => 'Zwei Gründungsjahre',
      figure: (subject) => `Zwei Werte: ${subject}`,
      total: (subject) => `Die Teile ergeben nicht die Summe: ${subject}`,
    },
    against: 'gegen',
    partsSum: (value) => `${value} (Summe der Teile)`,
    steering: 'Text, der die Bewertung lenken will',
    steeringText: 'Dieser Text spricht die Maschine an, die das Deck liest. Er wurde gemeldet, nicht befolgt.',
    invisible: 'Text, den niemand sehen kann',
    invisibleText:
      'Dieser Text steht in der Datei und ist auf der Folie nicht zu sehen. Er wurde nicht gelesen und belegt nichts.',
    showWords: 'Text anzeigen',
    sectorAlso: (name) => `auch ${name}`,
    sectorSure: (share) => `zu ${share} sicher`,
    showAll: (count) => `Alle ${count} anzeigen`,
    showFewer: 'Weniger anzeigen',
    keysTitle: 'Tasten',
    keys: [
      ['J / K', 'nächste und vorige Aussage'],
      ['Eingabe', 'die Aussage mit dem Fokus hervorheben'],
      [', / .', 'voriges und nächstes Zitat einer Aussage'],
      ['← / →', 'vorige und nächste Folie'],
      ['+ / −', 'vergrößern und verkleinern'],
      ['F', 'Folie einpassen'],
      ['0', '100 %'],
      ['N', 'Notiz zur Aussage oder zur Folie'],
      ['Esc', 'nichts hervorheben'],
      ['?', 'diese Liste'],
    ],
    keysOn: 'Einzelne Tasten sind an',
  },
);
