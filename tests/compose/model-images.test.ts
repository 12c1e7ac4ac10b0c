/**
 * What the images of model servers do, without an engine: the step that bakes the models in, and the program that proves them, both on a server
 * that speaks Ollama's protocol as a process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelDockerfile } from '../../domain/fleet/setup/dockerfile.ts';
import { planSetup, type SetupModel } from '../../domain/fleet/setup/setup.ts';
import { ollamaDir, OLLAMA_RELEASE } from '../../domain/fleet/startup-script/ollama.ts';
import { loadConfig, REPOSITORY_DIR } from '../../platform/config.ts';
import { DEFAULT_MODELS, modelDigest, rulesDigest } from '../../simulators/ollama/catalog.ts';
import type { ReaderScriptInput } from '../../simulators/ollama/script.ts';
import type { ReaderStats } from '../../simulators/ollama/stats.ts';
import { dockerStages, environmentOf } from '../../testing/dockerfile.ts';
import { runProgram } from '../../testing/command.ts';
import { listen } from '../../testing/server.ts';
import { folderPerTest } from '../../testing/per-file.ts';
import { until } from '../../testing/until.ts';

const READER = path.join(REPOSITORY_DIR, 'simulators/ollama/main.ts');
const WORKER = path.join(REPOSITORY_DIR, 'images/worker.py');

const RULES = rulesDigest();

/** Digest under which the simulated server lists a model of its own. */
function digestOf(name: string): string {
  const model = DEFAULT_MODELS.find((one) => one.name === name);
  return model === undefined ? 'a'.repeat(64) : modelDigest(RULES, model);
}

const modelOf = (modelName: string, seesPictures: boolean, digest?: string): SetupModel => ({
  modelName,
  digest: digest ?? digestOf(modelName),
  seesPictures,
  numCtx: 4096,
  weightsGib: 1,
  kvCacheGibPerSlot: 1,
  loadTimeoutMs: 60_000,
});
const MODELS = [modelOf('reader-vision:1', true), modelOf('reader-text:1', false)];

/** The image of these models as the Dockerfile has it. */
const stagesOf = (models: readonly SetupModel[]) =>
  dockerStages(
    modelDockerfile(planSetup({ engine: 'ollama', gpu: null, models, parallel: 2 }), {
      title: 'Of a test.',
      writtenBy: 'a test',
      build: 'docker build',
      tag: 'test',
    }),
  );

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

interface Health {
  readonly status: number;
  readonly ready: boolean;
  readonly reason: string;
}

interface Worker {
  readonly child: ChildProcess;
  /** Waits for a state; the reason has to fit. */
  becomes(ready: boolean, reason: RegExp): Promise<Health>;
  stats(): Promise<ReaderStats>;
  script(script: ReaderScriptInput): Promise<void>;
  /** Exit code of the check that an engine makes. */
  check(): Promise<number | null>;
}

/**
 * The program of an image with the variables of its Dockerfile, on free ports, and the simulated server instead of Ollama.
 *
 * @param answeredAt port of a server that the test runs itself
 */
