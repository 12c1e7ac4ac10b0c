/**
 * What the XID errors of NVIDIA's driver mean for a machine, as far as something is to be done about them. Those that are not here are
 * notes of the driver (63 and 92: rows were remapped as they should be; 43: an application was stopped) or have no remedy of ours.
 *
 * Follows NVIDIA's catalogue of XID errors and the action it names for each.
 */
import type { HealthFailure } from './types.ts';

type XidFailure = Extract<HealthFailure, 'gpu_app_error' | 'gpu_reset_needed' | 'gpu_lost'>;

/** A memory error that cost only the application: it is counted like others, while those that were not contained have numbers of their own (48, 95). */
export const XID_CONTAINED = 94;

const APPLICATION: readonly number[] = [13, 31, 94];
const RESET: readonly number[] = [48, 62, 64, 74, 95, 109, 119, 120, 140];
const OFF_THE_BUS: readonly number[] = [79];

const FAILURES: ReadonlyMap<number, XidFailure> = new Map([
  ...APPLICATION.map((xid): [number, XidFailure] => [xid, 'gpu_app_error']),
  ...RESET.map((xid): [number, XidFailure] => [xid, 'gpu_reset_needed']),
  ...OFF_THE_BUS.map((xid): [number, XidFailure] => [xid, 'gpu_lost']),
]);

/** What an XID error means; null = nothing is done about it. */
export const failureOfXid = (xid: number): XidFailure | null => FAILURES.get(xid) ?? null;
