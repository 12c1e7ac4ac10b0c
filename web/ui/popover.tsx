/** A small panel that opens from a button and holds controls, such as a filter. */
import * as Radix from '@radix-ui/react-popover';
import { useState, type ReactNode } from 'react';

/** The panel. `trigger` is the button that opens it; `label` names the panel. Children that are a function are given what closes it. */
export function Popover({
  trigger,
  label,
  align = 'start',
  onOpen,
  children,
}: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly align?: 'start' | 'end';
  /** Called when it opens. */
  readonly onOpen?: () => void;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const [isOpen, setOpen] = useState(false);
  const change = (open: boolean): void => {
    setOpen(open);
    if (open) onOpen?.();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 max-h-[var(--radix-popover-content-available-height)] w-[min(20rem,calc(100vw-1rem))] overflow-y-auto rounded-md border border-line bg-panel p-3 text-ink shadow-lg"
        >
          {typeof children === 'function' ? children(() => setOpen(false)) : children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
