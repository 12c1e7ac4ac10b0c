/** Words of the deck list. */
import type { EntrySort } from '../../domain/decks/list/entry.ts';
import { bothLanguages } from '../words/language.ts';

/** Columns beside the name of the deck. */
export type ColumnName =
  | 'status'
  | 'attention'
  | 'score'
  | 'coverage'
  | 'verified'
  | 'sector'
  | 'ask'
  | 'date'
  | 'created'
  | 'cost'
  | 'owner'
  | 'assignee'
  | 'decision'
  | 'tags';

interface DecksWords {
  readonly title: string;
  readonly total: (count: string, isFiltered: boolean) => string;
  readonly needLook: (count: string) => string;
  readonly deck: string;
  readonly columns: Readonly<Record<ColumnName, string>>;
  /** What a column shows, where its name does not say it. */
  readonly columnHints: Readonly<Partial<Record<ColumnName, string>>>;
  readonly sorts: Readonly<Record<EntrySort, string>>;
  readonly chooseColumns: string;
  readonly columnsThatFit: string;
  readonly sortBy: string;
  readonly upwards: string;
  readonly downwards: string;
  readonly list: string;
  readonly alsoNamed: (names: string) => string;
  readonly select: (name: string) => string;
  readonly selectAllShown: string;
  readonly actionsFor: (name: string) => string;
  readonly noCompany: string;
  readonly noAttention: string;
  readonly verifiedOf: (verified: string, total: string) => string;
  readonly machineScore: (score: string) => string;
  readonly loadMore: string;
  readonly shownOf: (shown: string, total: string) => string;
  readonly nothingFits: string;
  readonly nothingFitsHint: string;
  readonly clearFilters: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly emptyDrop: string;
  readonly samples: string;
  readonly samplesHint: string;
  readonly allSamples: string;
  readonly slides: (count: number) => string;
  readonly staleError: string;
}

