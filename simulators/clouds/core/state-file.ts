/**
 * A simulator's state on disk: one JSON file, replaced as a whole, so that it is never half written.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export class StateFile<State> {
  readonly path: string;

  constructor(file: string) {
    this.path = path.resolve(file);
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
  }

  /** Null when there is none yet. @throws Error with one readable line when it is not a state file */
  read(): State | null {
    if (!existsSync(this.path)) return null;
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as State;
    } catch (error) {
      throw new Error(`${this.path} is not the state of a simulator (${String(error)}); delete it to start anew`, {
        cause: error,
      });
    }
  }

  write(state: State): void {
    const next = `${this.path}.next`;
    writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
    renameSync(next, this.path);
  }
}
