/**
 * The parent's side of one render process: started without our environment, given one job, watched, and killed.
 *
 * A process ends in exactly one named way. The first of its endings (memory, time, the caller's signal, the process itself)
 * names the ending; everything later is ignored.
 */
import { fork, type ChildProcess, spawnSync } from 'node:child_process';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { DeckhandError } from '../../../domain/errors.ts';
import { memoryLimitBytes, type RenderLimits } from '../../../domain/decks/pdf.ts';
import { COMPILE_CACHE, confined } from './confinement.ts';
import { childMessage, type ChildMessage } from './child-message.ts';
import { PDF_FD, type Job } from './messages.ts';
import type { RendererName } from './renderer.ts';

/** What a process is made ready for: drawing with a renderer, or a probe, which draws nothing and starts in half the time. */
export type Purpose = RendererName | 'probe';

/** How a job ended. */
export type Ending =
  /** The job was done; pages that failed one by one have been reported as messages. */
  | { readonly kind: 'finished' }
  /** The process named an error of the whole document. */
  | { readonly kind: 'failed'; readonly error: DeckhandError }
  /** One step (opening, or one page) took longer than allowed. */
  | { readonly kind: 'timeout'; readonly message: string }
  /** The whole call took longer than allowed. */
  | { readonly kind: 'deadline'; readonly message: string }
  | { readonly kind: 'memory'; readonly message: string }
  /** The process broke down by itself. */
  | { readonly kind: 'crashed'; readonly message: string }
  /** Somebody else killed the process (an operator, the kernel): that says nothing about the page. */
  | { readonly kind: 'lost'; readonly message: string };

export interface JobOptions {
  /** The document, or the pictures of a job that reads quotes again; the process gets its bytes and never its path. */
  readonly pdfPath: string;
  readonly signal: AbortSignal;
  readonly limits: RenderLimits;
  /** When the whole call must be over, on the clock of `performance.now()`, in milliseconds. */
  readonly deadlineMs: number;
  /** Gets everything that the process says about pages. */
  readonly onMessage: (message: ChildMessage) => void;
}

const SCRIPT = fileURLToPath(new URL('./child.ts', import.meta.url));
const WATCH_INTERVAL_MS = 100;
/** Starting takes a fraction of a second; on an overloaded machine it may take long, but a process that never starts must be noticed. */
const START_TIMEOUT_MS = 60_000;
const STDERR_KEPT = 4000;

/** One render process; it does one job. */
export class RenderProcess {
  readonly purpose: Purpose;
  readonly #child: ChildProcess;
  /** Resolves to true when the process is ready for its job, to false when it ended before. */
  readonly started: Promise<boolean>;
  #stderr = '';
  /** Set once; the reason why the process is over or about to be. */
  #ending: Ending | undefined;
  #onMessage: ((message: ChildMessage) => void) | undefined;
  readonly #ended = Promise.withResolvers<Ending>();

