/** The whole window as a place to drop files, and the browser's own dialog to choose them. */
import { Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { tellError } from '../../ui/toast.tsx';
import { useWords } from '../../words/language.ts';
import { droppedFiles } from './dropped-files.ts';
import { addFiles } from './queue.ts';
import { uploadWords } from './words.ts';

/** Takes files that are dropped anywhere. `children` get a function that opens the dialog. */
export function DropPage({ children }: { readonly children: (openFiles: () => void) => ReactNode }) {
  const words = useWords(uploadWords);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useFileDrop();
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept="application/pdf,.pdf"
        aria-label={words.add}
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          addFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      {isOver ? (
        <div className="fixed inset-0 z-50 grid place-items-center bg-page/85 p-6">
          <div className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-accent bg-panel px-10 py-14 text-center">
            <Upload size={32} aria-hidden className="text-accent" />
            <p className="text-lg font-semibold">{words.dropHere}</p>
            <p className="text-soft">{words.dropHint}</p>
          </div>
        </div>
      ) : null}
      {children(() => input.current?.click())}
    </>
  );
}

/** Adds files that are dropped on the window; true while some are held over it. */
function useFileDrop(): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      addEventListener(name, listener, { signal: ending.signal });
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault();
      setIsOver(true);
    });
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setIsOver(false);
    });
    on('drop', (event) => {
      const { dataTransfer } = event;
      if (dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      droppedFiles(dataTransfer).then(addFiles, tellError);
    });
    return () => ending.abort();
  }, []);
  return isOver;
}
