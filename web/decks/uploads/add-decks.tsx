/** The button that adds decks, with how they are reviewed, and the places to drop files. */
import { Plus, SlidersHorizontal, Upload } from 'lucide-react';
import { useDropzone } from 'react-dropzone';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useWords } from '../../words/language.ts';
import { PrioritySelect } from '../priority-select.tsx';
import { choose, REVIEW_LANGUAGES, useReviewChoices } from './choices.ts';
import { addFiles } from './queue.ts';
import { uploadWords } from './words.ts';

/** The whole page as a place to drop files; `choose` opens the browser's own dialog. */
export function DropPage({ children }: { readonly children: (openFiles: () => void) => ReactNode }) {
  const words = useWords(uploadWords);
  // Every file is taken: one that is no PDF gets a row that says so.
  const { getRootProps, getInputProps, open, isDragGlobal } = useDropzone({
    onDrop: (files) => addFiles(files),
    noClick: true,
    noKeyboard: true,
  });
  return (
    <div {...getRootProps({ tabIndex: undefined, role: undefined, className: 'flex grow flex-col' })}>
      <input {...getInputProps({ accept: 'application/pdf,.pdf', 'aria-label': words.add })} />
      {isDragGlobal ? (
        <div className="fixed inset-0 z-50 grid place-items-center bg-page/85 p-6">
          <div className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent bg-panel px-10 py-14 text-center">
            <Upload size={32} aria-hidden className="text-accent" />
            <p className="text-lg font-semibold">{words.dropHere}</p>
            <p className="text-soft">{words.dropHint}</p>
          </div>
        </div>
      ) : null}
      {children(open)}
    </div>
  );
}

/** The button, with a panel of choices beside it. */
export function AddDecks({ onAdd }: { readonly onAdd: () => void }) {
  const words = useWords(uploadWords);
  return (
    <div className="flex items-center gap-1">
      <ReviewChoicesPanel />
      <Button look="primary" onClick={onAdd}>
        <Plus size={16} aria-hidden />
        {words.add}
      </Button>
    </div>
  );
}

function ReviewChoicesPanel() {
  const words = useWords(uploadWords);
  const { language, priority } = useReviewChoices();
  return (
    <Popover
      align="end"
      label={words.choices}
      trigger={
        <IconButton label={words.choices} look="plain" className="relative">
          <SlidersHorizontal size={16} aria-hidden />
          <span aria-hidden className="text-xs uppercase">
            {language}
          </span>
        </IconButton>
      }
    >
      <div className="flex flex-col gap-3">
        <h2 className="font-medium">{words.choices}</h2>
        <Field label={words.language}>
          <Select
            value={language}
            onChange={({ target }) =>
              choose({ language: REVIEW_LANGUAGES.find((each) => each === target.value) ?? language })
            }
          >
            {REVIEW_LANGUAGES.map((each) => (
              <option key={each} value={each}>
                {words.languages[each]}
              </option>
            ))}
          </Select>
        </Field>
        <PrioritySelect value={priority} onChange={(next) => choose({ priority: next })} />
      </div>
    </Popover>
  );
}
