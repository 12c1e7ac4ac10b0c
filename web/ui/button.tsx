/** Buttons, and links that look like them. */
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

/** `primary`: the one thing to do here; `plain`: others; `quiet`: in rows and bars; `danger`: cannot be undone. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  plain: 'border-line bg-panel text-ink hover:bg-raised',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-raised',
  danger: 'border-bad bg-bad text-panel hover:opacity-90',
};

/** Classes of a button, for links. */
export const buttonClasses = (look: ButtonLook = 'plain'): string =>
  classes(
    'inline-flex min-h-9 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap',
    'disabled:cursor-not-allowed disabled:opacity-50',
    LOOKS[look],
  );

/** A button. @example <Button look="primary" onClick={save}>Save</Button> */
export function Button({ look, className, ...rest }: ComponentProps<'button'> & { readonly look?: ButtonLook }) {
  return <button type="button" {...rest} className={classes(buttonClasses(look), className)} />;
}

/** A button that is only a picture; `label` names it to everybody who does not see it. */
export function IconButton({
  label,
  className,
  ...rest
}: ComponentProps<'button'> & { readonly label: string; readonly look?: ButtonLook }) {
  return (
    <Button look="quiet" aria-label={label} title={label} {...rest} className={classes('min-w-9 px-2', className)} />
  );
}