async function startWorker(
  models: readonly SetupModel[],
  script: ReaderScriptInput = {},
  answeredAt?: number,
): Promise<Worker> {
  const [port, healthPort] = [answeredAt ?? (await freePort()), await freePort()];
  const file = path.join(folderPerTest(), 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const environment = {
    PATH: loadConfig().environment['PATH'],
    ...Object.fromEntries(environmentOf(stagesOf(models).at(-1) ?? [])),
    OLLAMA_HOST: `0.0.0.0:${port}`,
    WORKER_HEALTH_PORT: String(healthPort),
    WORKER_LOOK_SECONDS: '0.2',
    WORKER_DRAIN_SECONDS: '1',
  };
  const server =
    answeredAt === undefined
      ? [process.execPath, READER, '--port', String(port), '--script', file]
      : ['sleep', 'infinity'];
  const child = spawn('python3', [WORKER, ...server], { env: environment, stdio: 'ignore' });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const base = `http://127.0.0.1:${port}`;
  // Null while nothing listens.
  const health = async (): Promise<Health | null> => {
    try {
      const response = await fetch(`http://127.0.0.1:${healthPort}/api/health`);
      return { status: response.status, ...((await response.json()) as Omit<Health, 'status'>) };
    } catch {
      return null;
    }
  };
  return {
    child,
    becomes: async (ready, reason) => {
      const now = await until(health).is((one) => one !== null && one.ready === ready && reason.test(one.reason));
      if (now === null) throw new Error('the health path does not answer');
      return now;
    },
    stats: async () => (await fetch(`${base}/_control/stats`)).json() as Promise<ReaderStats>,
    script: async (next) => {
      await fetch(`${base}/_control/script`, { method: 'POST', body: JSON.stringify(next) });
    },
    check: async () => {
      const run = spawn('python3', [WORKER, '--check'], { env: environment, stdio: 'ignore' });
      const [code] = (await once(run, 'exit')) as [number | null];
      return code;
    },
  };
}

interface RawServer {
  readonly port: number;
  /** Bytes of the answer to `/api/ps`; null = every model is loaded, in graphics memory. */
  ps: string | null;
}

const rawJson = (body: unknown): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`;
};
const rawPs = (bytes: { readonly size: number; readonly size_vram: number }): string =>
  rawJson({ models: MODELS.map(({ modelName: name }) => ({ name, ...bytes })) });

/** A server that proves every model and answers `/api/ps` with any bytes, which a server that keeps to HTTP cannot. */
async function startRawServer(ps: string | null): Promise<RawServer> {
  const state = { port: 0, ps };
  const answerTo = (head: string): string => {
    if (head.startsWith('GET /api/tags'))
      return rawJson({ models: MODELS.map(({ modelName: name, digest }) => ({ name, digest })) });
    if (head.startsWith('POST /api/chat'))
      return rawJson({ message: { content: '{"state":"ready","count":3}' }, done_reason: 'stop' });
    return state.ps ?? rawPs({ size: 1000, size_vram: 1000 });
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/imu.exec(head)?.[1] ?? 0);
      if (body !== undefined && body.length >= length) socket.end(answerTo(head));
    });
  });
  onTestFinished(() => void server.close());
  state.port = await listen(server);
  return state;
}

describe('the program of a model image', () => {
  it('says that it is ready after every model answered in its schema, and not before', async () => {
    const worker = await startWorker(MODELS, { rules: [{ fault: { latencyMs: 1500 }, times: 1 }] });
    expect((await worker.becomes(false, /starting|does not answer/u)).status).toBe(503);
    expect(await worker.check()).toBe(1);
    expect((await worker.becomes(true, /every model answered/u)).status).toBe(200);
    expect(await worker.check()).toBe(0);
    expect((await worker.stats()).completed).toBe(MODELS.length);
  });

  it.each<[string, readonly SetupModel[], ReaderScriptInput, RegExp]>([
    [
      'holds another model under the name',
      [modelOf('reader-text:1', false, 'f'.repeat(64))],
      {},
      /pinned is ffffffffffff/u,
    ],
    ['lacks a model', [modelOf('gemma3:12b', true)], {}, /gemma3:12b is not there/u],
    ['answers what the schema forbids', MODELS, { rules: [{ match: {}, fault: { schemaInvalid: true } }] }, /schema/u],
    ['answers no JSON', MODELS, { rules: [{ fault: { badJson: true } }] }, /no JSON/u],
    ['is cut off', MODELS, { rules: [{ fault: { truncate: true } }] }, /cut off: length/u],
    [
      'computes on the CPU',
      MODELS,
      { rules: [{ fault: { cpuFallback: true, tokensPerSecond: 1000 } }] },
      /on the CPU/u,
    ],
    ['refuses the call', MODELS, { rules: [{ fault: { status: 500 } }] }, /answers 500/u],
  ])('is never ready when the server %s', async (_what, models, script, reason) => {
    const worker = await startWorker(models, script);
    expect((await worker.becomes(false, reason)).status).toBe(503);
    expect(await worker.check()).toBe(1);
  });

  it('is ready again after what was wrong has ended, by a new proof', async () => {
    const worker = await startWorker(MODELS, { rules: [{ fault: { badJson: true } }] });
    await worker.becomes(false, /no JSON/u);
    await worker.script({});
    await worker.becomes(true, /every model answered/u);
  });

  it.each<[string, string, RegExp]>([
    ['breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"models":', /IncompleteRead/u],
    ['does not speak HTTP', 'SSH-2.0-server\r\n', /BadStatusLine/u],
    ['answers JSON that is no object', rawJson([]), /AttributeError/u],
    ['answers no list of models', rawJson({ models: null }), /TypeError/u],
  ])('is not ready while the server %s, and is again afterwards', async (_what, bytes, reason) => {
    const server = await startRawServer(null);
    const worker = await startWorker(MODELS, {}, server.port);
    await worker.becomes(true, /every model answered/u);
    server.ps = bytes;
    expect((await worker.becomes(false, reason)).status).toBe(503);
    server.ps = null;
    await worker.becomes(true, /every model answered/u);
  });

  it('is never ready while a part of a model is on the CPU', async () => {
    const server = await startRawServer(rawPs({ size: 1000, size_vram: 999 }));
    const worker = await startWorker(MODELS, {}, server.port);
    expect((await worker.becomes(false, /partly on the CPU: 999 of 1000/u)).status).toBe(503);
    expect(await worker.check()).toBe(1);
    server.ps = null;
    await worker.becomes(true, /every model answered/u);
  });

  it('is no longer ready on SIGTERM, lets calls end, and ends itself with 0', async () => {
    const worker = await startWorker(MODELS);
    await worker.becomes(true, /./u);
    worker.child.kill('SIGTERM');
    await worker.becomes(false, /stopping/u);
    const [code] = (await once(worker.child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });

  it('ends with an error when the server ends, so that the platform starts the container anew', async () => {
    const worker = await startWorker(MODELS);
    await worker.becomes(true, /./u);
    const { pid } = worker.child;
    const server = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    process.kill(server, 'SIGKILL');
    const [code] = (await once(worker.child, 'exit')) as [number | null];
    expect(code).toBe(1);
  });
});

describe('the step that bakes the models into an image', () => {
  /** Runs the step in a folder that stands for the image's root, with the simulated server under the name of Ollama. */
  async function bake(
    models: readonly SetupModel[],
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const root = folderPerTest();
    const port = await freePort();
    const script = stagesOf(models)
      .flat()
      .find(({ name, value }) => name === 'RUN' && value.includes('/api/pull'))?.value;
    const ollama = path.join(root, ollamaDir(OLLAMA_RELEASE), 'bin/ollama');
    mkdirSync(path.dirname(ollama), { recursive: true });
    writeFileSync(ollama, `#!/bin/sh\nexec ${process.execPath} ${READER} --port ${port} --models none --pull-ms 10\n`);
    chmodSync(ollama, 0o755);
    const here = (script ?? '')
      .replaceAll('/opt/deckhand', `${root}/opt/deckhand`)
      .replaceAll('/var/lib/ollama', `${root}/var/lib/ollama`)
      .replaceAll(':11434', `:${port}`);
    const { code, stdout, stderr } = await runProgram('bash', ['-c', here]);
    return { code, output: stdout + stderr };
  }

  it('pulls every model and ends when each has its digest', async () => {
    const { code, output } = await bake(MODELS);
    for (const { modelName } of MODELS) {
      expect(output).toContain(`pulling ${modelName}`);
      expect(output).toContain(`${modelName} has its pinned digest`);
    }
    expect(code).toBe(0);
  });

  it('fails when the registry has another model behind a name', async () => {
    const { code, output } = await bake([modelOf('reader-text:1', false, 'f'.repeat(64))]);
    expect(output).toContain('FAILED: reader-text:1 is not the model of the pinned digest');
    expect(code).toBe(1);
  });
});
