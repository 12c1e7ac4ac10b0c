/**
 * One finding of a diagnosis, and the whole report of them.
 */
import { plainText } from '../../../text/plain-text.ts';

/** `skipped` = could not be looked at; `found` says why. */
export const FINDING_LEVELS = ['ok', 'warn', 'fail', 'skipped'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** What was looked at, in the order of the report. */
export const FINDING_AREAS = ['driver', 'GPU', 'model server', 'settings', 'disk', 'models'] as const;

/** What was found of one thing that was looked at. */
export interface GpuFinding {
  readonly area: (typeof FINDING_AREAS)[number];
  readonly name: string;
  readonly level: FindingLevel;
  /** What was found, for people. */
  readonly found: string;
  /** What to do; null when nothing is. */
  readonly fix: string | null;
  /** How much of what there is is used or needed, 1 = all of it; null where that makes no sense. */
  readonly share: number | null;
}

/** The whole report. */
export interface GpuDiagnosis {
  readonly target: string;
  readonly atMs: number;
  /** The worst of its findings. */
  readonly level: Exclude<FindingLevel, 'skipped'>;
  readonly findings: readonly GpuFinding[];
}

const LONGEST_NAME = 120;
const LONGEST_FOUND = 1000;

const finding =
  (level: FindingLevel) =>
  (area: GpuFinding['area'], name: string, found: string, fix: string | null = null): GpuFinding => ({
    area,
    name: plainText(name, LONGEST_NAME),
    level,
    // It quotes the machine, which is not trusted: its words must not steer a terminal.
    found: plainText(found, LONGEST_FOUND),
    fix,
    share: null,
  });

/** Makers of findings, by level. */
export const ok = finding('ok');
export const warn = finding('warn');
export const fail = finding('fail');
export const skipped = finding('skipped');

const GIB = 1024 ** 3;
/** Bytes for people. */
export const gib = (bytes: number): string => `${(bytes / GIB).toFixed(bytes < 10 * GIB ? 1 : 0)} GiB`;
