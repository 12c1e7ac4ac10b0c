/** A box that opens over the page: it takes the focus, Escape closes it, and the page behind it rests. */
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode, SubmitEvent } from 'react';
import { useWords } from '../words/language.ts';
import { commonWords } from '../words/common.ts';
import { Button, type ButtonLook, IconButton } from './button.tsx';

const LAYER = 'fixed z-50 flex flex-col border-line bg-panel shadow-xl';

/** A dialog, or a panel at the right edge for what is read beside the page. @example <Dialog onClose={close} title="Delete 3 decks">…</Dialog> */
export function Dialog({
  onClose,
  title,
  description,
  isDrawer = false,
  children,
}: {
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: string;
  /** True for the panel at the edge. */
  readonly isDrawer?: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(commonWords);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className={`fixed inset-0 z-40 ${isDrawer ? 'bg-black/40' : 'bg-black/50'}`} />
        <Radix.Content
          className={
            isDrawer
              ? `${LAYER} top-0 right-0 bottom-0 w-[min(42rem,100vw)] border-l`
              : `${LAYER} top-1/2 left-1/2 max-h-[90dvh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 gap-3 overflow-y-auto rounded-lg border p-5`
          }
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div
            className={`flex justify-between gap-4 ${isDrawer ? 'items-center border-b border-line px-5 py-3' : 'items-start'}`}
          >
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={words.close}>
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {description === undefined ? null : (
            <Radix.Description className="text-soft">{description}</Radix.Description>
          )}
          {isDrawer ? <div className="grow overflow-y-auto px-5 py-4">{children}</div> : children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A form in a dialog, with a button that does it and one that does not. */
export function DialogForm({
  submit,
  look = 'primary',
  canSubmit,
  onSubmit,
  onClose,
  children,
}: {
  readonly submit: string;
  readonly look?: ButtonLook;
  readonly canSubmit: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const common = useWords(commonWords);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look={look} disabled={!canSubmit}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
