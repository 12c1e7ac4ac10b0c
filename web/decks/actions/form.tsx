/** What the forms of the dialogs share. */
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { deckName } from '../list/names.ts';
import { actionWords } from './words.ts';

/** What a form is about. */
export interface FormProps {
  readonly decks: readonly DeckEntry[];
  readonly onClose: () => void;
}

const MOST_NAMES = 5;

/** A form that names its decks, with a button that does it and one that does not. It closes once it is done. */
export function ActionForm({
  decks,
  onClose,
  submit,
  look = 'primary',
  disabled = false,
  onSubmit,
  children,
}: FormProps & {
  readonly submit: string;
  readonly look?: ButtonLook;
  readonly disabled?: boolean;
  readonly onSubmit: () => Promise<void>;
  readonly children: ReactNode;
}) {
  const common = useWords(commonWords);
  const [isBusy, setIsBusy] = useState(false);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsBusy(true);
    // Failures are told by what does it.
    void onSubmit().then(onClose);
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      <DeckNameList decks={decks} />
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look={look} disabled={disabled || isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Names of the first decks, and how many more there are. */
function DeckNameList({ decks }: { readonly decks: readonly DeckEntry[] }) {
  const words = useWords(actionWords);
  const more = decks.length - MOST_NAMES;
  return (
    <ul className="flex flex-col text-sm text-soft">
      {decks.slice(0, MOST_NAMES).map((deck) => (
        <li key={deck.id} className="truncate">
          {deckName(deck)}
        </li>
      ))}
      {more > 0 ? <li>{words.andMore(more)}</li> : null}
    </ul>
  );
}
