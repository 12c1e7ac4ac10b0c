/**
 * The whole of Deckhand for a test or benchmark: a runtime in a data directory of its own, and a built-in reader whose faults can be
 * scripted, as a process of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { afterEach, inject } from 'vitest';
import {
  type AnalysisStatusDocument,
  createDeckhandClient,
  type DeckhandClient,
  type StartOptions,
} from '../api/client.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { AnalysisReport, ReportQuestion } from '../domain/decks/report.ts';
import { DEFAULT_TENANT } from '../domain/tenant.ts';
import { loadConfig, type Config } from '../platform/config.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { clientApiKey } from '../platform/own-api-key.ts';
import { lastLogLines } from '../runtime/supervisor/child-logs.ts';
import { supervisorPaths } from '../runtime/supervisor/supervisor.ts';
import { startRuntime, type Runtime } from '../runtime/runtime.ts';
import { connectTemporal } from '../platform/temporal.ts';
import type { ReaderScriptInput } from '../simulators/ollama/script.ts';
import type { ReaderStats } from '../simulators/ollama/stats.ts';
import { perFile } from './per-file.ts';
import { shortenTemplates, type TemplateLength } from './short-template.ts';
import { sharedServers, type RuntimeServers } from './test-servers.ts';

/** Calls that the one gateway of a rig has in flight at most. */
export const SLOTS = 4;

export interface RigOptions {
  /** Brings servers to use instead of the runtime's own, such as those that test files share. */
  readonly servers?: () => Promise<RuntimeServers>;
  /** Extra arguments of the reader, such as `['--call-seconds', '0.5']`. */
  readonly readerArgs?: readonly string[];
  /** Ollama to use instead of a reader of our own; null = no model server at all. */
  readonly ollamaHost?: string | null;
  /** Program of a supervisor with other services. */
  readonly supervisorArgs?: readonly string[];
  readonly models?: string;
  /** Contents of the fleet file; none by default. */
  readonly fleet?: object;
  /** `whole` by default. */
  readonly template?: TemplateLength;
  /** Extra environment of the runtime. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a test file finds the stack that end-to-end files share (shared-stack.ts). */
interface SharedStack {
  /** Settings with which a process of this machine joins it. */
  readonly environment: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: SharedStack;
  }
}

/** A reader process. */
export interface ReaderProcess {
  readonly host: string;
  stats(): Promise<ReaderStats>;
  script(script: ReaderScriptInput): Promise<void>;
  stop(): Promise<void>;
}

export interface SharedRig {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly client: DeckhandClient;
  readonly db: PrismaClient;
  readonly temporal: Client;
  /** Writes bytes to a file and uploads it. Returns the deck's id. */
  upload(bytes: Uint8Array, fileName?: string): Promise<string>;
  /** Starts an analysis and waits for its end. */
  review(deckId: string, options?: StartOptions): Promise<AnalysisReport>;
  /** Where an analysis stands. */
  analysis(id: string): Promise<AnalysisStatusDocument>;
  /** Waits for the end of an analysis. */
  ended(analysisId: string): Promise<void>;
  /** Process ids of a service, such as `gateway`. */
  pidOf(service: string): Promise<number>;
  /** The last lines of the services' logs. */
  logEnds(): string;
  stop(): Promise<void>;
}

/** A stack of a test file's own. */
export interface Rig extends SharedRig {
  /** Undefined when another Ollama is used. */
  readonly reader: ReaderProcess | undefined;
}

/** A rig with a reader of its own, whose faults a test scripts. */
export interface ScriptedRig extends Rig {
  readonly reader: ReaderProcess;
}

/** Services whose logs say why a deck does not go on. */
const LOGGED_SERVICES = ['supervisor', 'api', 'control', 'convert', 'gateway'];
const LOG_END_LINES = 15;
const LOG_LINE_CHARS = 600;
const logEnd = (logDir: string, service: string): string => {
  const lines = lastLogLines(logDir, service, LOG_END_LINES).map((line) => line.slice(0, LOG_LINE_CHARS));
  return ['', `the end of ${service}.log:`, ...lines, ''].join('\n');
};

const ROOT = path.resolve(import.meta.dirname, '..');

