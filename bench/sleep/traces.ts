/** Idle gaps for the comparison of sleep policies: five generated traces, and traces from a file. */
import { readFileSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';
import { seededRandom } from '../../samples/generator/random.ts';

/** A sequence of idle gaps. */
export interface Trace {
  readonly name: string;
  readonly gapsSec: readonly number[];
}

const MINUTE = 60;

/** An exponential time with the given mean. */
const exponential = (random: () => number, mean: number): number => -Math.log1p(-random()) * mean;

/** The five standard traces; the adversary's gap ends just after a break-even policy has gone to sleep. */
export function standardTraces(count: number, breakEvenSec: number, seed: number): Trace[] {
  const trace = (name: string, gap: (random: () => number) => number, offset: number): Trace => {
    const random = seededRandom(seed + offset);
    return { name, gapsSec: Array.from({ length: count }, () => gap(random)) };
  };
  return [
    trace('exponential, mean 3 min', (r) => exponential(r, 3 * MINUTE), 1),
    trace('exponential, mean 15 min', (r) => exponential(r, 15 * MINUTE), 2),
    trace('exponential, mean 60 min', (r) => exponential(r, 60 * MINUTE), 3),
    trace('bursty, 90 % mean 2 min and 10 % mean 180 min', (r) => exponential(r, (r() < 0.9 ? 2 : 180) * MINUTE), 4),
    trace('adversarial, just above break-even', () => breakEvenSec + 0.01 * MINUTE, 5),
  ];
}

/** Reads a trace: one gap in seconds per line; empty lines and lines that begin with # are skipped. @throws DeckhandError `usage` */
export function readTrace(file: string): Trace {
  const refuse = (message: string, cause?: unknown): never => {
    throw new DeckhandError('usage', `${file}: ${message}`, {
      hint: 'A trace has one idle gap in seconds per line.',
      cause,
    });
  };
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    refuse('cannot be read', error);
  }
  const gapsSec = text.split(/\r?\n/u).flatMap((line, index) => {
    const written = line.trim();
    if (written === '' || written.startsWith('#')) return [];
    const gap = Number(written);
    return Number.isFinite(gap) && gap >= 0
      ? [gap]
      : refuse(`line ${index + 1} is not a number of seconds: ${written.slice(0, 40)}`);
  });
  if (gapsSec.every((gap) => gap === 0)) refuse('holds no gap');
  return { name: file, gapsSec };
}
