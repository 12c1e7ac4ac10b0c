/** A dialog over the page: it takes the focus, Escape closes it, and the page behind it rests. */
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { commonWords } from '../words/common.ts';
import { IconButton } from './button.tsx';

/** A dialog. @example <Dialog open={open} onClose={close} title="Delete 3 decks">…</Dialog> */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: string;
  readonly children: ReactNode;
}) {
  const words = useWords(commonWords);
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-panel p-5 shadow-xl"
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="flex items-start justify-between gap-4">
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
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
