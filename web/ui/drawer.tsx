/** A panel at the right edge, over the page: for what is read beside it. It takes the focus, and Escape closes it. */
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { commonWords } from '../words/common.ts';
import { useWords } from '../words/language.ts';
import { IconButton } from './button.tsx';

/** The panel. @example <Drawer open={open} onClose={close} title="History">…</Drawer> */
export function Drawer({
  open,
  onClose,
  title,
  children,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const words = useWords(commonWords);
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-0 right-0 bottom-0 z-50 flex w-[min(42rem,100vw)] flex-col border-l border-line bg-panel shadow-xl"
        >
          <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={words.close}>
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="grow overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
