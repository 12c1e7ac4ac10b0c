/** Sums of a simulated month that its figures share. */
import type { MonthResult } from './simulate.ts';

/** The whole bill, USD. */
export const total = (m: MonthResult): number => m.machineUsd + m.storageUsd;

/** What was saved against machines that are always on, as a share. */
export const saved = (m: MonthResult): number => 1 - total(m) / m.alwaysOnUsd;

/** What one who knows each gap would have saved, as a share. */
export const savedByClairvoyant = (m: MonthResult): number => 1 - m.clairvoyantUsd / m.alwaysOnUsd;

/** @param values at least one */
export const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
