/**
 * A field to search in, with what was found below it: arrow keys move, Enter chooses. For choosing one of many, such as a deck or a company.
 */
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react';
import { classes } from './classes.ts';
import { TextInput } from './field.tsx';

/** One thing that can be chosen. */
export interface Choice<T> {
  readonly id: string;
  readonly value: T;
  readonly label: ReactNode;
  /** Why it cannot be chosen; undefined where it can. */
  readonly reason?: string;
}

/** What was found for a text. */
export interface Found<T> {
  /** Undefined before the first answer. */
  readonly choices: readonly Choice<T>[] | undefined;
  /** False while these are still what another text found. */
  readonly isCurrent: boolean;
}

/**
 * The field. `useChoices` reads what fits a text.
 *
 * @example <SearchChoice label="Deck" nothing="No deck found." useChoices={useDecks} onChoose={add} />
 */
export function SearchChoice<T>({
  label,
  nothing,
  useChoices,
  onChoose,
}: {
  readonly label: string;
  readonly nothing: string;
  readonly useChoices: (text: string) => Found<T>;
  readonly onChoose: (value: T) => void;
}) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [isWanted, setIsWanted] = useState(false);
  const listId = useId();
  const searched = useDeferredValue(text);
  const found = useChoices(searched);
  const { choices = [] } = found;
  const isCurrent = found.isCurrent && searched === text;
  const chosen = choices[Math.min(active, choices.length - 1)];
  const choose = ({ value, reason }: Choice<T>): void => {
    if (reason === undefined) onChoose(value);
  };
  // An Enter chooses from what was found for the typed words, once that is known.
  useEffect(() => {
    if (!isWanted || !isCurrent) return;
    setIsWanted(false);
    if (chosen !== undefined && chosen.reason === undefined) onChoose(chosen.value);
  }, [isWanted, isCurrent, chosen, onChoose]);
  const optionId = (id: string): string => `${listId}-${id}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(choices.length - 1, active + step));
      setActive(next);
      document.getElementById(optionId(choices[next]?.id ?? ''))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      setIsWanted(true);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={chosen === undefined ? undefined : optionId(chosen.id)}
        placeholder={label}
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
          setIsWanted(false);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label={label} className="flex max-h-72 flex-col overflow-y-auto">
        {choices.map((choice, index) => (
          <li
            key={choice.id}
            id={optionId(choice.id)}
            role="option"
            aria-selected={choice === chosen}
            aria-disabled={choice.reason !== undefined}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(choice)}
            className={classes(
              'flex cursor-pointer flex-col rounded px-2.5 py-1.5 text-sm',
              choice === chosen && 'bg-raised',
              choice.reason !== undefined && 'cursor-not-allowed text-soft',
            )}
          >
            {choice.label}
            {choice.reason === undefined ? null : <span className="text-xs">{choice.reason}</span>}
          </li>
        ))}
      </ul>
      {isCurrent && found.choices?.length === 0 ? (
        <p role="status" className="px-2.5 text-sm text-soft">
          {nothing}
        </p>
      ) : null}
    </div>
  );
}
