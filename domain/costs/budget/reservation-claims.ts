/**
 * The claims of a machine and its disk: when they are bought, and while they exist.
 *
 * A purchase needs a full reservation. A running machine is renewed as far as the caps allow, and is used until only its wind-down time is
 * left. A renewal sets money aside for kept disks until the end of each cap's window, so that the machine ends first and its disk is kept.
 */
import type { Decimal } from 'decimal.js';
import { allowedUntil, type Asked, type Caps } from './allowance.ts';
import type { ReservationTimes } from './reservation-times.ts';
import type { Claim } from './types.ts';
import { windowAt } from './windows.ts';

/** A machine to buy, with its disk. */
export interface Purchase {
  readonly usdPerHour: Decimal;
  readonly diskUsdPerHour: Decimal;
  /** Until when the disk is reserved already, ms since 1970; null = the disk is created with the machine. */
  readonly diskUntilMs: number | null;
}

/** The claims of a purchase made at `atMs`: the machine's, then its disk's. */
export function purchaseClaims(
  { usdPerHour, diskUsdPerHour, diskUntilMs }: Purchase,
  { initialMs, diskWindDownMs }: ReservationTimes,
  atMs: number,
): readonly [Claim, Claim] {
  const untilMs = atMs + initialMs;
  const diskFromMs = Math.max(atMs, diskUntilMs ?? atMs);
  return [
    { usdPerHour, fromMs: atMs, untilMs },
    { usdPerHour: diskUsdPerHour, fromMs: diskFromMs, untilMs: Math.max(diskFromMs, untilMs + diskWindDownMs) },
  ];
}

/** A running machine, and the disks that share the caps with it. */
export interface Running {
  /** Its reservation so far. */
  readonly machine: Claim;
  readonly disk: Claim | null;
  /** Kept disks of other instances. */
  readonly otherDisks: readonly Claim[];
  /** No disk is kept beyond this, ms since 1970. */
  readonly disksKeptUntilMs: number;
}

/** Latest time until which a machine may be reserved now, ms since 1970; null = no extension is possible. */
export function renewMachine(caps: Caps, running: Running, times: ReservationTimes, nowMs: number): number | null {
  const { machine, disk, otherDisks, disksKeptUntilMs } = running;
  const fromMs = Math.max(machine.untilMs, nowMs);
  const ask =
    (untilMs: number): Asked =>
    (rule) => {
      const windowEndMs = windowAt(rule.period, untilMs, caps.timezone).untilMs;
      const roomUntilMs = Math.min(disksKeptUntilMs, windowEndMs);
      const own = disk === null ? [] : [longer(disk, Math.max(untilMs + times.diskWindDownMs, roomUntilMs), nowMs)];
      return [{ ...machine, fromMs, untilMs }, ...own, ...otherDisks.map((other) => longer(other, roomUntilMs, nowMs))];
    };
  return allowedUntil(caps, ask, fromMs + 1, Math.max(fromMs + 1, nowMs + times.initialMs));
}

/** Latest time until which a kept disk may be reserved now, ms since 1970; null = no extension is possible. */
export function renewDisk(caps: Caps, disk: Claim, times: ReservationTimes, nowMs: number): number | null {
  const fromMs = Math.max(disk.untilMs, nowMs);
  const mostMs = Math.max(fromMs + 1, nowMs + times.reserveMs + times.diskWindDownMs);
  return allowedUntil(caps, (untilMs) => () => [{ ...disk, fromMs, untilMs }], fromMs + 1, mostMs);
}

/** The additional claim of an extension until `untilMs`. */
const longer = (claim: Claim, untilMs: number, nowMs: number): Claim => {
  const fromMs = Math.max(claim.untilMs, nowMs);
  return { ...claim, fromMs, untilMs: Math.max(fromMs, untilMs) };
};

/** True when a reservation should be extended. @param windDownMs of the machine or of the disk */
export const isDue = (
  { untilMs }: Claim,
  { reserveMs }: ReservationTimes,
  windDownMs: number,
  nowMs: number,
): boolean => untilMs - nowMs < Math.ceil(reserveMs / 2) + windDownMs;

/** True when no more than the wind-down time is left, so the machine or disk has to be ended now. */
export const isUsedUp = ({ untilMs }: Claim, windDownMs: number, nowMs: number): boolean =>
  untilMs - nowMs <= windDownMs;
