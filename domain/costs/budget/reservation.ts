/**
 * What a machine and its disk ask of the purse: when they are bought, and for as long as they are there.
 *
 * A machine that is bought needs a whole reservation, one that runs takes what it can get: it is used until just its way out is left. While
 * it goes on, room is left for the disks that are kept until the end of each cap's window, so that the machine ends first and its disk
 * stays.
 */
import type { Decimal } from 'decimal.js';
import { allowedUntil, type Asked, type Purse } from './allowance.ts';
import type { LeaseTimes } from './lease.ts';
import type { Claim } from './types.ts';
import { windowAt } from './windows.ts';

/** What is bought. */
export interface Purchase {
  readonly usdPerHour: Decimal;
  readonly diskUsdPerHour: Decimal;
  /** Until when the disk's money is reserved already; null = it comes with the machine. */
  readonly diskUntilMs: number | null;
}

/** The reservations of a purchase made at that time: the machine's, then its disk's. */
export function purchaseClaims(
  { usdPerHour, diskUsdPerHour, diskUntilMs }: Purchase,
  { leaseMs, diskWayOutMs }: LeaseTimes,
  atMs: number,
): readonly [Claim, Claim] {
  const untilMs = atMs + leaseMs;
  const diskFromMs = Math.max(atMs, diskUntilMs ?? atMs);
  return [
    { usdPerHour, fromMs: atMs, untilMs },
    { usdPerHour: diskUsdPerHour, fromMs: diskFromMs, untilMs: Math.max(diskFromMs, untilMs + diskWayOutMs) },
  ];
}

/** A machine that runs, and what it shares the purse with. */
export interface Running {
  /** Reserved for it so far. */
  readonly machine: Claim;
  readonly disk: Claim | null;
  /** Kept disks of others. */
  readonly otherDisks: readonly Claim[];
  /** No disk is kept beyond this, ms since 1970. */
  readonly disksKeptUntilMs: number;
}

/** Until when a machine may be reserved at most now; null = not for longer than it is. */
export function renewMachine(purse: Purse, running: Running, times: LeaseTimes, nowMs: number): number | null {
  const { machine, disk, otherDisks, disksKeptUntilMs } = running;
  const fromMs = Math.max(machine.untilMs, nowMs);
  const ask =
    (untilMs: number): Asked =>
    (rule) => {
      const windowEndMs = windowAt(rule.period, untilMs, purse.timezone).untilMs;
      const roomUntilMs = Math.min(disksKeptUntilMs, windowEndMs);
      const own = disk === null ? [] : [longer(disk, Math.max(untilMs + times.diskWayOutMs, roomUntilMs), nowMs)];
      return [{ ...machine, fromMs, untilMs }, ...own, ...otherDisks.map((other) => longer(other, roomUntilMs, nowMs))];
    };
  return allowedUntil(purse, ask, fromMs + 1, Math.max(fromMs + 1, nowMs + times.leaseMs));
}

/** Until when a kept disk may be reserved at most now; null = not for longer than it is. */
export function renewDisk(purse: Purse, disk: Claim, times: LeaseTimes, nowMs: number): number | null {
  const fromMs = Math.max(disk.untilMs, nowMs);
  const mostMs = Math.max(fromMs + 1, nowMs + times.reserveMs + times.diskWayOutMs);
  return allowedUntil(purse, (untilMs) => () => [{ ...disk, fromMs, untilMs }], fromMs + 1, mostMs);
}

/** What a claim would take more if it lasted until then. */
const longer = (claim: Claim, untilMs: number, nowMs: number): Claim => {
  const fromMs = Math.max(claim.untilMs, nowMs);
  return { ...claim, fromMs, untilMs: Math.max(fromMs, untilMs) };
};

/** True when a reservation should be made longer. @param wayOutMs of the machine or of the disk */
export const isDue = ({ untilMs }: Claim, { reserveMs }: LeaseTimes, wayOutMs: number, nowMs: number): boolean =>
  untilMs - nowMs < Math.ceil(reserveMs / 2) + wayOutMs;

/** True when no more than the way out is left: it has to be taken now. */
export const isOut = ({ untilMs }: Claim, wayOutMs: number, nowMs: number): boolean => untilMs - nowMs <= wayOutMs;
