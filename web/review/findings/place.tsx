/** A row of the findings that is lit on the slides: a click, or Enter where it has the focus, shows its slide. */
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { useStore } from '../../store.ts';
import { useReviewTools } from '../tools.ts';

/** Id of the element of a place. */
export const placeId = (key: string): string => `place-${key}`;

/** Key of the place that has the focus, or that holds what has it; null where there is none. */
export const focusedPlace = (): string | null =>
  document.activeElement?.closest('article[id^="place-"]')?.id.slice(placeId('').length) ?? null;

/** Shows a place of the page, with the focus on its row; nothing happens where it is not on the page. */
export function focusPlace(key: string): void {
  const row = document.getElementById(placeId(key));
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** What does something of its own when it is clicked. */
const CONTROLS = 'button, a, input, textarea, select, label, summary, [role="dialog"]';

/** True for an event that is meant for the row, not for a control in it or for a panel over it. */
function isForRow({ target, currentTarget }: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const control = target.closest(CONTROLS);
  return control === null || !currentTarget.contains(control);
}

/** The row. `label` names it to those who do not see it. */
export function Place({
  place,
  label,
  isCompact = false,
  children,
}: {
  /** Key of its stop. */
  readonly place: string;
  readonly label: string;
  /** True for one of several in a list. */
  readonly isCompact?: boolean;
  readonly children: ReactNode;
}) {
  const { selection, select } = useReviewTools();
  const isShown = useStore(selection, ({ stop }) => stop === place);
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    // Who selects words to copy them does not go anywhere.
    if (isForRow(event) && getSelection()?.isCollapsed !== false) select(place);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Enter' && isForRow(event)) select(place);
  };
  return (
    // The quotes in it are buttons; the click anywhere is for the pointer, Enter for the row that J and K went to.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      id={placeId(place)}
      tabIndex={-1}
      aria-label={label}
      aria-current={isShown ? 'true' : undefined}
      onClick={onClick}
      onKeyDown={onKeyDown}
      className={classes(
        'group cursor-pointer scroll-mt-[calc(var(--covered,0px)+0.75rem)] scroll-mb-4 rounded-md border-l-3 px-3 outline-offset-0',
        isCompact ? 'py-0.5' : 'py-2',
        isShown ? 'border-accent bg-accent-tint' : 'border-transparent hover:bg-raised',
      )}
    >
      {children}
    </article>
  );
}
