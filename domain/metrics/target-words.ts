/** Targets in words, for terminals and pages. */
import { usdText } from '../text/words.ts';
import type { TargetLimit, TargetState, TargetUnit } from './targets.ts';

/** State of a target; empty for a figure without a limit. */
export const STATE_WORDS: Readonly<Record<TargetState, string>> = {
  met: '✓ met',
  not_met: '✗ not met',
  no_data: '· no data',
  told: '',
};
const COMPARISONS: Readonly<Record<TargetLimit['comparison'], string>> = { below: '<', above: '>', at_least: '≥' };

/** A figure in its unit; a dash without data. */
export function figureWords(value: number | null, unit: TargetUnit): string {
  if (value === null) return '–';
  switch (unit) {
    case 'seconds':
      return secondsWords(value);
    case 'ratio':
      return percentWords(value);
    case 'usd':
      return usdText(value);
  }
}

/** Such as `< 5.0 min`; nothing where there is no limit. */
export const limitWords = (limit: TargetLimit | null, unit: TargetUnit): string =>
  limit === null ? '' : `${COMPARISONS[limit.comparison]} ${figureWords(limit.value, unit)}`;

/** Seconds, or minutes where there are many. */
export const secondsWords = (value: number): string =>
  value >= 90 ? `${(value / 60).toFixed(1)} min` : `${value >= 10 ? Math.round(value) : value.toFixed(1)} s`;

/** A share. Cut, not rounded: 98.99 % is not 99 %. */
export const percentWords = (ratio: number): string =>
  `${(Math.floor(ratio * 10_000) / 100).toFixed(2).replace(/\.?0+$/u, '')} %`;
