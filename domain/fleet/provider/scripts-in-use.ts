/**
 * Which startup scripts at a provider a boot may still name; all others of this installation can go.
 */

/** A script of ours at the provider. */
export interface ListedScript {
  readonly id: string;
  /** From its name; equal texts have equal ones. */
  readonly fingerprint: string;
  readonly createdAtMs: number;
}

/**
 * Scripts that a boot may name: those that the pools use now and, while an instance lives that was born before the newest of them was
 * made, all: it may boot once more by the configuration it was born with.
 *
 * @param fingerprints of the scripts of all pools as they are configured now
 * @param oldestBirthMs when the oldest living instance was born; null = none lives
 */
export function scriptsInUse(
  scripts: readonly ListedScript[],
  fingerprints: ReadonlySet<string>,
  oldestBirthMs: number | null,
): readonly ListedScript[] {
  const present = scripts.filter((script) => fingerprints.has(script.fingerprint));
  const newestMs = Math.max(-Infinity, ...present.map((script) => script.createdAtMs));
  const mayUseOlder = oldestBirthMs !== null && (present.length === 0 || oldestBirthMs <= newestMs);
  return mayUseOlder ? scripts : present;
}
