/** Versions of Temporal servers: read from what `temporal --version` prints, compared by major and minor number. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A server's version. */
export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The oldest server that Deckhand works with: the first with fair task queues. */
export const OLDEST_SERVER: ServerVersion = { major: 1, minor: 29, patch: 0 };

/** Reads `1.29.1`; undefined for anything else. */
export function parseServerVersion(text: string): ServerVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim());
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Reads the server's version from `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`; undefined where none is named. */
export function serverVersionOfCli(output: string): ServerVersion | undefined {
  const match = /\bServer\s+v?(\d+\.\d+\.\d+)/i.exec(output);
  return match?.[1] === undefined ? undefined : parseServerVersion(match[1]);
}

/** Negative when `a` is older than `b`. Patches count last. */
export function compareVersions(a: ServerVersion, b: ServerVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** True if a database that `maker` made can be opened by `server`: the schema only moves forward, with minor versions. */
export function canOpenDatabaseOf(server: ServerVersion, maker: ServerVersion): boolean {
  return server.major === maker.major && server.minor >= maker.minor;
}

export function formatVersion(version: ServerVersion): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}

/** Asks an executable for the version of the server inside it; undefined if it is none or does not run. */
export async function askServerVersion(executable: string): Promise<ServerVersion | undefined> {
  try {
    const { stdout } = await promisify(execFile)(executable, ['--version'], { timeout: 10_000 });
    return serverVersionOfCli(stdout);
  } catch {
    return undefined;
  }
}

/** Result of an attempt to get a server. */
export type ObtainOutcome = { readonly path: string } | { readonly problem: string };
