/** The words of a comparison in each language, on every medium. Without a library at run time, because pages import it. */
import type { Language } from '../../models/model-tasks.ts';
import type { Part } from './parts.ts';

const english = {
  comparison: 'Comparison',
  first: 'A',
  second: 'B',
  unfinished: (side: string, status: string) => `${side} is not finished (${status}): it is compared as far as it is.`,
  otherDecks: 'These are analyses of two different decks.',
  same: 'Every value is the same in both.',
  counts: (changed: number, equal: number) =>
    `${changed} ${changed === 1 ? 'value differs' : 'values differ'}, ${equal} are the same.`,
  why: 'Why they may differ',
  whyNothing: 'Both were made in the same way.',
  results: (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`,
  otherSeeds: (count: number) => `${count} ${count === 1 ? 'result' : 'results'} with another random seed`,
  input: 'what went into the call differs',
  anew: 'computed anew by a replay',
  scores: 'Scores',
  opened: 'Missing now, computed before',
  closed: 'Missing before, computed now',
  otherReason: 'Missing in both, for another reason',
  onlyIn: (side: string) => `only in ${side}`,
  slide: 'Slide',
  quote: 'quote on slide',
  notQuoted: 'not quoted',
  nothing: 'none',
  parts: {
    run: 'How it was run',
    deck: 'Deck',
    overall: 'Overall score',
    extractions: 'Values found in the deck',
    profile: 'Profile',
    classification: 'Sector',
    chapters: 'Chapters',
    questions: 'Questions',
    specialised: 'Specialised readings',
    slides: 'Slides',
    steering: 'Words that try to steer the score',
    contradictions: 'Contradictions in the deck',
  } satisfies Record<Part, string>,
};

/** Every word a comparison needs beside those of a report. */
export type CompareLabels = typeof english;

const german: CompareLabels = {
  comparison: 'Vergleich',
  first: 'A',
  second: 'B',
  unfinished: (side, status) => `${side} ist nicht fertig (${status}): verglichen wird, was schon da ist.`,
  otherDecks: 'Das sind Analysen zweier verschiedener Decks.',
  same: 'Alle Werte sind in beiden gleich.',
  counts: (changed, equal) =>
    `${changed} ${changed === 1 ? 'Wert ist' : 'Werte sind'} verschieden, ${equal} sind gleich.`,
  why: 'Warum sie sich unterscheiden können',
  whyNothing: 'Beide sind auf dieselbe Weise entstanden.',
  results: (count) => `${count} ${count === 1 ? 'Ergebnis' : 'Ergebnisse'}`,
  otherSeeds: (count) => `${count} ${count === 1 ? 'Ergebnis' : 'Ergebnisse'} mit anderem Zufallswert`,
  input: 'was in den Aufruf einging, ist verschieden',
  anew: 'von einer Wiederholung neu berechnet',
  scores: 'Wertungen',
  opened: 'Fehlt jetzt, war vorher da',
  closed: 'Fehlte vorher, ist jetzt da',
  otherReason: 'Fehlt in beiden, aus anderem Grund',
  onlyIn: (side) => `nur in ${side}`,
  slide: 'Folie',
  quote: 'Zitat auf Folie',
  notQuoted: 'nicht zitiert',
  nothing: 'nichts',
  parts: {
    run: 'Wie analysiert wurde',
    deck: 'Deck',
    overall: 'Gesamtwertung',
    extractions: 'Werte im Deck',
    profile: 'Profil',
    classification: 'Branche',
    chapters: 'Kapitel',
    questions: 'Fragen',
    specialised: 'Fachliche Einschätzungen',
    slides: 'Folien',
    steering: 'Text, der die Wertung lenken will',
    contradictions: 'Widersprüche im Deck',
  },
};

/** The words of a language. */
export function compareLabelsOf(language: Language): CompareLabels {
  return language === 'de' ? german : english;
}
