/** Words of search, filters and saved views. */
import { bothLanguages } from '../../words/language.ts';
import type { FilterKind } from './filter.ts';

interface FilterWords {
  readonly search: string;
  readonly searchHint: string;
  readonly clearSearch: string;
  readonly filter: string;
  readonly filters: string;
  readonly kinds: Readonly<Record<FilterKind, string>>;
  readonly any: string;
  readonly undecided: string;
  readonly noValues: string;
  readonly remove: (name: string) => string;
  readonly change: (name: string) => string;
  readonly back: string;
  readonly from: string;
  readonly to: string;
  readonly atLeast: string;
  readonly range: (from: string | undefined, to: string | undefined) => string;
  readonly clear: string;
  readonly company: string;
  readonly sort: string;
  readonly views: string;
  readonly noViews: string;
  readonly saveView: string;
  readonly viewName: string;
  readonly viewSaved: (name: string) => string;
  readonly deleteView: (name: string) => string;
  readonly viewDeleted: (name: string) => string;
}

export const filterWords = bothLanguages<FilterWords>(
  {
    search: 'Search decks',
    searchHint: 'Company, file, tag or words of a slide',
    clearSearch: 'Clear the search',
    filter: 'Filter',
    filters: 'Filters',
    kinds: {
      status: 'Status',
      attention: 'Needs a look',
      sector: 'Sector',
      decision: 'Decision',
      assignee: 'Assignee',
      owner: 'Added by',
      tag: 'Tag',
      score: 'Score',
      coverage: 'Coverage',
      created: 'Added',
    },
    any: 'For any reason',
    undecided: 'None yet',
    noValues: 'No deck has one.',
    remove: (name) => `Remove the filter ${name}`,
    change: (name) => `Change the filter ${name}`,
    back: 'All filters',
    from: 'From',
    to: 'To',
    atLeast: 'At least',
    range: (from, to) =>
      from === undefined ? `up to ${to ?? ''}` : to === undefined ? `from ${from}` : `${from} to ${to}`,
    clear: 'Clear',
    company: 'One company',
    sort: 'Sort',
    views: 'Views',
    noViews: 'No saved views yet.',
    saveView: 'Save this view',
    viewName: 'Name of the view',
    viewSaved: (name) => `View “${name}” saved`,
    deleteView: (name) => `Delete the view ${name}`,
    viewDeleted: (name) => `View “${name}” deleted`,
  },
  {
    search: 'Decks suchen',
    searchHint: 'Firma, Datei oder Wörter einer Folie',
    clearSearch: 'Suche leeren',
    filter: 'Filter',
    filters: 'Filter',
    kinds: {
      status: 'Stand',
      attention: 'Hinweise',
      sector: 'Branche',
      decision: 'Entscheidung',
      assignee: 'Zuständig',
      owner: 'Hinzugefügt von',
      tag: 'Schlagwort',
      score: 'Bewertung',
      coverage: 'Abdeckung',
      created: 'Hinzugefügt',
    },
    any: 'Irgendein Hinweis',
    undecided: 'Noch keine',
    noValues: 'Kein Deck hat einen Wert.',
    remove: (name) => `Filter ${name} entfernen`,
    change: (name) => `Filter ${name} ändern`,
    back: 'Alle Filter',
    from: 'Von',
    to: 'Bis',
    atLeast: 'Mindestens',
    range: (from, to) =>
      from === undefined ? `bis ${to ?? ''}` : to === undefined ? `ab ${from}` : `${from} bis ${to}`,
    clear: 'Zurücksetzen',
    company: 'Eine Firma',
    sort: 'Sortierung',
    views: 'Ansichten',
    noViews: 'Noch keine gespeicherten Ansichten.',
    saveView: 'Diese Ansicht speichern',
    viewName: 'Name der Ansicht',
    viewSaved: (name) => `Ansicht „${name}“ gespeichert`,
    deleteView: (name) => `Ansicht ${name} löschen`,
    viewDeleted: (name) => `Ansicht „${name}“ gelöscht`,
  },
);