  /** Starts a process that loads what its purpose needs ahead of its job. */
  constructor(purpose: Purpose) {
    this.purpose = purpose;
    this.#child = fork(SCRIPT, [purpose], {
      // Nothing of our environment: a process that parses hostile files has no use for our credentials.
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
      ...confined(),
      // Nothing is written to standard input; while it is open, the parent runs. The last pipe is the PDF.
      stdio: ['pipe', 'ignore', 'pipe', 'ipc', 'pipe'],
      serialization: 'json',
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.started = promise;
    void this.#ended.promise.then(() => resolve(false));
    this.#child.on('message', (raw) => {
      const parsed = childMessage.safeParse(raw);
      if (!parsed.success)
        this.#end({ kind: 'crashed', message: `the render process said something unknown: ${parsed.error.message}` });
      else if (parsed.data.type === 'ready') resolve(true);
      else this.#onMessage?.(parsed.data);
    });
    this.#child.on('error', (error) =>
      this.#end({ kind: 'crashed', message: `the render process could not be run: ${error.message}` }),
    );
    this.#child.stdin?.on('error', () => undefined);
    // A process that ends before it has read everything says why by its end.
    this.#pdfPipe?.on('error', () => undefined);
    // 'close' comes after the last message, 'exit' may come before it.
    this.#child.on('close', (code, signal) => this.#end(this.#breakdown(code, signal)));
    // An idle process must not keep its parent alive.
    this.#ref(false);
  }

  /** Process id; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False once the process is over or being killed. */
  get alive(): boolean {
    return this.#ending === undefined;
  }

  /** Ends the process at once. */
  kill(): void {
    this.#end({ kind: 'lost', message: 'the render process was ended' });
  }

  /**
   * Runs the process's one job and ends the process.
   *
   * @throws the reason of the signal when that aborts; DeckhandError `internal` when the process cannot even start
   */
  async run(job: Job, options: JobOptions): Promise<Ending> {
    const { signal, limits, deadlineMs } = options;
    this.#ref(true);
    const onAbort = (): void => this.kill();
    signal.addEventListener('abort', onAbort, { once: true });
    let watch: NodeJS.Timeout | undefined;
    try {
      if (signal.aborted) this.kill();
      await this.#start();

      const mostBytes = memoryLimitBytes(limits, sizeOf(options.pdfPath));
      let stepDeadlineMs = performance.now() + limits.pageTimeoutMs;
      this.#onMessage = (message) => {
        stepDeadlineMs = performance.now() + limits.pageTimeoutMs;
        if (message.type === 'failed') this.#end({ kind: 'failed', error: errorOf(message) });
        else if (message.type === 'finished') this.#end({ kind: 'finished' });
        else options.onMessage(message);
      };
      watch = setInterval(() => {
        const now = performance.now();
        const memoryBytes = residentBytes(this.pid);
        if (memoryBytes > mostBytes) this.#end({ kind: 'memory', message: `needed more than ${toMiB(mostBytes)} MiB` });
        else if (now > deadlineMs) this.#end({ kind: 'deadline', message: 'the deck took longer than allowed' });
        else if (now > stepDeadlineMs)
          this.#end({ kind: 'timeout', message: `took longer than ${limits.pageTimeoutMs} ms` });
      }, WATCH_INTERVAL_MS);
      if (this.alive) this.#child.send(job, (error) => error && this.#end({ kind: 'lost', message: error.message }));
      this.#sendPdf(options.pdfPath);

      const ending = await this.#ended.promise;
      signal.throwIfAborted();
      return ending;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      this.kill();
    }
  }

  /** Waits until the process is ready or over. */
  async #start(): Promise<void> {
    const timer = setTimeout(
      () => this.#end({ kind: 'crashed', message: 'the render process did not start' }),
      START_TIMEOUT_MS,
    );
    const started = await this.started;
    clearTimeout(timer);
    if (!started && this.#ending?.kind === 'crashed') throw new DeckhandError('internal', this.#ending.message);
  }

  get #pdfPipe(): Writable | undefined {
    const pipe = this.#child.stdio[PDF_FD];
    return pipe instanceof Writable ? pipe : undefined;
  }

  #sendPdf(pdfPath: string): void {
    const pipe = this.#pdfPipe;
    if (pipe === undefined) return;
    const source = createReadStream(pdfPath);
    source.on('error', ({ message }) =>
      this.#end({ kind: 'failed', error: new DeckhandError('internal', `the PDF cannot be read: ${message}`) }),
    );
    void this.#ended.promise.then(() => source.destroy());
    source.pipe(pipe);
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#child.kill('SIGKILL');
    this.#ended.resolve(ending);
  }

  #breakdown(code: number | null, signal: NodeJS.Signals | null): Ending {
    const detail = this.#stderr.trim().split('\n').slice(-3).join(' | ');
    if (/out of memory|Allocation failed|memory access out of bounds|bad_alloc/i.test(this.#stderr))
      return { kind: 'memory', message: detail };
    if (signal === 'SIGKILL' || signal === 'SIGTERM')
      return { kind: 'lost', message: `the render process was killed (${signal})` };
    return { kind: 'crashed', message: `the render process ended with ${signal ?? `code ${code}`}: ${detail}` };
  }

  #ref(on: boolean): void {
    const call = on ? 'ref' : 'unref';
    this.#child[call]();
    this.#child.channel?.[call]();
    // The streams of a child are sockets, which Node's types do not say.
    for (const stream of [this.#child.stdin, this.#child.stderr, this.#pdfPipe ?? null])
      (stream as unknown as { ref(): void; unref(): void } | null)?.[call]();
  }
}

function errorOf({ code, message, userMessage, hint }: ChildMessage & { type: 'failed' }): DeckhandError {
  return new DeckhandError(code, message, hint === undefined ? { userMessage } : { userMessage, hint });
}

/** Bytes of a file; 0 where it is gone, which its reading reports. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function toMiB(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/**
 * How much memory a process really uses, looked at from outside.
 *
 * An address-space limit would be simpler, but V8 and WebAssembly reserve far more address space than they use.
 */

/** Linux counts in pages of 4 KiB on every machine Node is released for, except some arm64 kernels; there this errs to the low side. */
const PAGE_BYTES = 4096;

/** Resident bytes of a process; 0 when it is gone or the platform does not say. */
function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return process.platform === 'linux' ? residentFromProc(pid) : residentFromPs(pid);
}

function residentFromProc(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch {
    // The process ended between two looks, which its own exit reports.
    return 0;
  }
}

/** macOS and the BSDs; where there is no `ps`, only the time limits are left. */
function residentFromPs(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 });
  return Number.parseInt(stdout ?? '', 10) * 1024 || 0;
}
