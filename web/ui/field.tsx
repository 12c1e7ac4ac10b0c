/** Form fields with their labels. */
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

const CONTROL =
  'min-h-9 w-full rounded-md border border-edge bg-panel px-2.5 py-1 text-sm text-ink text-ellipsis placeholder:text-soft disabled:opacity-50';

/** A label over a control. */
export function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      <span className="font-medium">{label}</span>
      {children}
    </label>
  );
}

/** One line of text. */
export const TextInput = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input type="text" {...rest} className={classes(CONTROL, className)} />
);

/** Several lines of text. */
export const TextArea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea rows={4} {...rest} className={classes(CONTROL, className)} />
);

/** A choice of one; the browser's own list, which every keyboard and phone knows. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={classes(CONTROL, 'pr-8', className)} />
);

/** A box to tick, with its label beside it. */
export function Checkbox({ label, className, ...rest }: ComponentProps<'input'> & { readonly label: ReactNode }) {
  return (
    <label className={classes('flex min-h-8 cursor-pointer items-center gap-2 text-sm', className)}>
      <input type="checkbox" {...rest} className="size-4 accent-accent" />
      {label}
    </label>
  );
}
