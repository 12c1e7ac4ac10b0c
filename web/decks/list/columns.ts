/** Columns of the deck list: their widths and orders, and which ones are shown. */
import type { EntrySort } from '../../../domain/decks/list/entry.ts';
import { createStore, useStore, useValue } from '../../store.ts';
import type { ColumnName } from '../words.ts';

/** A column beside the name of the deck. */
export interface Column {
  readonly name: ColumnName;
  readonly widthPx: number;
  readonly sort: EntrySort | null;
  readonly isNumber: boolean;
}

const column = (name: ColumnName, widthPx: number, sort: EntrySort | null, isNumber = false): Column => ({
  name,
  widthPx,
  sort,
  isNumber,
});

/** In the order of the table. */
export const COLUMNS: readonly Column[] = [
  column('status', 156, 'status'),
  column('attention', 104, null),
  column('score', 100, 'rank', true),
  column('evidence', 104, 'evidence', true),
  column('coverage', 104, 'coverage', true),
  column('verified', 92, 'verified', true),
  column('answering', 104, 'answering', true),
  column('sector', 148, 'sector'),
  column('round', 116, null),
  column('ask', 116, 'ask', true),
  column('market', 116, 'market', true),
  column('date', 136, 'date'),
  column('decision', 112, null),
  column('assignee', 124, null),
  column('tags', 172, null),
  column('created', 124, 'created'),
  column('cost', 84, 'cost', true),
  column('owner', 136, null),
];

/** What is left out first where the width does not suffice: the last ones. */
const BY_WEIGHT: readonly ColumnName[] = [
  'status',
  'score',
  'attention',
  'decision',
  'ask',
  'sector',
  'verified',
  'answering',
  'coverage',
  'tags',
  'assignee',
  'created',
  'date',
  'market',
  'evidence',
  'cost',
  'owner',
  'round',
];

/** Width of the row's box to tick, and of its menu. */
export const SIDE_PX = 44;
/** Least width of the column with the name. */
export const NAME_PX = 212;

/** Columns that fit a width, for a person who chose none. */
function columnsThatFit(widthPx: number): readonly Column[] {
  let left = widthPx - NAME_PX - 2 * SIDE_PX;
  const fitting = new Set<ColumnName>();
  for (const name of BY_WEIGHT) {
    left -= COLUMNS.find((each) => each.name === name)?.widthPx ?? 0;
    if (left < 0) break;
    fitting.add(name);
  }
  return COLUMNS.filter(({ name }) => fitting.has(name));
}

const KEY = 'deckhand.columns';
/** Names of the columns that a person chose; null: those that fit. */
const chosen = createStore<readonly string[] | null>(localStorage.getItem(KEY)?.split(',') ?? null);

/** Chooses columns, here and for the next visit; null for those that fit. */
export function chooseColumns(names: readonly ColumnName[] | null): void {
  if (names === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, names.join(','));
  chosen.set(names);
}

/** Whether a person chose columns. */
export const useHasChosenColumns = (): boolean => useStore(chosen, (names) => names !== null);

/**
 * The columns that are shown.
 *
 * @param widthPx width there is for the table
 */
export function useColumns(widthPx: number): readonly Column[] {
  const names = useValue(chosen);
  return names === null ? columnsThatFit(widthPx) : COLUMNS.filter(({ name }) => names.includes(name));
}
