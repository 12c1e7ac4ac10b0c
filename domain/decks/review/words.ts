/** Names of the parts of a review and the counts of its quotes in each language. Without a library at run time: the pages of the workspace import it. */
import type { ExtractionField, Language, SpecialisedKind } from '../../models/model-tasks.ts';
import type { Answering } from '../../evidence/answering.ts';
import type { DocumentKind } from '../../profile/topics.ts';
import type { Absence } from './absence.ts';
import type { ChapterEvidence } from './evidence-found.ts';
import type { Mark, MarkCounts } from './marks.ts';
import type { Topic } from './summary.ts';

interface ReviewWords {
  readonly fields: Readonly<Record<ExtractionField | 'sector', string>>;
  readonly readings: Readonly<Record<SpecialisedKind, string>>;
  readonly topics: Readonly<Record<Topic, string>>;
  readonly absence: Readonly<Record<Absence, string>>;
  /** Whether a quote answers its question. */
  readonly answering: Readonly<Record<Answering | 'not_judged', string>>;
  /** Both marks of a line. */
  readonly marks: Readonly<Record<Mark, string>>;
  /** Of the quotes of a review, see {@link countsText}. */
  readonly counts: {
    readonly quotes: (count: number) => string;
    readonly onSlide: (count: number) => string;
    readonly answering: (count: number) => string;
    readonly notJudged: (count: number) => string;
    readonly noneJudged: string;
  };
  /** Of a document that is no pitch deck, by its kind. */
  readonly otherDocument: Readonly<Record<Exclude<DocumentKind, 'pitch_deck'>, string>>;
  /** Words of the deck with their slide, in a sentence. */
  readonly quoteOn: (slide: number, quote: string) => string;
  /** Of a review that was made before decks had a profile. */
  readonly profileNotAsked: string;
  /** Before facts that are only planned. */
  readonly planned: string;
  /** Headline of a review of rules, see `evidence-found.ts`. */
  readonly evidence: {
    readonly found: string;
    /** Stands beside the number of questions that have evidence. */
    readonly ofAsked: (asked: number) => string;
    readonly ofChapter: (found: number, asked: number) => string;
    /** Chapters with the number of their questions that lack evidence. */
    readonly missing: (chapters: readonly (readonly [name: string, count: number])[]) => string;
    /** Name of a score by rules. */
    readonly score: string;
    readonly byRules: string;
  };
  /** Of a question whose quotes all stand under other names, and of one of which some do. */
  readonly sameEvidence: string;
  readonly alsoEvidence: string;
  /** Of a model whose identity rests on its name. */
  readonly byName: string;
  /** Where slides went for the answers. */
  readonly outside: (hosts: readonly string[]) => string;
}

const english: ReviewWords = {
  fields: {
    company_name: 'Company',
    offering: 'Offering',
    funding: 'Funding sought',
    deck_date: 'Date of the deck',
    sector: 'Sector',
  },
  readings: { clinical: 'Clinical', regulatory: 'Regulatory', science: 'Science' },
  topics: {
    offering: 'What they do',
    company: 'Company',
    customers: 'Customers',
    ask: 'Funding sought',
    use_of_funds: 'Use of funds',
    traction: 'Traction',
    team: 'Team',
    stage: 'Stage',
    market: 'Market size',
    competition: 'Competition',
    deck_date: 'Date of the deck',
    sector: 'Sector',
  },
  absence: {
    not_found: 'not found in the deck',
    stated_absent: 'the deck says that there is none',
    not_supported: 'what was found does not support an answer',
    unreadable: 'could not be read',
    not_asked: 'not asked',
    pending: 'not asked yet',
    failed: 'could not be computed',
  },
  answering: {
    high: 'answers the question',
    some: 'bears on the question',
    doubtful: 'may be about something else',
    not_judged: 'not judged whether it answers',
  },
  marks: {
    settled: 'on the slide, answers the question',
    on_slide: 'on the slide, bears on the question',
    not_judged: 'on the slide, not judged whether it answers',
    doubtful: 'on the slide, may be about something else',
    not_proved: 'not proved',
  },
  counts: {
    quotes: (count) => `${count} ${count === 1 ? 'quote' : 'quotes'}`,
    onSlide: (count) => `${count} on ${count === 1 ? 'its' : 'their'} slide`,
    answering: (count) => `${count} ${count === 1 ? 'answers its question' : 'answer their question'}`,
    notJudged: (count) => `${count} not judged`,
    noneJudged: 'not judged whether they answer',
  },
  otherDocument: {
    form: 'This is not a pitch deck but a form',
    invoice: 'This is not a pitch deck but an invoice',
    thesis: 'This is not a pitch deck but a thesis or a paper',
    lean_canvas: 'This is not a pitch deck but a lean canvas',
    event_programme: 'This is not a pitch deck but the programme of an event',
    template: 'This is not a pitch deck but an empty template for one',
    other: 'This is not a pitch deck',
  },
  quoteOn: (slide, quote) => `“${quote}” (slide ${slide})`,
  profileNotAsked: 'The profile was not asked.',
  planned: 'Planned, not reached yet',
  evidence: {
    found: 'Evidence found',
    ofAsked: (asked) => `of ${asked} ${asked === 1 ? 'question' : 'questions'}`,
    ofChapter: (found, asked) => `evidence for ${found} of ${asked}`,
    missing: (chapters) => `Missing: ${chapters.map(([name, count]) => `${name} (${count})`).join(', ')}`,
    score: 'evidence score',
    byRules:
      'Answered by rules, not a language model. They find what the deck says on each question and do not judge it: for that, review the deck with a language model.',
  },
  sameEvidence: 'Same evidence as:',
  alsoEvidence: 'Also the evidence of:',
  byName: 'by name only',
  outside: (hosts) =>
    `Answered by ${hosts.length === 1 ? 'a server' : 'servers'} outside your network (${hosts.join(', ')}).`,
};

