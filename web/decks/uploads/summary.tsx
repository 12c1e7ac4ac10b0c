/** One line over all uploads: how many are under way, how many were refused. Screen readers hear it when it changes. */
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { dismissFinished, isOpen, useUploads } from './queue.ts';
import { uploadWords } from './words.ts';

/** The line; without uploads nobody sees it. */
export function UploadSummary() {
  const words = useWords(uploadWords);
  const { items } = useUploads();
  const open = items.filter(isOpen).length;
  const failed = items.filter(({ state }) => state.kind === 'failed').length;
  const parts = [open === 0 ? null : words.underWay(open), failed === 0 ? null : words.refusedCount(failed)].filter(
    (part) => part !== null,
  );
  return (
    // It stays in the document while it is empty, so that screen readers hear its first words.
    <div className={classes('flex min-h-9 flex-wrap items-center text-sm', items.length === 0 && 'sr-only')}>
      <p role="status" className="text-soft not-empty:mr-3">
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
