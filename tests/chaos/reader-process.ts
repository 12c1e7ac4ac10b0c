/**
 * The model server of a chaos run: a reader that can be killed with -9 and started again on its port, and whose calls are counted over all
 * its lives.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReaderScriptInput } from '../../simulators/ollama/script.ts';
import type { ReaderStats } from '../../simulators/ollama/stats.ts';
import type { ReaderProcess } from '../../testing/rig.ts';
import { callsOf, type ReaderCall } from './reader-calls.ts';

const MAIN = path.resolve(import.meta.dirname, '../../simulators/ollama/main.ts');

/** A reader process with several lives. */
export class KillableReader implements ReaderProcess {
  readonly #args: readonly string[];
  readonly #directory: string;
  #port = 0;
  #lives = 0;
  #child: ChildProcess | undefined;
  #script: ReaderScriptInput | undefined;
  #listens = false;

  private constructor(directory: string, args: readonly string[]) {
    this.#directory = directory;
    this.#args = args;
  }

  /** @param directory where journals are written */
  static async start(directory: string, args: readonly string[] = []): Promise<KillableReader> {
    const reader = new KillableReader(directory, args);
    await reader.revive();
    return reader;
  }

  get host(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Every call of all lives, in order. */
  calls(): ReaderCall[] {
    return Array.from({ length: this.#lives }, (_, index) => {
      const file = this.#journal(index + 1);
      return existsSync(file) ? callsOf(readFileSync(file, 'utf8')) : [];
    }).flat();
  }

  async stats(): Promise<ReaderStats> {
    return (await fetch(`${this.host}/_control/stats`)).json() as Promise<ReaderStats>;
  }

  /** Also holds for later lives. */
  async script(script: ReaderScriptInput): Promise<void> {
    this.#script = script;
    if (this.#listens) await this.#postScript(script);
  }

  /** Ends it like a crash. Does nothing when it is dead. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Starts it again where it was. Does nothing while it lives. */
  async revive(): Promise<void> {
    if (this.#child !== undefined) return;
    this.#lives += 1;
    const own = ['--exit-with-parent', '--port', String(this.#port), '--journal', this.#journal(this.#lives)];
    const child = spawn(process.execPath, [MAIN, ...own, ...this.#args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const ended = once(child, 'exit').then(() => null);
    const said = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer] | null;
    if (said === null) {
      // Killed while it started: the code that killed it starts it again.
      if (this.#child !== child) return;
      throw new Error(`the reader ended while it started (${child.exitCode ?? child.signalCode})`);
    }
    // Killed in the very moment: its words are those of a dead one.
    if (this.#child !== child) return;
    const [line] = said;
    this.#port = (JSON.parse(line.toString('utf8')) as { listening: number }).listening;
    this.#listens = true;
    if (this.#script !== undefined) await this.#postScript(this.#script);
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#listens = false;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async #postScript(script: ReaderScriptInput): Promise<void> {
    let response: Response;
    try {
      response = await fetch(`${this.host}/_control/script`, { method: 'POST', body: JSON.stringify(script) });
    } catch (error) {
      // Killed meanwhile: its next life gets it.
      if (!this.#listens) return;
      throw error;
    }
    if (!response.ok) throw new Error(`script refused: ${await response.text()}`);
  }

  #journal(life: number): string {
    return path.join(this.#directory, `reader-${life}.jsonl`);
  }
}
