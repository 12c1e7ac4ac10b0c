/** Downloads what the list shows. */
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { EXPORT_FORMATS, exportOfSearch } from '../actions/export.ts';
import { ExportItems } from '../actions/export-items.tsx';
import { actionWords } from '../actions/words.ts';
import type { DecksSearch } from '../search.ts';

/** The menu: every deck that fits, in a format. */
export function ExportMenu({ search }: { readonly search: DecksSearch }) {
  const words = useWords(actionWords);
  const language = useLanguage();
  return (
    <Menu
      trigger={
        <Button look="quiet">
          <Download size={16} aria-hidden />
          <span className="max-sm:sr-only">{words.export}</span>
        </Button>
      }
    >
      <ExportItems hrefs={EXPORT_FORMATS.map((format) => [format, exportOfSearch(format, search, language)])} />
    </Menu>
  );
}
