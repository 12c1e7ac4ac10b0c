/** One line over all uploads: how many are under way, how many were refused. Screen readers hear it when it changes. */
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/language.ts';
import { dismissFinished, isOpen, useUploads } from './queue.ts';
import { uploadWords } from './words.ts';

/** The line; nothing where there are no uploads. */
export function UploadSummary() {
  const words = useWords(uploadWords);
  const { items } = useUploads();
  const open = items.filter(isOpen).length;
  const failed = items.filter(({ state }) => state.kind === 'failed').length;
  const parts = [open === 0 ? null : words.underWay(open), failed === 0 ? null : words.refusedCount(failed)].filter(
    (part) => part !== null,
  );
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-sm">
      <p role="status" className="text-soft">
        {parts.join(' · ')}
      </p>
      {items.length - open < 2 ? null : (
        <Button look="quiet" onClick={dismissFinished}>
          {words.dismissFinished}
        </Button>
      )}
    </div>
  );
}