/** Starts a reader on a free port. */
export async function startReaderProcess(args: readonly string[] = []): Promise<ReaderProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [path.join(ROOT, 'simulators/ollama/main.ts'), '--exit-with-parent', ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const { stdout } = child;
  if (stdout === null) throw new Error('the reader has no stdout');
  const [line] = (await once(stdout, 'data')) as [Buffer];
  const { listening } = JSON.parse(line.toString('utf8')) as { listening: number };
  const host = `http://127.0.0.1:${listening}`;
  return {
    host,
    stats: async () => (await fetch(`${host}/_control/stats`)).json() as Promise<ReaderStats>,
    script: async (script) => {
      const response = await fetch(`${host}/_control/script`, { method: 'POST', body: JSON.stringify(script) });
      if (!response.ok) throw new Error(`script refused: ${await response.text()}`);
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Questions of a report, over all its chapters. */
export const questionsOf = (report: AnalysisReport): ReportQuestion[] => report.chapters.flatMap((c) => c.questions);

/** A rig of this test file on the shared servers. After each test its reader has no faults any more. */
export function rigPerFile(options: Omit<RigOptions, 'ollamaHost' | 'servers'> = {}): ScriptedRig {
  const rig = perFile(() => startScriptedRig({ servers: sharedServers, ...options }));
  afterEach(() => rig.reader.script({}));
  return rig;
}

/** {@link startRig} with a reader of its own. */
export async function startScriptedRig(options: Omit<RigOptions, 'ollamaHost'> = {}): Promise<ScriptedRig> {
  const rig = await startRig(options);
  if (rig.reader === undefined) throw new Error('this rig has no reader of its own');
  return { ...rig, reader: rig.reader };
}

/** Starts everything. Takes a few seconds; share one rig per test file. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-rig-'));
  const models = options.models ?? 'reader';
  const servers = await options.servers?.();
  const reader = options.ollamaHost === undefined ? await startReaderProcess(options.readerArgs) : undefined;
  const config = loadConfig({
    ...loadConfig().environment,
    DECKHAND_HOME: home,
    ...(options.ollamaHost === null ? {} : { OLLAMA_HOST: options.ollamaHost ?? reader?.host }),
    DECKHAND_MODELS: models,
    ...servers?.environment,
    ...options.environment,
  });
  if (options.fleet !== undefined) writeFileSync(config.fleetFile, JSON.stringify(options.fleet));
  const { supervisorArgs } = options;
  const runtime = await startRuntime(config, { models, ...(supervisorArgs && { supervisorArgs }) });
  const rig = await connectRig(config, models, runtime, async () => {
    await runtime.stop();
    await servers?.release();
    await reader?.stop();
    rmSync(home, { recursive: true, force: true });
  });
  if (options.template === 'short') await shortenTemplates(rig.db, DEFAULT_TENANT);
  return { ...rig, reader };
}

/** The stack that end-to-end files share. For files that kill nothing, script no fault and count only what is theirs. */
export async function joinSharedStack(): Promise<SharedRig> {
  const { environment } = inject('stack');
  const config = loadConfig({ ...loadConfig().environment, ...environment });
  const runtime = await startRuntime(config, { models: 'reader' });
  return connectRig(config, 'reader', runtime, () => runtime.stop());
}

/** The clients of a running stack. @param end called after they were closed */
async function connectRig(
  config: Config,
  models: string,
  runtime: Runtime,
  end: () => Promise<void>,
): Promise<SharedRig> {
  const db = createDatabase(runtime.databaseUrl, { applicationName: 'deckhand-test', poolSize: 4 });
  const temporal = await connectTemporal(
    { address: runtime.temporalAddress, namespace: runtime.temporalNamespace },
    config,
  );
  // As a command on this machine would: with the data directory's own key.
  const client = createDeckhandClient(runtime.apiUrl, { apiKey: clientApiKey(config) });
  const files = mkdtempSync(path.join(config.home, 'files-'));

  const ended = async (analysisId: string): Promise<void> => {
    for await (const event of client.events(analysisId)) if (event.type === 'finished') break;
  };
  return {
    config,
    runtime,
    client,
    db,
    temporal,
    upload: async (bytes, fileName = 'deck.pdf') => {
      const file = path.join(files, fileName);
      writeFileSync(file, bytes);
      return (await client.uploadDeck(file)).id;
    },
    review: async (deckId, start = {}) => {
      const { analysisId } = await client.startAnalysis(deckId, { models, ...start });
      await ended(analysisId);
      return client.report(analysisId);
    },
    analysis: (id) => client.GET('/analyses/{id}', { params: { path: { id } } }),
    ended,
    pidOf: async (service) => {
      const { children } = await runtime.status();
      const pid = children.find((c) => c.name === service)?.pid;
      if (pid === undefined || pid === null) throw new Error(`${service} does not run`);
      return pid;
    },
    logEnds: () => LOGGED_SERVICES.map((service) => logEnd(supervisorPaths(config.home).logDir, service)).join(''),
    stop: async () => {
      await temporal.connection.close();
      await closeDatabase(db);
      await end();
    },
  };
}
