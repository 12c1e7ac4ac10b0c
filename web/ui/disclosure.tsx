/** A part of a page that is folded until somebody opens it; until then it is not rendered. */
import { ChevronRight } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { classes } from './classes.ts';

/** The part. @example <Disclosure title="3 questions: not found">…</Disclosure> */
export function Disclosure({
  title,
  className,
  children,
}: {
  readonly title: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-8 items-center gap-1 text-left text-sm text-soft hover:text-ink"
      >
        <ChevronRight
          size={16}
          className={classes('shrink-0 transition-transform', isOpen && 'rotate-90')}
          aria-hidden
        />
        {title}
      </button>
      {isOpen ? <div id={id}>{children}</div> : null}
    </div>
  );
}
