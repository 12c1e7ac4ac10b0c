/** Sorts the cards, which have no head to press. */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { EntrySort } from '../../../domain/decks/list/entry.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuCheck, MenuLabel } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import { orderOf, sortedNext } from '../filters/filter.ts';
import type { SearchProps } from '../search.ts';
import { decksWords } from '../words.ts';

const SORTS: readonly EntrySort[] = [
  'created',
  'company',
  'rank',
  'score',
  'evidence',
  'coverage',
  'verified',
  'answering',
  'ask',
  'market',
  'sector',
  'date',
  'cost',
  'status',
];

/** The menu; only in narrow windows. */
export function SortMenu({ search, onSearch }: SearchProps) {
  const words = useWords(decksWords);
  const order = orderOf(search);
  const Arrow = order.down ? ArrowDown : ArrowUp;
  return (
    <div className="min-[900px]:hidden">
      <Menu
        trigger={
          <Button look="quiet">
            <ArrowUpDown size={16} aria-hidden />
            <span className="max-sm:sr-only">{words.sortBy}</span>
          </Button>
        }
      >
        <MenuLabel>{words.sortBy}</MenuLabel>
        {SORTS.map((sort) => (
          <MenuCheck key={sort} checked={order.by === sort} onChange={() => onSearch(sortedNext(search, sort))}>
            {words.sorts[sort]}
            {order.by === sort ? (
              <Arrow size={14} aria-label={order.down ? words.downwards : words.upwards} className="ml-auto" />
            ) : null}
          </MenuCheck>
        ))}
      </Menu>
    </div>
  );
}
