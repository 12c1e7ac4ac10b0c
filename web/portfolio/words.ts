/** Words of the portfolio. */
import { bothLanguages } from '../words/language.ts';

const plural = (count: number, text: string, one: string, many: string): string =>
  `${text} ${count === 1 ? one : many}`;

interface PortfolioWords {
  readonly title: string;
  readonly total: (count: number, text: string) => string;
  readonly toList: string;
  readonly sectors: string;
  readonly noSector: string;
  readonly meanScore: string;
  readonly scores: string;
  readonly unscored: (count: number, text: string) => string;
  readonly scoreBand: (from: string, to: string) => string;
  readonly coverage: string;
  readonly coverageLead: string;
  readonly atLeast: (share: string) => string;
  readonly asks: string;
  readonly asksLead: (count: number, text: string) => string;
  readonly noCurrency: string;
  readonly askBand: (from: string, to: string) => string;
  readonly askBelow: (to: string) => string;
  readonly askAbove: (from: string) => string;
  readonly sortedByAsk: string;
  readonly months: string;
  readonly monthsLead: string;
  readonly lastMonths: (count: number) => string;
  readonly decisions: string;
  readonly undecided: string;
  readonly decks: (count: number, text: string) => string;
  readonly table: string;
  readonly columns: {
    readonly sector: string;
    readonly decks: string;
    readonly mean: string;
    readonly score: string;
    readonly coverage: string;
    readonly currency: string;
    readonly ask: string;
    readonly month: string;
    readonly decision: string;
  };
  readonly nothing: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly toDecks: string;
  readonly nothingFits: string;
  readonly clear: string;
}

export const portfolioWords = bothLanguages<PortfolioWords>(
  {
    title: 'Portfolio',
    total: (count, text) => plural(count, text, 'deck', 'decks'),
    toList: 'Show them as a list',
    sectors: 'Sectors',
    noSector: 'Sector not known',
    meanScore: 'Mean score',
    scores: 'Scores',
    unscored: (count, text) => `${plural(count, text, 'deck has', 'decks have')} no score.`,
    scoreBand: (from, to) => `${from} to ${to}`,
    coverage: 'Coverage',
    coverageLead: 'Scored questions as a share of the asked ones.',
    atLeast: (share) => `at least ${share}`,
    asks: 'Asks',
    asksLead: (count, text) => `${plural(count, text, 'deck names', 'decks name')} a sum.`,
    noCurrency: 'Currency not known',
    askBand: (from, to) => `${from} to ${to}`,
    askBelow: (to) => `up to ${to}`,
    askAbove: (from) => `${from} and more`,
    sortedByAsk: 'Show the list by ask',
    months: 'Over time',
    monthsLead: 'Decks by the month in which they were added.',
    lastMonths: (count) => `The last ${count} months.`,
    decisions: 'Decisions',
    undecided: 'Open',
    decks: (count, text) => plural(count, text, 'deck', 'decks'),
    table: 'As a table',
    columns: {
      sector: 'Sector',
      decks: 'Decks',
      mean: 'Mean score',
      score: 'Score',
      coverage: 'Coverage',
      currency: 'Currency',
      ask: 'Ask',
      month: 'Month',
      decision: 'Decision',
    },
    nothing: 'None of the decks has this figure yet.',
    emptyTitle: 'No decks yet',
    emptyText: 'The portfolio shows figures over all decks: sectors, scores, asks, and how they change over time.',
    toDecks: 'Add decks',
    nothingFits: 'No deck fits',
    clear: 'Clear search and filters',
  },
  {
    title: 'Portfolio',
    total: (count, text) => plural(count, text, 'Deck', 'Decks'),
    toList: 'Als Liste zeigen',
    sectors: 'Branchen',
    noSector: 'Branche nicht bekannt',
    meanScore: 'Mittlere Bewertung',
    scores: 'Bewertungen',
    unscored: (count, text) => `${plural(count, text, 'Deck hat', 'Decks haben')} keine Bewertung.`,
    scoreBand: (from, to) => `${from} bis ${to}`,
    coverage: 'Abdeckung',
    coverageLead: 'Anteil der gestellten Fragen, die bewertet sind.',
    atLeast: (share) => `mindestens ${share}`,
    asks: 'Kapitalbedarf',
    asksLead: (count, text) => `${plural(count, text, 'Deck nennt', 'Decks nennen')} eine Summe.`,
    noCurrency: 'Währung nicht bekannt',
    askBand: (from, to) => `${from} bis ${to}`,
    askBelow: (to) => `bis ${to}`,
    askAbove: (from) => `${from} und mehr`,
    sortedByAsk: 'Liste nach Kapitalbedarf zeigen',
    months: 'Im Lauf der Zeit',
    monthsLead: 'Decks nach dem Monat, in dem sie hinzugefügt wurden.',
    lastMonths: (count) => `Die letzten ${count} Monate.`,
    decisions: 'Entscheidungen',
    undecided: 'Offen',
    decks: (count, text) => plural(count, text, 'Deck', 'Decks'),
    table: 'Als Tabelle',
    columns: {
      sector: 'Branche',
      decks: 'Decks',
      mean: 'Mittlere Bewertung',
      score: 'Bewertung',
      coverage: 'Abdeckung',
      currency: 'Währung',
      ask: 'Kapitalbedarf',
      month: 'Monat',
      decision: 'Entscheidung',
    },
    nothing: 'Noch keines der Decks hat diese Angabe.',
    emptyTitle: 'Noch keine Decks',
    emptyText: 'Das Portfolio zeigt Zahlen über alle Decks: Branchen, Bewertungen, Kapitalbedarf und ihren Verlauf.',
    toDecks: 'Decks hinzufügen',
    nothingFits: 'Kein Deck passt',
    clear: 'Suche und Filter zurücksetzen',
  },
);
