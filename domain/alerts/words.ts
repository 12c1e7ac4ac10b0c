/** Values and rules of alerts in words, for terminals and pages. */
import { durationWords } from '../text/words.ts';
import type { MetricUnit } from '../metrics/catalogue.ts';
import type { Thresholds } from './rule.ts';

const DAY_SEC = 24 * 3600;

/** A length of time in seconds; whole days where there are several. */
export const spanWords = (sec: number): string =>
  sec > DAY_SEC && sec % DAY_SEC === 0 ? `${sec / DAY_SEC} days` : durationWords(sec * 1000);

/** A value in its unit, such as `12 %`, `20 min` or `3.5 times`. */
export function valueWords(value: number, unit: MetricUnit): string {
  switch (unit) {
    case 'ratio':
      return `${rounded(value * 100)} %`;
    case 'times':
      return `${rounded(value)} times`;
    case 'seconds':
      return spanWords(value);
    case 'count':
    case 'level':
      return rounded(value);
    case 'usd':
    case 'bytes':
    case 'celsius':
    case 'timestamp':
      return `${rounded(value)} ${unit}`;
    case 'flag':
      return value >= 1 ? 'yes' : 'no';
  }
}

/** Two digits behind the point at most. */
const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** When a rule raises, such as `≥ 20 min for 1 min`. */
export function raiseWords({ comparison, raiseAt, raiseForSec }: Thresholds, unit: MetricUnit): string {
  const sign = comparison === 'above' ? '≥ ' : '≤ ';
  return `${unit === 'flag' ? '' : sign}${valueWords(raiseAt, unit)}${forWords(raiseForSec)}`;
}

/** When it clears, such as `< 5 min for 2 min`. */
export function clearWords({ comparison, clearAt, clearForSec }: Thresholds, unit: MetricUnit): string {
  const sign = comparison === 'above' ? '<' : '>';
  return `${unit === 'flag' ? 'no' : `${sign} ${valueWords(clearAt, unit)}`}${forWords(clearForSec)}`;
}

const forWords = (sec: number): string => (sec === 0 ? '' : ` for ${spanWords(sec)}`);

/** When the rules were last judged. @param judgedAt ISO time; null before the first round */
export function judgedWords(judgedAt: string | null, nowMs: number): string {
  if (judgedAt === null) return 'The rules have not been judged yet.';
  return `The rules were last judged ${durationWords(Math.max(0, nowMs - Date.parse(judgedAt)))} ago.`;
}
