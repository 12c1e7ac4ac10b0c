/** Words of the list of companies and of the page of one. */
import { bothLanguages } from '../words/language.ts';

interface CompaniesWords {
  readonly title: string;
  readonly total: (count: string) => string;
  readonly search: string;
  readonly searchHint: string;
  readonly company: string;
  readonly decks: string;
  readonly deckCount: (count: number) => string;
  readonly newestDeck: string;
  readonly score: string;
  readonly loadMore: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly toDecks: string;
  readonly nothingFits: string;
  readonly nothingFitsHint: string;
  readonly allCompanies: string;
  readonly inList: string;
  readonly compare: string;
  readonly compareHint: string;
  readonly select: (fileName: string) => string;
  readonly rename: string;
  readonly merge: string;
  readonly deckDate: string;
  readonly deck: string;
  readonly ask: string;
  readonly coverage: string;
  readonly decision: string;
  readonly added: string;
  readonly change: string;
  readonly comparedWithBefore: string;
  readonly more: (fileName: string) => string;
  readonly openReview: string;
  readonly move: string;
  readonly name: string;
  readonly renameText: string;
  readonly renamed: (name: string) => string;
  readonly undo: string;
  readonly undone: string;
  readonly mergeTitle: (name: string) => string;
  readonly mergeText: string;
  readonly searchCompany: string;
  readonly noCompanyFound: string;
  readonly mergeWhat: (from: string, decks: number, into: string) => string;
  readonly mergeLater: (from: string, into: string) => string;
  readonly mergeNoUndo: string;
  readonly another: string;
  readonly mergeDo: string;
  readonly merged: (from: string, into: string) => string;
  readonly moveTitle: (fileName: string) => string;
  readonly moveText: string;
  readonly toKnown: string;
  readonly toNew: string;
  readonly newName: string;
  readonly moveDo: string;
  readonly moved: (fileName: string, company: string) => string;
  readonly alone: (company: string) => string;
  readonly aloneGoes: (company: string) => string;
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const companiesWords = bothLanguages<CompaniesWords>(
  {
    title: 'Companies',
    total: (count) => `${count} in all`,
    search: 'Search companies',
    searchHint: 'Name or domain',
    company: 'Company',
    decks: 'Decks',
    deckCount: (count) => plural(count, 'deck', 'decks'),
    newestDeck: 'Newest deck',
    score: 'Score',
    loadMore: 'Load more',
    emptyTitle: 'No companies yet',
    emptyText:
      'A company appears here when the review of a deck has found its name. Further decks of it join it by themselves.',
    toDecks: 'To the decks',
    nothingFits: 'No company fits',
    nothingFitsHint: 'Try a part of its name, or of its web address.',
    allCompanies: 'All companies',
    inList: 'Show them in the deck list',
    compare: 'Compare versions',
    compareHint: 'Select two to five decks with results',
    select: (fileName) => `Select ${fileName} to compare`,
    rename: 'Rename',
    merge: 'Merge',
    deckDate: 'Deck date',
    deck: 'Deck',
    ask: 'Ask',
    coverage: 'Coverage',
    decision: 'Decision',
    added: 'Added',
    change: 'Compared with the deck before',
    comparedWithBefore: 'compared with the deck before',
    more: (fileName) => `More for ${fileName}`,
    openReview: 'Open the review',
    move: 'Move to another company',
    name: 'Name',
    renameText: 'New decks are recognised by the new name and by the former ones.',
    renamed: (name) => `The company is now called ${name}.`,
    undo: 'Undo',
    undone: 'It is as it was before.',
    mergeTitle: (name) => `Merge another company into ${name}`,
    mergeText: 'For one company that appears under two names. Choose the one that goes.',
    searchCompany: 'Search by name or domain',
    noCompanyFound: 'No company found.',
    mergeWhat: (from, decks, into) =>
      `${from} with ${plural(decks, 'deck', 'decks')} goes into ${into}. ${into} keeps its name.`,
    mergeLater: (from, into) => `New decks of ${from} go to ${into} as well.`,
    mergeNoUndo: 'This cannot be undone at once; decks can be moved out again one by one.',
    another: 'Choose another',
    mergeDo: 'Merge',
    merged: (from, into) => `${from} is part of ${into} now.`,
    moveTitle: (fileName) => `Move ${fileName}`,
    moveText: 'The deck stays where you put it; later reviews do not move it.',
    toKnown: 'To a known company',
    toNew: 'To a new company',
    newName: 'Name of the new company',
    moveDo: 'Move',
    moved: (fileName, company) => `${fileName} is a deck of ${company} now.`,
    alone: (company) => `It is the only deck of ${company}, which takes the new name.`,
    aloneGoes: (company) => `It is the only deck of ${company}, which then goes with it.`,
  },
  {
    title: 'Firmen',
    total: (count) => `${count} insgesamt`,
    search: 'Firmen suchen',
    searchHint: 'Name oder Domain',
    company: 'Firma',
    decks: 'Decks',
    deckCount: (count) => plural(count, 'Deck', 'Decks'),
    newestDeck: 'Neuestes Deck',
    score: 'Bewertung',
    loadMore: 'Mehr laden',
    emptyTitle: 'Noch keine Firmen',
    emptyText:
      'Eine Firma erscheint hier, wenn die Prüfung eines Decks ihren Namen gefunden hat. Weitere Decks von ihr kommen von selbst hinzu.',
    toDecks: 'Zu den Decks',
    nothingFits: 'Keine Firma passt',
    nothingFitsHint: 'Versuchen Sie einen Teil des Namens oder der Webadresse.',
    allCompanies: 'Alle Firmen',
    inList: 'In der Deckliste zeigen',
    compare: 'Fassungen vergleichen',
    compareHint: 'Zwei bis fünf Decks mit Ergebnissen auswählen',
    select: (fileName) => `${fileName} für den Vergleich auswählen`,
    rename: 'Umbenennen',
    merge: 'Zusammenführen',
    deckDate: 'Datum des Decks',
    deck: 'Deck',
    ask: 'Kapitalbedarf',
    coverage: 'Abdeckung',
    decision: 'Entscheidung',
    added: 'Hinzugefügt',
    change: 'Gegenüber dem Deck davor',
    comparedWithBefore: 'gegenüber dem Deck davor',
    more: (fileName) => `Mehr zu ${fileName}`,
    openReview: 'Prüfung öffnen',
    move: 'Zu einer anderen Firma verschieben',
    name: 'Name',
    renameText: 'Neue Decks werden am neuen Namen und an den früheren erkannt.',
    renamed: (name) => `Die Firma heißt jetzt ${name}.`,
    undo: 'Rückgängig',
    undone: 'Es ist wieder wie vorher.',
    mergeTitle: (name) => `Eine andere Firma in ${name} aufnehmen`,
    mergeText: 'Für eine Firma, die unter zwei Namen auftritt. Wählen Sie die, die wegfällt.',
    searchCompany: 'Nach Name oder Domain suchen',
    noCompanyFound: 'Keine Firma gefunden.',
    mergeWhat: (from, decks, into) =>
      `${from} geht mit ${plural(decks, 'Deck', 'Decks')} in ${into} auf. ${into} behält seinen Namen.`,
    mergeLater: (from, into) => `Auch neue Decks von ${from} kommen zu ${into}.`,
    mergeNoUndo: 'Das lässt sich nicht auf einmal rückgängig machen; Decks lassen sich einzeln wieder herausnehmen.',
    another: 'Andere wählen',
    mergeDo: 'Zusammenführen',
    merged: (from, into) => `${from} gehört jetzt zu ${into}.`,
    moveTitle: (fileName) => `${fileName} verschieben`,
    moveText: 'Das Deck bleibt, wo Sie es hinstellen; spätere Prüfungen verschieben es nicht.',
    toKnown: 'Zu einer bekannten Firma',
    toNew: 'Zu einer neuen Firma',
    newName: 'Name der neuen Firma',
    moveDo: 'Verschieben',
    moved: (fileName, company) => `${fileName} ist jetzt ein Deck von ${company}.`,
    alone: (company) => `Es ist das einzige Deck von ${company}; die Firma bekommt den neuen Namen.`,
    aloneGoes: (company) => `Es ist das einzige Deck von ${company}; die Firma geht mit ihm auf.`,
  },
);
