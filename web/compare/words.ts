/** Words of the page that compares reviews. */
import type { ChangeKind } from '../../domain/decks/compare/claim-changes.ts';
import type { ComparisonKind } from '../../domain/decks/compare/side-by-side.ts';
import { bothLanguages } from '../words/language.ts';

interface CompareWords {
  readonly title: string;
  readonly kinds: Readonly<Record<ComparisonKind, (count: number) => string>>;
  readonly highest: (name: string, score: string) => string;
  readonly level: (score: string) => string;
  readonly widest: (chapter: string, points: string) => string;
  readonly differing: (differing: number, all: number) => string;
  readonly rose: (from: string, to: string) => string;
  readonly fell: (from: string, to: string) => string;
  readonly stayed: (score: string) => string;
  readonly claims: (changed: number, appeared: number, disappeared: number, same: number) => string;
  readonly notComparable: (count: number) => string;
  readonly changes: Readonly<Record<ChangeKind, string>>;
  /** Of a value, whatever of it changed. */
  readonly changed: string;
  readonly changeFilter: string;
  readonly allChanges: string;
  readonly onlyDifferences: string;
  readonly nothingDiffers: string;
  readonly review: string;
  readonly facts: string;
  readonly question: string;
  readonly fact: {
    readonly offering: string;
    readonly ask: string;
    readonly deckDate: string;
    readonly sector: string;
    readonly score: string;
    readonly coverage: string;
    readonly verified: string;
    readonly attention: string;
    readonly decision: string;
  };
  readonly scoredOf: (scored: number, asked: number) => string;
  readonly verifiedOf: (verified: number, total: number) => string;
  readonly nothingToLookAt: string;
  readonly noScore: string;
  readonly scoreOf7: (score: string) => string;
  readonly byPerson: (author: string) => string;
  readonly machineSays: (machine: string) => string;
  readonly slide: (slide: number) => string;
  readonly openSlide: (slide: number, name: string) => string;
  readonly moreQuotes: (count: number) => string;
  readonly unproved: string;
  readonly notAskedHere: string;
  readonly readings: string;
  readonly unanswered: (count: number) => string;
  readonly made: string;
  readonly madeFacts: {
    readonly started: string;
    readonly status: string;
    readonly engine: string;
    readonly template: string;
    readonly language: string;
    readonly replay: string;
    readonly analysis: string;
  };
  readonly languages: Readonly<Record<'en' | 'de', string>>;
  readonly otherDifferences: string;
  readonly documents: string;
  readonly add: string;
  readonly addTitle: string;
  readonly searchDecks: string;
  readonly noDeckFound: string;
  readonly notReviewed: string;
  readonly alreadyHere: string;
  readonly remove: (name: string) => string;
  readonly openReview: string;
  readonly previousVersion: string;
  readonly previousRun: string;
  readonly noPreviousVersion: string;
  readonly noPreviousRun: string;
  readonly more: (name: string) => string;
  readonly full: string;
  readonly unfinished: (names: string, count: number) => string;
  readonly gone: string;
  readonly removeGone: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly oneTitle: string;
  readonly oneText: string;
  readonly toDecks: string;
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const compareWords = bothLanguages<CompareWords>(
  {
    title: 'Compare',
    kinds: {
      decks: (count) => `${count} decks side by side`,
      versions: (count) => `${count} versions of a company’s deck`,
      runs: (count) => `${count} reviews of one deck`,
    },
    highest: (name, score) => `${name} has the highest score: ${score} of 7.`,
    level: (score) => `All have the same score: ${score} of 7.`,
    widest: (chapter, points) => `They differ most in “${chapter}”: by ${points} points.`,
    differing: (differing, all) =>
      `${plural(differing, 'question', 'questions')} of ${all} ${differing === 1 ? 'differs' : 'differ'} in score, or in whether the deck answers it.`,
    rose: (from, to) => `The score rose from ${from} to ${to}.`,
    fell: (from, to) => `The score fell from ${from} to ${to}.`,
    stayed: (score) => `The score is ${score} in both.`,
    claims: (changed, appeared, disappeared, same) => {
      const parts = [
        changed === 0 ? '' : `${plural(changed, 'claim', 'claims')} changed`,
        appeared === 0 ? '' : plural(appeared, 'is new', 'are new'),
        disappeared === 0 ? '' : plural(disappeared, 'is gone', 'are gone'),
      ].filter((part) => part !== '');
      const head = parts.length === 0 ? 'No claim changed' : parts.join(', ');
      return `${head}; ${plural(same, 'is', 'are')} the same.`;
    },
    notComparable: (count) =>
      `${plural(count, 'claim', 'claims')} cannot be compared: one of the two reviews did not ask or could not read it.`,
    changes: {
      figures: 'Figures changed',
      appeared: 'New',
      disappeared: 'Gone',
      words: 'Wording changed',
      proof: 'Proof changed',
      score: 'Score changed',
    },
    changed: 'Changed',
    changeFilter: 'What changed',
    allChanges: 'All',
    onlyDifferences: 'Only differences',
    nothingDiffers: 'Nothing differs here.',
    review: 'Review',
    facts: 'Summary',
    question: 'Question',
    fact: {
      offering: 'What they do',
      ask: 'Ask',
      deckDate: 'Deck date',
      sector: 'Sector',
      score: 'Score',
      coverage: 'Coverage',
      verified: 'Verified quotes',
      attention: 'Look at',
      decision: 'Decision',
    },
    scoredOf: (scored, asked) => `${scored} of ${asked} questions`,
    verifiedOf: (verified, total) => `${verified} of ${total}`,
    nothingToLookAt: 'Nothing to look at',
    noScore: 'no score',
    scoreOf7: (score) => `Score ${score} of 7`,
    byPerson: (author) => `by ${author}`,
    machineSays: (machine) => `machine: ${machine}`,
    slide: (slide) => `Slide ${slide}`,
    openSlide: (slide, name) => `Open slide ${slide} of ${name}`,
    moreQuotes: (count) => plural(count, 'more quote', 'more quotes'),
    unproved: 'This quote is not verified.',
    notAskedHere: 'not asked in this review',
    readings: 'Special readings',
    unanswered: (count) => `${plural(count, 'question', 'questions')} that no deck answers`,
    made: 'How the reviews were made',
    madeFacts: {
      started: 'Started',
      status: 'Status',
      engine: 'Answered by',
      template: 'Questions',
      language: 'Language',
      replay: 'Replay of',
      analysis: 'Id',
    },
    languages: { en: 'English', de: 'German' },
    otherDifferences: 'All values that differ',
    documents: 'As a document',
    add: 'Add a deck',
    addTitle: 'Add a deck to the comparison',
    searchDecks: 'Search by company, file or words',
    noDeckFound: 'No deck found.',
    notReviewed: 'not reviewed yet',
    alreadyHere: 'already compared',
    remove: (name) => `Remove ${name}`,
    openReview: 'Open the review',
    previousVersion: 'Add the previous version',
    previousRun: 'Add an earlier review of this deck',
    noPreviousVersion: 'There is no earlier version of this company’s deck.',
    noPreviousRun: 'There is no earlier review of this deck.',
    more: (name) => `More for ${name}`,
    full: 'Five reviews are the most that can be compared.',
    unfinished: (names, count) =>
      count === 1
        ? `The review of ${names} still runs. It is compared as far as it is.`
        : `The reviews of ${names} still run. They are compared as far as they are.`,
    gone: 'A review of this address is not there any more.',
    removeGone: 'Leave it out',
    emptyTitle: 'Nothing to compare yet',
    emptyText:
      'Select two to five decks in the list and choose “Compare”, or search for them here. Versions of one company’s deck and several reviews of one deck can be compared as well.',
    oneTitle: 'One review so far',
    oneText: 'Add a second one to compare it with.',
    toDecks: 'To the decks',
  },
  {
    title: 'Vergleich',
    kinds: {
      decks: (count) => `${count} Decks nebeneinander`,
      versions: (count) => `${count} Fassungen des Decks einer Firma`,
      runs: (count) => `${count} Prüfungen eines Decks`,
    },
    highest: (name, score) => `${name} hat die höchste Bewertung: ${score} von 7.`,
    level: (score) => `Alle haben dieselbe Bewertung: ${score} von 7.`,
    widest: (chapter, points) => `Am weitesten liegen sie bei „${chapter}“ auseinander: um ${points} Punkte.`,
    differing: (differing, all) =>
      `${differing} von ${all} Fragen ${differing === 1 ? 'unterscheidet' : 'unterscheiden'} sich in der Bewertung oder darin, ob das Deck sie beantwortet.`,
    rose: (from, to) => `Die Bewertung stieg von ${from} auf ${to}.`,
    fell: (from, to) => `Die Bewertung fiel von ${from} auf ${to}.`,
    stayed: (score) => `Die Bewertung ist in beiden ${score}.`,
    claims: (changed, appeared, disappeared, same) => {
      const parts = [
        changed === 0 ? '' : plural(changed, 'Aussage ist geändert', 'Aussagen sind geändert'),
        appeared === 0 ? '' : plural(appeared, 'ist neu', 'sind neu'),
        disappeared === 0 ? '' : plural(disappeared, 'ist weggefallen', 'sind weggefallen'),
      ].filter((part) => part !== '');
      const head = parts.length === 0 ? 'Keine Aussage ist geändert' : parts.join(', ');
      return `${head}; ${plural(same, 'ist', 'sind')} gleich.`;
    },
    notComparable: (count) =>
      `${plural(count, 'Aussage lässt', 'Aussagen lassen')} sich nicht vergleichen: Eine der beiden Prüfungen hat nicht danach gefragt oder konnte nichts lesen.`,
    changes: {
      figures: 'Zahlen geändert',
      appeared: 'Neu',
      disappeared: 'Weggefallen',
      words: 'Wortlaut geändert',
      proof: 'Beleg geändert',
      score: 'Bewertung geändert',
    },
    changed: 'Geändert',
    changeFilter: 'Was sich geändert hat',
    allChanges: 'Alles',
    onlyDifferences: 'Nur Unterschiede',
    nothingDiffers: 'Hier unterscheidet sich nichts.',
    review: 'Prüfung',
    facts: 'Zusammenfassung',
    question: 'Frage',
    fact: {
      offering: 'Was sie tun',
      ask: 'Kapitalbedarf',
      deckDate: 'Datum des Decks',
      sector: 'Branche',
      score: 'Bewertung',
      coverage: 'Abdeckung',
      verified: 'Belegte Zitate',
      attention: 'Hinweise',
      decision: 'Entscheidung',
    },
    scoredOf: (scored, asked) => `${scored} von ${asked} Fragen`,
    verifiedOf: (verified, total) => `${verified} von ${total}`,
    nothingToLookAt: 'Keine',
    noScore: 'keine Bewertung',
    scoreOf7: (score) => `Bewertung ${score} von 7`,
    byPerson: (author) => `von ${author}`,
    machineSays: (machine) => `Maschine: ${machine}`,
    slide: (slide) => `Folie ${slide}`,
    openSlide: (slide, name) => `Folie ${slide} von ${name} öffnen`,
    moreQuotes: (count) => plural(count, 'weiteres Zitat', 'weitere Zitate'),
    unproved: 'Dieses Zitat ist nicht belegt.',
    notAskedHere: 'in dieser Prüfung nicht gefragt',
    readings: 'Fachliche Einschätzungen',
    unanswered: (count) => plural(count, 'Frage, die kein Deck beantwortet', 'Fragen, die kein Deck beantwortet'),
    made: 'Wie die Prüfungen entstanden',
    madeFacts: {
      started: 'Begonnen',
      status: 'Status',
      engine: 'Beantwortet von',
      template: 'Fragen',
      language: 'Sprache',
      replay: 'Wiederholung von',
      analysis: 'Kennung',
    },
    languages: { en: 'Englisch', de: 'Deutsch' },
    otherDifferences: 'Alle Werte, die sich unterscheiden',
    documents: 'Als Dokument',
    add: 'Deck hinzufügen',
    addTitle: 'Ein Deck in den Vergleich aufnehmen',
    searchDecks: 'Nach Firma, Datei oder Worten suchen',
    noDeckFound: 'Kein Deck gefunden.',
    notReviewed: 'noch nicht geprüft',
    alreadyHere: 'schon im Vergleich',
    remove: (name) => `${name} entfernen`,
    openReview: 'Prüfung öffnen',
    previousVersion: 'Vorige Fassung hinzufügen',
    previousRun: 'Frühere Prüfung dieses Decks hinzufügen',
    noPreviousVersion: 'Es gibt keine frühere Fassung des Decks dieser Firma.',
    noPreviousRun: 'Es gibt keine frühere Prüfung dieses Decks.',
    more: (name) => `Mehr zu ${name}`,
    full: 'Mehr als fünf Prüfungen lassen sich nicht vergleichen.',
    unfinished: (names, count) =>
      count === 1
        ? `Die Prüfung von ${names} läuft noch. Verglichen wird, was schon da ist.`
        : `Die Prüfungen von ${names} laufen noch. Verglichen wird, was schon da ist.`,
    gone: 'Eine Prüfung dieser Adresse gibt es nicht mehr.',
    removeGone: 'Weglassen',
    emptyTitle: 'Noch nichts zu vergleichen',
    emptyText:
      'Wählen Sie in der Liste zwei bis fünf Decks und dann „Vergleichen“, oder suchen Sie hier nach ihnen. Auch Fassungen des Decks einer Firma und mehrere Prüfungen eines Decks lassen sich vergleichen.',
    oneTitle: 'Bisher eine Prüfung',
    oneText: 'Fügen Sie eine zweite hinzu, mit der sie verglichen wird.',
    toDecks: 'Zu den Decks',
  },
);
