/** The search: what is typed is shown at once and searched a moment later, so that typing never waits for an answer. */
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { useWords } from '../../words/language.ts';
import { SEARCH_ID } from '../list/keys.ts';
import { filterWords } from './words.ts';

const DELAY_MS = 150;

/** The box. `value` is what is searched for, `onSearch` changes it; `label` and `hint` name what is searched, decks by default. */
export function SearchBox({
  value,
  onSearch,
  label,
  hint,
}: {
  readonly value: string;
  readonly onSearch: (value: string) => void;
  readonly label?: string;
  readonly hint?: string;
}) {
  const words = useWords(filterWords);
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  // Another address, such as that of a saved view, brings another search; an answer to what was typed does not.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string, delayMs: number): void => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next.trim();
      latest.current(next.trim());
    }, delayMs);
  };
  return (
    <div className="relative min-w-0 grow basis-64 sm:max-w-md">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-soft" />
      <TextInput
        id={SEARCH_ID}
        type="search"
        aria-label={label ?? words.search}
        aria-keyshortcuts="/"
        placeholder={hint ?? words.searchHint}
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={({ target }) => search(target.value, DELAY_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed, 0);
          if (event.key === 'Escape') search('', 0);
        }}
        className="pr-9 pl-8 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed === '' ? null : (
        <IconButton
          label={words.clearSearch}
          className="absolute top-0 right-0"
          onClick={() => {
            search('', 0);
            document.getElementById(SEARCH_ID)?.focus();
          }}
        >
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
