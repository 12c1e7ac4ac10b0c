/**
 * The embedded Temporal: the development server with its UI, kept durable in `<home>/temporal/temporal.db`.
 *
 * Which server made a database is written beside it: an older one must not open it. Write-ahead logging makes the same two cores
 * carry five times the activities of the default journal, and loses nothing when the process is killed.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { z } from 'zod';
import type { Config } from '../platform/config.ts';
import { privateLoopbackAddress } from '../platform/private-loopback.ts';
import type { ChildSpec, Launch } from './supervisor/managed-child.ts';
import { tcpAnswers, httpAnswers } from './supervisor/probes.ts';
import { writeFileAtomically } from '../platform/processes/records.ts';
import type { PortBook } from './ports.ts';
import { findOrBuildTemporal, type TemporalBinary } from './temporal-find.ts';
import { temporalAnswers } from './temporal-settings.ts';
import { formatVersion, parseServerVersion, type ServerVersion } from './temporal-version.ts';

const USUAL_PORT = 7233;

/** Settings of the server, as JSON. */
const DYNAMIC_CONFIG: Readonly<Record<string, string>> = {
  // Priorities and fairness between tenants need the new matcher; one partition keeps the order of a queue exact.
  'matching.useNewMatcher': 'true',
  'matching.enableFairness': 'true',
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // The HTTP API takes commands from any web page, and no flag leaves it out: no Host header can be this. Nexus would be another way in.
  'frontend.httpAllowedHosts': '["/"]',
  'system.enableNexus': 'false',
  // A history is deleted once the queues have noted that its run's end went through them; every 30 s would have deletions wait for that.
  'history.transferProcessorUpdateAckInterval': '"2s"',
  'history.visibilityProcessorUpdateAckInterval': '"2s"',
};

const SQLITE_PRAGMAS = ['journal_mode=WAL', 'synchronous=1'] as const;

const makerSchema = z.object({ serverVersion: z.string(), path: z.string() });

/** An embedded Temporal that is about to be started. */
export interface EmbeddedTemporal {
  readonly spec: ChildSpec;
  readonly binary: TemporalBinary;
  /** `host:port` of the server; known once the child is ready. */
  address(): string;
  /** Of the UI itself, which answers every request: only its front calls it. */
  uiUrl(): string;
}

function makerFile(config: Config): string {
  return join(config.home, 'temporal', 'made-by.json');
}

/** Version of the server that last opened the database of this data directory; undefined if there is no database. */
export function databaseMaker(config: Config): ServerVersion | undefined {
  const file = makerFile(config);
  if (!existsSync(file)) return undefined;
  const parsed = makerSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parseServerVersion(parsed.data.serverVersion) : undefined;
}

/** The CLI's own variables would point it somewhere else; ours hold what the server must not know, such as the payload keys. */
export function temporalEnvironment(config: Config): Record<string, string | undefined> {
  const foreign = Object.entries(config.environment).filter(
    ([name]) => !/^(TEMPORAL|DECKHAND|DATACRUNCH)_/u.test(name),
  );
  return { ...Object.fromEntries(foreign), DATABASE_URL: undefined };
}

/**
 * Prepares the embedded Temporal: finds or gets the server.
 *
 * @param codecUrl where its UI has payloads decrypted; undefined = nowhere
 * @throws DeckhandError `dependency_missing` when no server can be had
 */
export async function embeddedTemporal(
  config: Config,
  ports: PortBook,
  onProgress: (message: string) => void,
  codecUrl: string | undefined,
): Promise<EmbeddedTemporal> {
  const binary = await findOrBuildTemporal(config, databaseMaker(config), onProgress);
  const dataDir = join(config.home, 'temporal');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const port = ports.forChild('temporal', USUAL_PORT);
  let uiHost = '';
  let uiPort = 0;
  const address = (): string => `127.0.0.1:${port.number}`;

  const prepare = async (attempt: number): Promise<Launch> => {
    if (await port.choose(attempt)) {
      uiHost = await privateLoopbackAddress();
      uiPort = await getPort({ host: uiHost });
    }
    const maker = { serverVersion: formatVersion(binary.serverVersion), path: binary.path };
    writeFileAtomically(makerFile(config), `${JSON.stringify(maker)}\n`);
    const args = [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${port.number}`,
      `--ui-ip=${uiHost}`,
      `--ui-port=${uiPort}`,
      ...(codecUrl === undefined ? [] : [`--ui-codec-endpoint=${codecUrl}`]),
      `--db-filename=${join(dataDir, 'temporal.db')}`,
      ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
      ...Object.entries(DYNAMIC_CONFIG).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
      ...(config.temporalNamespace === 'default' ? [] : ['--namespace', config.temporalNamespace]),
      '--log-level=warn',
      '--log-format=json',
      '--disable-config-file',
    ];
    return { command: binary.path, args, env: temporalEnvironment(config), cwd: dataDir };
  };
  return {
    binary,
    address,
    uiUrl: () => `http://${uiHost}:${uiPort}`,
    spec: {
      name: 'temporal',
      prepare,
      // The cheap question first: a gRPC client is slow to notice that a port has opened.
      probe: async () =>
        (await tcpAnswers('127.0.0.1', port.number)) && (await temporalAnswers(address(), config.temporalNamespace)),
      readyTimeoutMs: 60_000,
      stopSignal: 'SIGTERM',
      stopGraceMs: 1_500,
      hint: `Its log is ${join(config.home, 'logs', 'temporal.log')}. To use a Temporal of your own, set TEMPORAL_ADDRESS.`,
    },
  };
}

/** Where people look for the UI. */
const USUAL_UI_PORT = 8233;
const UI_SCRIPT = 'runtime/temporal-ui-main.ts';

/** A front that is about to be started. */
export interface UiFront {
  readonly spec: ChildSpec;
  /** Where browsers reach the UI; known once the child is ready. */
  url(): string;
}

/** Prepares the front of the UI at `target`. */
export function temporalUiFront(config: Config, ports: PortBook, target: string): UiFront {
  const port = ports.forChild('temporal-ui', USUAL_UI_PORT);
  const url = (): string => `http://127.0.0.1:${port.number}`;
  const prepare = async (attempt: number): Promise<Launch> => {
    await port.choose(attempt);
    const args = [
      join(config.repositoryDir, UI_SCRIPT),
      `--port=${port.number}`,
      `--target=${target}`,
      ...(config.temporalUiUrl === undefined ? [] : [`--public-url=${config.temporalUiUrl}`]),
    ];
    return { command: process.execPath, args, env: temporalEnvironment(config), cwd: config.repositoryDir };
  };
  return {
    url,
    spec: {
      name: 'temporal-ui',
      prepare,
      probe: () => httpAnswers(`${url()}/`),
      readyTimeoutMs: 30_000,
      stopGraceMs: 500,
    },
  };
}