const german: ReviewWords = {
  fields: {
    company_name: 'Unternehmen',
    offering: 'Angebot',
    funding: 'Gesuchte Finanzierung',
    deck_date: 'Stand des Decks',
    sector: 'Branche',
  },
  readings: { clinical: 'Klinisch', regulatory: 'Regulatorisch', science: 'Wissenschaft' },
  topics: {
    offering: 'Was sie tun',
    company: 'Unternehmen',
    customers: 'Kunden',
    ask: 'Gesuchte Finanzierung',
    use_of_funds: 'Verwendung der Mittel',
    traction: 'Bisherige Erfolge',
    team: 'Team',
    stage: 'Phase',
    market: 'Marktgröße',
    competition: 'Wettbewerb',
    deck_date: 'Stand des Decks',
    sector: 'Branche',
  },
  absence: {
    not_found: 'im Deck nicht gefunden',
    stated_absent: 'laut Deck nicht vorhanden',
    not_supported: 'das Gefundene trägt keine Antwort',
    unreadable: 'nicht lesbar',
    not_asked: 'nicht gefragt',
    pending: 'noch nicht gefragt',
    failed: 'nicht berechnet',
  },
  answering: {
    high: 'beantwortet die Frage',
    some: 'hat mit der Frage zu tun',
    doubtful: 'handelt vielleicht von etwas anderem',
    not_judged: 'nicht beurteilt, ob es antwortet',
  },
  marks: {
    settled: 'auf der Folie, beantwortet die Frage',
    on_slide: 'auf der Folie, hat mit der Frage zu tun',
    not_judged: 'auf der Folie, nicht beurteilt, ob es antwortet',
    doubtful: 'auf der Folie, handelt vielleicht von etwas anderem',
    not_proved: 'nicht belegt',
  },
  counts: {
    quotes: (count) => `${count} ${count === 1 ? 'Zitat' : 'Zitate'}`,
    onSlide: (count) => `${count} auf ${count === 1 ? 'seiner' : 'ihrer'} Folie`,
    answering: (count) => `${count} ${count === 1 ? 'beantwortet seine Frage' : 'beantworten ihre Frage'}`,
    notJudged: (count) => `${count} nicht beurteilt`,
    noneJudged: 'nicht beurteilt, ob sie antworten',
  },
  otherDocument: {
    form: 'Das ist kein Pitchdeck, sondern ein Formular',
    invoice: 'Das ist kein Pitchdeck, sondern eine Rechnung',
    thesis: 'Das ist kein Pitchdeck, sondern eine wissenschaftliche Arbeit',
    lean_canvas: 'Das ist kein Pitchdeck, sondern ein Lean Canvas',
    event_programme: 'Das ist kein Pitchdeck, sondern das Programm einer Veranstaltung',
    template: 'Das ist kein Pitchdeck, sondern eine leere Vorlage dafür',
    other: 'Das ist kein Pitchdeck',
  },
  quoteOn: (slide, quote) => `„${quote}“ (Folie ${slide})`,
  profileNotAsked: 'Das Profil wurde nicht erfragt.',
  planned: 'Geplant, noch nicht erreicht',
  evidence: {
    found: 'Belege gefunden',
    ofAsked: (asked) => `von ${asked} ${asked === 1 ? 'Frage' : 'Fragen'}`,
    ofChapter: (found, asked) => `${found} von ${asked} belegt`,
    missing: (chapters) => `Es fehlen: ${chapters.map(([name, count]) => `${name} (${count})`).join(', ')}`,
    score: 'Belegwert',
    byRules:
      'Beantwortet von Regeln, nicht von einem Sprachmodell. Sie finden, was das Deck zu jeder Frage sagt, und beurteilen es nicht: Dafür lassen Sie das Deck von einem Sprachmodell prüfen.',
  },
  sameEvidence: 'Dieselben Belege wie:',
  alsoEvidence: 'Dazu die Belege von:',
  byName: 'nur dem Namen nach',
  outside: (hosts) =>
    `Von ${hosts.length === 1 ? 'einem Server' : 'Servern'} außerhalb Ihres Netzes beantwortet (${hosts.join(', ')}).`,
};

/** The names in both languages. */
export const reviewWords: Readonly<Record<Language, ReviewWords>> = { en: english, de: german };

/** Counts of quotes by both marks: `62 quotes: 58 on their slide · 34 answer their question · 10 not judged`; null where there are none. */
export function countsText({ quotes, onSlide, answering, notJudged }: MarkCounts, language: Language): string | null {
  if (quotes === 0) return null;
  const { counts } = reviewWords[language];
  const judged =
    notJudged === onSlide
      ? [counts.noneJudged]
      : [counts.answering(answering), ...(notJudged === 0 ? [] : [counts.notJudged(notJudged)])];
  return `${counts.quotes(quotes)}: ${[counts.onSlide(onSlide), ...(onSlide === 0 ? [] : judged)].join(' · ')}`;
}

/** Says how many questions of each chapter lack evidence, those with most first; null where none do. */
export function missingText(chapters: readonly ChapterEvidence[], language: Language): string | null {
  const lacking = chapters
    .map(({ name, missing }) => [name, missing] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  return lacking.length === 0 ? null : reviewWords[language].evidence.missing(lacking);
}
