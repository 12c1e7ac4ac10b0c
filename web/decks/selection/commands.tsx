/** The commands for a selection of decks, as data: a bar shows them as buttons, a menu as items. */
import { useNavigate } from '@tanstack/react-router';
import { Ban, Columns3, Gavel, ListOrdered, type LucideIcon, RotateCcw, Tag, Trash2, UserRound } from 'lucide-react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { isComparable } from '../../compare/search.ts';
import { useWords } from '../../words/language.ts';
import { fitsDeck } from '../actions/perform.ts';
import { type DeckDialog, showDialog } from '../actions/store.ts';
import { usePerform } from '../actions/use-perform.ts';
import { actionWords } from '../actions/words.ts';

/** One command. */
export interface Command {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Why it cannot be used now. */
  readonly hint?: string | undefined;
  readonly isDisabled: boolean;
  readonly isDangerous: boolean;
  readonly run: () => void;
}

/** The commands for these decks; those about running reviews only where some run. */
export function useCommands(decks: readonly DeckEntry[]): readonly Command[] {
  const words = useWords(actionWords);
  const perform = usePerform();
  const navigate = useNavigate();
  const command = (label: string, icon: LucideIcon, run: () => void, more: Partial<Command> = {}): Command => ({
    label,
    icon,
    run,
    isDisabled: false,
    isDangerous: false,
    ...more,
  });
  const dialog =
    (kind: DeckDialog, about = decks) =>
    (): void =>
      showDialog({ kind, decks: about });
  const running = decks.filter((deck) => fitsDeck('cancel', deck));
  const analyses = decks.flatMap(({ resultAnalysisId }) => resultAnalysisId ?? []);
  const canCompare = analyses.length === decks.length && isComparable(decks.length);
  const compare = (): void => void navigate({ to: '/compare', search: { analyses: analyses.join(',') } });
  const ofRunning = [
    command(words.priority, ListOrdered, dialog('priority', running)),
    command(words.cancel, Ban, () => void perform({ kind: 'cancel' }, running)),
  ];
  return [
    command(words.decide, Gavel, dialog('decide')),
    command(words.tags, Tag, dialog('tags')),
    command(words.assign, UserRound, dialog('assign')),
    command(words.review, RotateCcw, dialog('review'), { isDisabled: running.length === decks.length }),
    ...(running.length === 0 ? [] : ofRunning),
    command(words.compare, Columns3, compare, {
      isDisabled: !canCompare,
      hint: canCompare ? undefined : words.compareHint,
    }),
    command(words.delete, Trash2, dialog('delete'), { isDangerous: true }),
  ];
}
