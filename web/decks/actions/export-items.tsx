/** Items of a menu that download a document with many decks. */
import { MenuLink } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import type { ExportFormat } from './export.ts';
import { actionWords } from './words.ts';

/** One item per format. */
export function ExportItems({ hrefs }: { readonly hrefs: readonly (readonly [ExportFormat, string])[] }) {
  const words = useWords(actionWords);
  return hrefs.map(([format, href]) => (
    <MenuLink key={format}>
      <a href={href} download>
        {words.exportAs(format === 'csv' ? 'CSV' : 'Excel')}
      </a>
    </MenuLink>
  ));
}
