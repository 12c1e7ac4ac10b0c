/**
 * One finding of a diagnosis, and the whole report of them.
 */
import { plainText } from '../../../text/plain-text.ts';
import type { EngineFit } from './engines.ts';

/** `skipped` = could not be checked; `found` says why. */
export const FINDING_LEVELS = ['ok', 'warn', 'fail', 'skipped'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** Areas of the report, in order. */
export const FINDING_AREAS = ['driver', 'GPU', 'model server', 'settings', 'disk', 'models'] as const;

/** Result of one check. */
export interface GpuFinding {
  readonly area: (typeof FINDING_AREAS)[number];
  readonly name: string;
  readonly level: FindingLevel;
  /** What was found, for people. */
  readonly found: string;
  /** What to do; null when nothing is. */
  readonly fix: string | null;
  /** Share that is used or needed, 1 = all; null where there is none. */
  readonly share: number | null;
}

/** The whole report. */
export interface GpuDiagnosis {
  readonly target: string;
  readonly atMs: number;
  /** The worst of its findings. */
  readonly level: Exclude<FindingLevel, 'skipped'>;
  readonly findings: readonly GpuFinding[];
  /** Whether each engine runs here; says nothing of the level. */
  readonly engines: readonly EngineFit[];
}

const LONGEST_NAME = 120;
const LONGEST_FOUND = 1000;

/** Makers of the findings of one area, by level. */
export function findingsIn(area: GpuFinding['area']) {
  const finding =
    (level: FindingLevel) =>
    (name: string, found: string, fix: string | null = null): GpuFinding => ({
      area,
      name: plainText(name, LONGEST_NAME),
      level,
      // It quotes the machine, which is not trusted: its words must not steer a terminal.
      found: plainText(found, LONGEST_FOUND),
      fix,
      share: null,
    });
  return { ok: finding('ok'), warn: finding('warn'), fail: finding('fail'), skipped: finding('skipped') };
}

const GIB = 1024 ** 3;
/** Bytes for people. */
export const gib = (bytes: number): string => `${(bytes / GIB).toFixed(bytes < 10 * GIB ? 1 : 0)} GiB`;