export const decksWords = bothLanguages<DecksWords>(
  {
    title: 'Decks',
    total: (count, isFiltered) => (isFiltered ? `${count} found` : `${count} in all`),
    needLook: (count) => (count === '1' ? '1 needs a look' : `${count} need a look`),
    deck: 'Deck',
    columns: {
      status: 'Status',
      attention: 'Needs a look',
      score: 'Score',
      coverage: 'Coverage',
      verified: 'Verified',
      sector: 'Sector',
      ask: 'Ask',
      date: 'Deck date',
      created: 'Added',
      cost: 'Cost',
      owner: 'Added by',
      assignee: 'Assignee',
      decision: 'Decision',
      tags: 'Tags',
    },
    columnHints: {
      attention: 'Why somebody should look at the deck',
      score: 'How much the deck says on the questions of the review, from 0 to 7',
      coverage: 'Scored questions as a share of the asked ones',
      verified: 'Share of quotes that stand in the deck word for word',
      ask: 'The sum that is asked for',
      cost: 'What the reviews of the deck cost so far',
    },
    sorts: {
      created: 'Added',
      company: 'Company',
      sector: 'Sector',
      ask: 'Ask',
      date: 'Deck date',
      score: 'Score',
      coverage: 'Coverage',
      verified: 'Verified',
      cost: 'Cost',
      status: 'Status',
    },
    chooseColumns: 'Columns',
    columnsThatFit: 'As many as fit',
    sortBy: 'Sort by',
    upwards: 'Lowest first',
    downwards: 'Highest first',
    list: 'Decks',
    alsoNamed: (names) => `also ${names}`,
    select: (name) => `Select ${name}`,
    selectAllShown: 'Select all that are loaded',
    actionsFor: (name) => `Actions for ${name}`,
    noCompany: 'Company not found',
    noAttention: 'Nothing to look at',
    verifiedOf: (verified, total) => `${verified} of ${total} quotes`,
    machineScore: (score) => `The machine's score is ${score}`,
    loadMore: 'Load more',
    shownOf: (shown, total) => `${shown} of ${total}`,
    nothingFits: 'No deck fits',
    nothingFitsHint: 'Change or clear the search and the filters.',
    clearFilters: 'Clear search and filters',
    emptyTitle: 'No decks yet',
    emptyText:
      'Deckhand reads pitch decks slide by slide, answers the questions of a review and proves every claim with a quote from the deck. The models run on machines that you control; no deck is sent to a third party.',
    emptyDrop: 'Drop PDFs here, or choose files',
    samples: 'Try the samples',
    samplesHint: 'Invented companies, made for trying out. Their reviews start at once.',
    allSamples: 'Review all samples',
    slides: (count) => (count === 1 ? '1 slide' : `${count} slides`),
    staleError: 'The list could not be read again. What is shown is older.',
  },
  {
    title: 'Decks',
    total: (count, isFiltered) => (isFiltered ? `${count} gefunden` : `${count} insgesamt`),
    needLook: (count) => (count === '1' ? '1 sollte angesehen werden' : `${count} sollten angesehen werden`),
    deck: 'Deck',
    columns: {
      status: 'Stand',
      attention: 'Hinweise',
      score: 'Bewertung',
      coverage: 'Abdeckung',
      verified: 'Belegt',
      sector: 'Branche',
      ask: 'Kapitalbedarf',
      date: 'Datum des Decks',
      created: 'Hinzugefügt',
      cost: 'Kosten',
      owner: 'Hinzugefügt von',
      assignee: 'Zuständig',
      decision: 'Entscheidung',
      tags: 'Schlagwörter',
    },
    columnHints: {
      attention: 'Warum jemand das Deck ansehen sollte',
      score: 'Wie viel das Deck zu den Fragen der Prüfung sagt, von 0 bis 7',
      coverage: 'Anteil der gestellten Fragen, die bewertet sind',
      verified: 'Anteil der Zitate, die wörtlich im Deck stehen',
      ask: 'Die Summe, um die es geht',
      cost: 'Was die Prüfungen des Decks bisher gekostet haben',
    },
    sorts: {
      created: 'Hinzugefügt',
      company: 'Firma',
      sector: 'Branche',
      ask: 'Kapitalbedarf',
      date: 'Datum des Decks',
      score: 'Bewertung',
      coverage: 'Abdeckung',
      verified: 'Belegt',
      cost: 'Kosten',
      status: 'Stand',
    },
    chooseColumns: 'Spalten',
    columnsThatFit: 'So viele wie passen',
    sortBy: 'Sortieren nach',
    upwards: 'Aufsteigend',
    downwards: 'Absteigend',
    list: 'Decks',
    alsoNamed: (names) => `auch ${names}`,
    select: (name) => `${name} auswählen`,
    selectAllShown: 'Alle geladenen auswählen',
    actionsFor: (name) => `Aktionen für ${name}`,
    noCompany: 'Firma nicht gefunden',
    noAttention: 'Keine Hinweise',
    verifiedOf: (verified, total) => `${verified} von ${total} Zitaten`,
    machineScore: (score) => `Die Bewertung der Maschine ist ${score}`,
    loadMore: 'Mehr laden',
    shownOf: (shown, total) => `${shown} von ${total}`,
    nothingFits: 'Kein Deck passt',
    nothingFitsHint: 'Suche und Filter ändern oder zurücksetzen.',
    clearFilters: 'Suche und Filter zurücksetzen',
    emptyTitle: 'Noch keine Decks',
    emptyText:
      'Deckhand liest Pitch Decks Folie für Folie, beantwortet die Fragen einer Prüfung und belegt jede Aussage mit einem Zitat aus dem Deck. Die Modelle laufen auf Rechnern, über die Sie selbst verfügen; kein Deck geht an Dritte.',
    emptyDrop: 'PDFs hier ablegen oder Dateien auswählen',
    samples: 'Beispiele ausprobieren',
    samplesHint: 'Erfundene Firmen zum Ausprobieren. Ihre Prüfung beginnt sofort.',
    allSamples: 'Alle Beispiele prüfen',
    slides: (count) => (count === 1 ? '1 Folie' : `${count} Folien`),
    staleError: 'Die Liste konnte nicht neu gelesen werden. Der gezeigte Stand ist älter.',
  },
);
