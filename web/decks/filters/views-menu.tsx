/** The button that opens the saved views. */
import { Bookmark } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Loading } from '../../ui/states.tsx';
import { useWords } from '../../words/language.ts';
import type { SearchProps } from '../search.ts';
import { filterWords } from './words.ts';

const Views = lazy(async () => ({ default: (await import('./views.tsx')).Views }));

/** The button with its panel. */
export function ViewsMenu(props: SearchProps) {
  const words = useWords(filterWords);
  return (
    <Popover
      align="end"
      label={words.views}
      trigger={
        <Button look="quiet">
          <Bookmark size={16} aria-hidden />
          <span className="max-sm:sr-only">{words.views}</span>
        </Button>
      }
    >
      {(close) => (
        <Suspense fallback={<Loading />}>
          <Views {...props} onChosen={close} />
        </Suspense>
      )}
    </Popover>
  );
}
