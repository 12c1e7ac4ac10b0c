/** The keys of the review page, and the switch for them. */
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { useWords } from '../../words/language.ts';
import { pageWords } from '../words.ts';
import { keysAreOn, switchKeys } from './use-keys.ts';

/** The dialog. */
export function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const words = useWords(pageWords);
  const [isOn, setOn] = useState(keysAreOn);
  return (
    <Dialog open={open} onClose={onClose} title={words.keysTitle}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {[...words.keys].map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-sans">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={words.keysOn}
        checked={isOn}
        onChange={({ target }) => {
          switchKeys(target.checked);
          setOn(target.checked);
        }}
      />
    </Dialog>
  );
}
