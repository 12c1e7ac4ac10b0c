/** The head of the page: how many decks there are, how many need a look, and the button that adds some. */
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { formatCount } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { isFiltered, withParameter } from './filters/filter.ts';
import { countQuery } from './queries.ts';
import type { SearchProps } from './search.ts';
import { AddDecks } from './uploads/add-decks.tsx';
import { decksWords } from './words.ts';

/** Decks with any reason to look at them. */
const ANY_REASON = 'any';

/** The head. `total` is undefined before the list was read. */
export function DecksHeader({
  search,
  onSearch,
  total,
  onAdd,
}: SearchProps & {
  readonly total: number | undefined;
  readonly onAdd: () => void;
}) {
  const words = useWords(decksWords);
  const language = useLanguage();
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-xl font-semibold">{words.title}</h1>
      <div className="flex items-center gap-1 max-sm:order-last max-sm:w-full">
        {total === undefined ? null : (
          <p role="status" className="mr-1 text-sm text-soft">
            {words.total(formatCount(total, language), isFiltered(search))}
          </p>
        )}
        <NeedLook search={search} onSearch={onSearch} />
      </div>
      <div className="ml-auto">
        <AddDecks onAdd={onAdd} />
      </div>
    </header>
  );
}

/** How many of the decks that fit need a look; a press leaves only those. */
function NeedLook({ search, onSearch }: SearchProps) {
  const words = useWords(decksWords);
  const language = useLanguage();
  const { sort: _sort, ...filter } = search;
  const { data: count = 0 } = useQuery(countQuery({ ...filter, attention: ANY_REASON }));
  const isOn = search.attention === ANY_REASON;
  if (count === 0 && !isOn) return null;
  return (
    <Button
      look="quiet"
      aria-pressed={isOn}
      className={classes('text-warn', isOn && 'bg-warn-tint')}
      onClick={() => onSearch(withParameter(search, 'attention', isOn ? '' : ANY_REASON))}
    >
      <TriangleAlert size={16} aria-hidden />
      {words.needLook(formatCount(count, language))}
    </Button>
  );
}
