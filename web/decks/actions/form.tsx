/** What the forms of the dialogs share. */
import { type ReactNode, useState } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { ButtonLook } from '../../ui/button.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { useWords } from '../../words/language.ts';
import { deckName } from '../list/names.ts';
import type { Action } from './perform.ts';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** What a form is about. */
export interface FormProps {
  readonly decks: readonly DeckEntry[];
  readonly onClose: () => void;
}

const MOST_NAMES = 5;

/** A form that names its decks, with a button that does the action with them and one that does not. It closes once it is done. */
export function ActionForm({
  decks,
  onClose,
  submit,
  look,
  disabled = false,
  action,
  children,
}: FormProps & {
  readonly submit: string;
  readonly look?: ButtonLook;
  readonly disabled?: boolean;
  readonly action: Action;
  readonly children: ReactNode;
}) {
  const perform = usePerform();
  const [isBusy, setIsBusy] = useState(false);
  const send = (): void => {
    setIsBusy(true);
    // Failures are told by what does it.
    void perform(action, decks).then(onClose);
  };
  return (
    <DialogForm
      submit={submit}
      {...(look === undefined ? {} : { look })}
      canSubmit={!disabled && !isBusy}
      onSubmit={send}
      onClose={onClose}
    >
      <DeckNameList decks={decks} />
      {children}
    </DialogForm>
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
