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

  /** @param first the port of its first attempt, where it is reserved already; other parameters as of {@link reserve} */
  forChild(name: string, usual: number, first?: number): ChildPort {
    return new ChildPort((failed) =>
      first === undefined || failed.size > 0 ? this.reserve(name, usual, failed) : Promise.resolve(first),
    );
  }
}

/** The port of a child, which gets another one with each attempt to start it. */
export class ChildPort {
  /** 0 before the first attempt. */
  number = 0;
  readonly #reserve: (failed: ReadonlySet<number>) => Promise<number>;
  readonly #failed = new Set<number>();
  #attempt = 0;

  constructor(reserve: (failed: ReadonlySet<number>) => Promise<number>) {
    this.#reserve = reserve;
  }

  /** Sets the port of an attempt. @returns false where it is set already */
  async choose(attempt: number): Promise<boolean> {
    if (attempt === this.#attempt) return false;
    if (this.number !== 0) this.#failed.add(this.number);
    this.number = await this.#reserve(this.#failed);
    this.#attempt = attempt;
    return true;
  }
}
