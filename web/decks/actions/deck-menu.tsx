/** The menu of one deck. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { apiPath } from '../../request.ts';
import { MenuItem, MenuLine, MenuLink, MoreMenu } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import { deckName } from '../list/names.ts';
import { decksWords } from '../words.ts';
import { fitsDeck } from './perform.ts';
import { type DeckDialog, showDialog } from './store.ts';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** The menu, with the button that opens it. */
export function DeckMenu({ deck }: { readonly deck: DeckEntry }) {
  const words = useWords(actionWords);
  const { actionsFor } = useWords(decksWords);
  const perform = usePerform();
  const dialog = (kind: DeckDialog) => () => showDialog({ kind, decks: [deck] });
  return (
    <MoreMenu label={actionsFor(deckName(deck))}>
      <MenuItem onSelect={dialog('decide')}>{words.decide}</MenuItem>
      <MenuItem onSelect={dialog('assign')}>{words.assign}</MenuItem>
      <MenuItem onSelect={dialog('tags')}>{words.tags}</MenuItem>
      <MenuLine />
      {fitsDeck('review', deck) ? (
        <MenuItem onSelect={dialog('review')}>{words.review}</MenuItem>
      ) : (
        <>
          <MenuItem onSelect={dialog('priority')}>{words.priority}</MenuItem>
          <MenuItem onSelect={() => void perform({ kind: 'cancel' }, [deck])}>{words.cancel}</MenuItem>
        </>
      )}
      <MenuLink>
        <a href={apiPath(`/decks/${encodeURIComponent(deck.id)}/pdf`)} download>
          {words.pdf}
        </a>
      </MenuLink>
      <MenuLine />
      <MenuItem danger onSelect={dialog('delete')}>
        {words.delete}
      </MenuItem>
    </MoreMenu>
  );
}
