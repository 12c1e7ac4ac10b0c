/** What can be done with the selected decks. */
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Columns3, Download, Ellipsis, Gavel, RotateCcw, Tag, Trash2, UserRound, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { formatCount } from '../../format.ts';
import { Button, buttonClasses, IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { tellError } from '../../ui/toast.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { EXPORT_FORMATS, exportOfDecks, exportOfSearch, MOST_IN_ADDRESS } from '../actions/export.ts';
import { ExportItems } from '../actions/export-items.tsx';
import { fitsDeck } from '../actions/perform.ts';
import { type DeckDialog, showDialog } from '../actions/store.ts';
import { usePerform } from '../actions/use-perform.ts';
import { actionWords } from '../actions/words.ts';
import { readAllDecks } from '../queries.ts';
import type { DecksSearch } from '../search.ts';
import { clearSelection, selectDecks, useSelection } from './store.ts';

const COMPARED = { least: 2, most: 5 } as const;

/** The bar; nothing while nothing is selected. */
export function SelectionBar({ search, total }: { readonly search: DecksSearch; readonly total: number }) {
  const words = useWords(actionWords);
  const language = useLanguage();
  const selection = useSelection();
  const all = useMutation({ mutationFn: () => readAllDecks(search), onSuccess: selectDecks, onError: tellError });
  const decks = [...selection.values()];
  if (decks.length === 0) return null;
  return (
    <section
      aria-label={words.actions}
      className="sticky bottom-3 z-30 mx-auto flex max-w-full flex-wrap items-center justify-center gap-1 rounded-lg border border-edge bg-panel p-1.5 shadow-xl"
    >
      <p role="status" className="px-2 text-sm font-medium">
        {words.selected(formatCount(decks.length, language))}
      </p>
      {decks.length < total ? (
        <Button look="quiet" className="text-accent" disabled={all.isPending} onClick={() => all.mutate()}>
          {words.selectAll(formatCount(total, language))}
        </Button>
      ) : null}
      <Commands decks={decks} search={search} isAll={decks.length >= total} />
      <IconButton label={words.clear} onClick={clearSelection}>
        <X size={16} aria-hidden />
      </IconButton>
    </section>
  );
}

interface CommandProps {
  readonly decks: readonly DeckEntry[];
  readonly search: DecksSearch;
  /** True when every deck that fits is selected. */
  readonly isAll: boolean;
}

function Commands({ decks, search, isAll }: CommandProps): ReactNode {
  const words = useWords(actionWords);
  const perform = usePerform();
  const dialog = (kind: DeckDialog) => () => showDialog({ kind, decks });
  const running = decks.filter((deck) => fitsDeck('cancel', deck));
  return (
    <>
      <Command icon={<Gavel size={16} aria-hidden />} label={words.decide} onClick={dialog('decide')} />
      <Command icon={<Tag size={16} aria-hidden />} label={words.tags} onClick={dialog('tags')} />
      <Command icon={<UserRound size={16} aria-hidden />} label={words.assign} onClick={dialog('assign')} />
      <Command icon={<RotateCcw size={16} aria-hidden />} label={words.review} onClick={dialog('review')} />
      <CompareLink decks={decks} />
      <Menu
        trigger={
          <IconButton label={words.export}>
            <Download size={16} aria-hidden />
          </IconButton>
        }
      >
        {isAll || decks.length <= MOST_IN_ADDRESS ? (
          <ExportItems
            hrefs={EXPORT_FORMATS.map((format) => [
              format,
              isAll ? exportOfSearch(format, search) : exportOfDecks(format, decks),
            ])}
          />
        ) : (
          <MenuItem disabled onSelect={() => undefined}>
            {words.exportLimit(MOST_IN_ADDRESS)}
          </MenuItem>
        )}
      </Menu>
      <Command icon={<Trash2 size={16} aria-hidden />} label={words.delete} onClick={dialog('delete')} />
      {running.length === 0 ? null : (
        <Menu
          trigger={
            <IconButton label={words.actions}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => showDialog({ kind: 'priority', decks: running })}>{words.priority}</MenuItem>
          <MenuItem onSelect={() => void perform({ kind: 'cancel' }, running)}>{words.cancel}</MenuItem>
        </Menu>
      )}
    </>
  );
}

/** A button with its name; in narrow windows the name is for screen readers and the tooltip only. */
const Command = ({
  icon,
  label,
  onClick,
}: {
  readonly icon: ReactNode;
  readonly label: string;
  readonly onClick: () => void;
}) => (
  <Button look="quiet" className="px-2" title={label} onClick={onClick}>
    {icon}
    <span className="max-lg:sr-only">{label.replace(/ …$/u, '')}</span>
  </Button>
);

/** Leads to the comparison of decks that have results. */
function CompareLink({ decks }: { readonly decks: readonly DeckEntry[] }) {
  const words = useWords(actionWords);
  const analyses = decks.flatMap(({ resultAnalysisId }) => resultAnalysisId ?? []);
  const label = (
    <>
      <Columns3 size={16} aria-hidden />
      <span className="max-lg:sr-only">{words.compare}</span>
    </>
  );
  const canCompare =
    analyses.length === decks.length && decks.length >= COMPARED.least && decks.length <= COMPARED.most;
  if (!canCompare) {
    return (
      <Button look="quiet" className="px-2" disabled title={words.compareHint}>
        {label}
      </Button>
    );
  }
  return (
    <Link to="/compare" search={{ analyses: analyses.join(',') }} className={buttonClasses('quiet')}>
      {label}
    </Link>
  );
}
