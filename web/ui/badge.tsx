/** A word or two with a colour that says how to take them. */
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-raised text-ink',
  accent: 'bg-accent-tint text-accent',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
};

/** The badge. @example <Badge tone="warn">2 gaps</Badge> */
export const Badge = ({
  tone = 'neutral',
  className,
  children,
}: {
  readonly tone?: Tone;
  readonly className?: string;
  readonly children: ReactNode;
}) => (
  <span
    className={classes(
      'inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
      TONES[tone],
      className,
    )}
  >
    {children}
  </span>
);
