/** What can be done with the review beside reading it. */
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { isUnderWay } from '../../decks/actions/perform.ts';
import { showDialog } from '../../decks/actions/store.ts';
import { usePerform } from '../../decks/actions/use-perform.ts';
import { apiPath } from '../../request.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine, MenuLink } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import { runWords } from '../run/words.ts';
import { headerWords } from './words.ts';

/** Formats of the review as a document. */
const FORMATS = ['html', 'md', 'json', 'pdf'] as const;

/** Panels that the menu opens. */
export type ReviewPanel = 'runs' | 'history' | 'made' | 'keys';

/** The menu. */
export function ReviewMenu({
  deck,
  analysisId,
  onOpen,
}: {
  readonly deck: DeckEntry;
  readonly analysisId: string;
  readonly onOpen: (panel: ReviewPanel) => void;
}) {
  const words = useWords(headerWords);
  const runs = useWords(runWords);
  const perform = usePerform();
  const companyId = deck.company?.id ?? null;
  return (
    <Menu
      trigger={
        <IconButton label={words.more} look="plain">
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      {isUnderWay(deck) ? (
        <MenuItem onSelect={() => void perform({ kind: 'cancel' }, [deck])}>{words.cancel}</MenuItem>
      ) : (
        <MenuItem onSelect={() => showDialog({ kind: 'review', decks: [deck] })}>{`${runs.reviewAgain} …`}</MenuItem>
      )}
      <MenuItem onSelect={() => onOpen('runs')}>{words.runs}</MenuItem>
      {companyId === null ? null : (
        <MenuLink>
          <Link to="/companies/$companyId" params={{ companyId }}>
            {words.company}
          </Link>
        </MenuLink>
      )}
      <MenuLine />
      <MenuItem onSelect={() => onOpen('history')}>{words.history}</MenuItem>
      <MenuItem onSelect={() => onOpen('made')}>{words.made}</MenuItem>
      <MenuItem onSelect={() => onOpen('keys')}>{words.keys}</MenuItem>
      <MenuLine />
      <MenuLink>
        <a href={apiPath(`/decks/${encodeURIComponent(deck.id)}/pdf`)} download>
          {words.pdf}
        </a>
      </MenuLink>
      <MenuLabel>{words.export}</MenuLabel>
      {FORMATS.map((format) => (
        <MenuLink key={format}>
          <a
            href={apiPath(`/analyses/${encodeURIComponent(analysisId)}/report`, { format })}
            download={`${deck.company?.name ?? deck.fileName}.${format}`}
          >
            {words.exportAs[format]}
          </a>
        </MenuLink>
      ))}
      <MenuItem onSelect={() => setTimeout(() => print())}>{words.print}</MenuItem>
      <MenuLine />
      <MenuItem danger onSelect={() => showDialog({ kind: 'delete', decks: [deck] })}>
        {words.delete}
      </MenuItem>
    </Menu>
  );
}
