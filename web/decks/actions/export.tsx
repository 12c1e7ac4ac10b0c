/** Documents with many decks, as items of menus that download them. */
import { Download } from 'lucide-react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { apiPath } from '../../request.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import type { DecksSearch } from '../search.ts';
import { actionWords } from './words.ts';

const FORMATS = { csv: 'CSV', xlsx: 'Excel' } as const;
/** Most decks that an address can name. */
const MOST_IN_ADDRESS = 200;

/** One item per format: every deck that fits a search, or the given ones. Names of columns are in the language of the page. */
export function ExportItems({ of }: { readonly of: DecksSearch | readonly DeckEntry[] }) {
  const words = useWords(actionWords);
  const language = useLanguage();
  if (isList(of) && of.length > MOST_IN_ADDRESS) {
    return (
      <MenuItem disabled onSelect={() => undefined}>
        {words.exportLimit(MOST_IN_ADDRESS)}
      </MenuItem>
    );
  }
  const queryOf = (format: string) =>
    isList(of) ? { format, language, ids: of.map(({ id }) => id).join(',') } : { ...of, format, language };
  return Object.entries(FORMATS).map(([format, name]) => (
    <MenuLink key={format}>
      <a href={apiPath('/decks/export', queryOf(format))} download>
        {words.exportAs(name)}
      </a>
    </MenuLink>
  ));
}

const isList = (of: DecksSearch | readonly DeckEntry[]): of is readonly DeckEntry[] => Array.isArray(of);

/** The menu that downloads what the list shows. */
export function ExportMenu({ search }: { readonly search: DecksSearch }) {
  const words = useWords(actionWords);
  return (
    <Menu
      trigger={
        <Button look="quiet">
          <Download size={16} aria-hidden />
          <span className="max-sm:sr-only">{words.export}</span>
        </Button>
      }
    >
      <ExportItems of={search} />
    </Menu>
  );
}
