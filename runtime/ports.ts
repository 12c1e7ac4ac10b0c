/**
 * Ports: the usual one where it is free, another where it is taken, the same again at the next start.
 *
 * Between finding a port free and a child binding it another Deckhand may find it free too. So a port is reserved by a kernel lock in
 * the user's cache directory for as long as this process lives. If another program takes the port, another port is tried.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort, { portNumbers } from 'get-port';
import { z } from 'zod';
import { tryFileLock } from '../platform/processes/file-lock.ts';
import type { FileLock } from '../platform/processes/file-lock.ts';
import { writeFileAtomically } from '../platform/processes/records.ts';

const rememberedSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

/** Gives out ports for one data directory. */
export class PortBook {
  readonly #file: string;
  readonly #reservationDir: string;
  readonly #reservations = new Map<number, FileLock>();

  constructor(home: string, cacheDir: string) {
    this.#file = join(home, 'run', 'ports.json');
    this.#reservationDir = join(cacheDir, 'ports');
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  }

  #remembered(): Record<string, number> {
    try {
      return rememberedSchema.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      // First start, or a file from elsewhere: there is just nothing to prefer.
      return {};
    }
  }

  /**
   * Reserves a free loopback port and remembers it under `name`.
   *
   * @param name what listens there, e.g. `postgres`
   * @param usual the port people expect; its next neighbours come second
   * @param avoid ports that were tried and failed
   */
  async reserve(name: string, usual: number, avoid: ReadonlySet<number> = new Set()): Promise<number> {
    const remembered = this.#remembered();
    const before = remembered[name];
    const preferred = [...(before === undefined ? [] : [before]), ...portNumbers(usual, Math.min(usual + 9, 65_535))];
    const excluded = new Set<number>([...avoid, ...this.#reservations.keys()]);
    for (;;) {
      const port = await getPort({ port: preferred, exclude: [...excluded] });
      const lock = tryFileLock(join(this.#reservationDir, `${port}.lock`));
      if (lock !== undefined) {
        this.#reservations.set(port, lock);
        writeFileAtomically(this.#file, `${JSON.stringify({ ...remembered, [name]: port })}\n`);
        return port;
      }
      excluded.add(port);
    }
  }
}
