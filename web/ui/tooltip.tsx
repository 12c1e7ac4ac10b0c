/** A short explanation beside what the pointer or the focus is on. What it says must not be needed to use the page. */
import * as Radix from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';

/** Once around the app. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={300}>{children}</Radix.Provider>
);

/** The explanation of a button or link. */
export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-md bg-ink px-2.5 py-1.5 text-xs text-page shadow-lg"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
