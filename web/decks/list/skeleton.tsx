/** The list before it was read: grey rows in its place, so that nothing jumps. */
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';

const ROWS = 8;

/** The rows. */
export function ListSkeleton() {
  const words = useWords(commonWords);
  return (
    <div role="status" className="overflow-hidden rounded-lg border border-line bg-panel">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: ROWS }, (_, row) => (
        <div key={row} aria-hidden className="flex h-14 animate-pulse items-center gap-4 border-b border-line px-4">
          <span className="size-4 rounded bg-raised" />
          <span className="h-4 w-48 rounded bg-raised" />
          <span className="h-4 grow rounded bg-raised" />
        </div>
      ))}
    </div>
  );
}
