/** Columns of the deck list as a table for spreadsheets: names in both languages, and the value of an entry. */
import type { Language } from '../../models/model-tasks.ts';
import type { DeckEntry } from './entry.ts';

/** A value of a cell; null = empty. */
export type ExportValue = string | number | Date | null;

interface ExportColumn {
  readonly name: Readonly<Record<Language, string>>;
  /** Width in characters. */
  readonly width: number;
  readonly value: (entry: DeckEntry) => ExportValue;
}

const column = (en: string, de: string, width: number, value: ExportColumn['value']): ExportColumn => ({
  name: { en, de },
  width,
  value,
});

const dateOf = (moment: string | null | undefined): Date | null =>
  moment === null || moment === undefined ? null : new Date(moment);

/** The columns in order. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  column('Company', 'Unternehmen', 28, ({ company }) => company?.name ?? null),
  column('File', 'Datei', 32, ({ fileName }) => fileName),
  column('Offering', 'Angebot', 40, ({ offering }) => offering),
  column('Sector', 'Branche', 16, ({ sector }) => sector),
  column('Ask', 'Kapitalbedarf', 18, ({ ask }) => ask?.text ?? null),
  column('Ask (amount)', 'Kapitalbedarf (Betrag)', 16, ({ ask }) => ask?.amount ?? null),
  column('Ask (currency)', 'Kapitalbedarf (Währung)', 10, ({ ask }) => ask?.currency ?? null),
  column('Date of the deck', 'Datum des Decks', 14, ({ deckDate }) => deckDate),
  column('Status', 'Status', 18, ({ status }) => status),
  column('Score (0 to 7)', 'Bewertung (0 bis 7)', 10, ({ score }) => score),
  column('Score of the machine', 'Bewertung der Maschine', 10, ({ machineScore }) => machineScore),
  column('Coverage', 'Abdeckung', 10, ({ coverage }) => coverage),
  column('Verified quotes', 'Belegte Zitate', 10, ({ quotes }) => quotes.verified),
  column('Quotes', 'Zitate', 10, ({ quotes }) => quotes.total),
  column('Answering quotes', 'Antwortende Zitate', 10, ({ quotes }) => quotes.answering),
  column('Quotes not judged', 'Nicht beurteilte Zitate', 10, ({ quotes }) => quotes.notJudged),
  column('Share answering', 'Anteil antwortend', 10, ({ answeringShare }) => answeringShare),
  column('Gaps', 'Lücken', 10, ({ gaps }) => gaps),
  column('Needs a look', 'Prüfen', 24, ({ attention }) => attention.join(', ')),
  column('Decision', 'Entscheidung', 12, ({ decision }) => decision),
  column('Assignee', 'Zuständig', 18, ({ assignee }) => assignee),
  column('Tags', 'Schlagwörter', 24, ({ tags }) => tags.join(', ')),
  column('Notes', 'Notizen', 8, ({ notes }) => notes),
  column('Slides', 'Folien', 8, ({ slides }) => slides),
  column('Cost (USD)', 'Kosten (USD)', 12, ({ costUsd }) => costUsd),
  column('Uploaded by', 'Hochgeladen von', 18, ({ owner }) => owner),
  column('Uploaded at', 'Hochgeladen am', 20, ({ createdAt }) => dateOf(createdAt)),
  column('Reviewed at', 'Geprüft am', 20, ({ analysis }) => dateOf(analysis?.finishedAt)),
  column('Deck id', 'Deck-ID', 38, ({ id }) => id),
  column('Review id', 'Prüfungs-ID', 38, ({ resultAnalysisId }) => resultAnalysisId),
  // New columns are appended: programs read the others by their place.
  column('Kind of document', 'Art des Dokuments', 16, ({ documentKind }) => documentKind),
  column('Evidence found', 'Belege gefunden', 10, ({ evidence }) => evidence?.found ?? null),
  column('Evidence asked', 'Belege gefragt', 10, ({ evidence }) => evidence?.asked ?? null),
  column('Stage', 'Phase', 16, ({ facts }) => facts.stage),
  column('Customers', 'Kunden', 32, ({ facts }) => facts.customers),
  column('Use of funds', 'Verwendung der Mittel', 40, ({ facts }) => facts.useOfFunds),
  column('Traction', 'Bisherige Erfolge', 40, ({ facts }) => facts.traction),
  column('Team', 'Team', 40, ({ facts }) => facts.team),
  column('Market size', 'Marktgröße', 32, ({ facts }) => facts.market?.text ?? null),
  column('Market size (amount)', 'Marktgröße (Betrag)', 16, ({ facts }) => facts.market?.amount ?? null),
  column('Market size (currency)', 'Marktgröße (Währung)', 10, ({ facts }) => facts.market?.currency ?? null),
  column('Competition', 'Wettbewerb', 40, ({ facts }) => facts.competition),
];
