/** Downloads the selected decks as a document: a menu of its own, or items of one. */
import { Download } from 'lucide-react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { EXPORT_FORMATS, exportOfDecks, exportOfSearch, MOST_IN_ADDRESS } from '../actions/export.ts';
import { ExportItems } from '../actions/export-items.tsx';
import { actionWords } from '../actions/words.ts';
import type { DecksSearch } from '../search.ts';

/** The menu or its items; `isAll` when every deck that fits the search is selected. */
export function ExportSelected({
  decks,
  search,
  isAll,
  isWide,
}: {
  readonly decks: readonly DeckEntry[];
  readonly search: DecksSearch;
  readonly isAll: boolean;
  readonly isWide: boolean;
}) {
  const words = useWords(actionWords);
  const language = useLanguage();
  const hrefs = EXPORT_FORMATS.map(
    (format) =>
      [format, isAll ? exportOfSearch(format, search, language) : exportOfDecks(format, decks, language)] as const,
  );
  const items =
    isAll || decks.length <= MOST_IN_ADDRESS ? (
      <ExportItems hrefs={hrefs} />
    ) : (
      <MenuItem disabled onSelect={() => undefined}>
        {words.exportLimit(MOST_IN_ADDRESS)}
      </MenuItem>
    );
  if (!isWide) return items;
  return (
    <Menu
      trigger={
        <IconButton label={words.export}>
          <Download size={16} aria-hidden />
        </IconButton>
      }
    >
      {items}
    </Menu>
  );
}
