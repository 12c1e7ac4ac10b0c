/** What can be done with the selected decks. */
import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { formatCount } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useMedia } from '../../ui/media.ts';
import { Menu, MenuItem, MenuLine, MoreMenu } from '../../ui/menu.tsx';
import { tellError } from '../../ui/toast.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { ExportItems } from '../actions/export.tsx';
import { actionWords } from '../actions/words.ts';
import { readAllDecks } from '../queries.ts';
import type { DecksSearch } from '../search.ts';
import { type Command, useCommands } from './commands.tsx';
import { clearSelection, selectDecks, useSelection } from './store.ts';

/** All commands fit beside each other. */
const WIDE = '(min-width: 1240px)';

/** The bar; nothing while nothing is selected. */
export function SelectionBar({ search, total }: { readonly search: DecksSearch; readonly total: number }) {
  const words = useWords(actionWords);
  const language = useLanguage();
  const isWide = useMedia(WIDE);
  const selection = useSelection();
  const all = useMutation({ mutationFn: () => readAllDecks(search), onSuccess: selectDecks, onError: tellError });
  const decks = [...selection.values()];
  const commands = useCommands(decks);
  if (decks.length === 0) return null;
  const exports = <ExportItems of={decks.length >= total ? search : decks} />;
  return (
    <section
      aria-label={words.actions}
      data-bottom-bar
      className="sticky bottom-3 z-30 mx-auto flex max-w-full items-center gap-1 rounded-lg border border-edge bg-panel p-1.5 shadow-xl"
    >
      <p role="status" className="px-2 text-sm font-medium whitespace-nowrap">
        {words.selected(formatCount(decks.length, language))}
      </p>
      {decks.length < total ? (
        <Button look="quiet" className="px-2 text-accent" disabled={all.isPending} onClick={() => all.mutate()}>
          {words.selectAll(formatCount(total, language))}
        </Button>
      ) : null}
      {isWide ? (
        <>
          {commands.map((command) => (
            <CommandButton key={command.label} command={command} />
          ))}
          <Menu
            trigger={
              <IconButton label={words.export}>
                <Download size={16} aria-hidden />
              </IconButton>
            }
          >
            {exports}
          </Menu>
        </>
      ) : (
        <MoreMenu label={words.actions} look="plain">
          {commands.map(({ label, icon: Icon, isDisabled, isDangerous, run }) => (
            <MenuItem key={label} disabled={isDisabled} danger={isDangerous} onSelect={run}>
              <Icon size={16} aria-hidden />
              {label}
            </MenuItem>
          ))}
          <MenuLine />
          {exports}
        </MoreMenu>
      )}
      <IconButton label={words.clear} onClick={clearSelection}>
        <X size={16} aria-hidden />
      </IconButton>
    </section>
  );
}

const CommandButton = ({ command: { label, hint, icon: Icon, isDisabled, run } }: { readonly command: Command }) => (
  <Button look="quiet" className="px-2" disabled={isDisabled} title={hint} onClick={run}>
    <Icon size={16} aria-hidden />
    {label.replace(/ …$/u, '')}
  </Button>
);
