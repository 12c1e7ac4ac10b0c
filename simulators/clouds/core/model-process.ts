/** The model server of one simulated instance: the built-in reader in its own process on a loopback port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Scenario } from './scenario.ts';
import type { ModelEffect } from '../../machine/faults.ts';
import type { ServedModel } from '../../machine/served-model.ts';

const READER = path.resolve(import.meta.dirname, '../../ollama/main.ts');
/** A reader that has not ended this long after SIGTERM is killed. */
const END_LIMIT_MS = 3000;
/** Limit of a request for the list of models. A wedged reader answers it; a broken one must not block the others. */
const TAGS_LIMIT_MS = 2000;

const listening = z.object({ listening: z.number() });
const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Faults of a model server. */
export interface ModelTrouble {
  readonly effect: ModelEffect;
  /** Null = no limit. */
  readonly tokensPerSecond: number | null;
}

function scriptOf({ effect, tokensPerSecond }: ModelTrouble): unknown {
  const fault = {
    ...(effect === 'wedged' ? { wedge: true } : {}),
    ...(effect === 'cpu_only' ? { cpuFallback: true } : {}),
    ...(tokensPerSecond === null ? {} : { tokensPerSecond }),
  };
  return Object.keys(fault).length === 0 ? {} : { rules: [{ match: {}, fault }] };
}

export interface ModelProcess {
  readonly url: string;
  readonly isAlive: () => boolean;
  /** Names of the models on its disk. @throws Error when it does not answer */
  models(): Promise<readonly string[]>;
  /** Sets its faults. Models that fall back to the CPU are unloaded at once. */
  setTrouble(trouble: ModelTrouble): Promise<void>;
  stop(): Promise<void>;
}

export interface ModelProcessOptions {
  /** Models on the disk at the start. */
  readonly models: readonly string[];
  readonly trouble: ModelTrouble;
  /** Port to try first; 0 = a free one. */
  readonly port: number;
  /** Its options as a vLLM; undefined = it is an Ollama. */
  readonly vllm?: ServedModel | undefined;
  readonly settings: Scenario['modelServer'];
}

/** Starts a model server and resolves when it listens. If the port is taken, a free one is used. */
export async function startModelProcess(options: ModelProcessOptions): Promise<ModelProcess> {
  const child = (await launch(options, options.port)) ?? (options.port === 0 ? null : await launch(options, 0));
  if (child === null) throw new Error('the model server of a simulated instance does not start');
  const { url } = child;
  const script = async (trouble: ModelTrouble): Promise<void> => {
    const body = JSON.stringify({
      ...(scriptOf(trouble) as object),
      ...(options.settings.callSeconds === null ? {} : { callSeconds: options.settings.callSeconds }),
    });
    const response = await fetch(`${url}/_control/script`, { method: 'POST', body });
    if (!response.ok) throw new Error(`the model server refused its script: ${await response.text()}`);
  };
  if (options.trouble.effect !== 'none' || options.trouble.tokensPerSecond !== null) await script(options.trouble);
  return {
    url,
    isAlive: () => child.process.exitCode === null && child.process.signalCode === null,
    models: async () => {
      const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(TAGS_LIMIT_MS) });
      return tagsSchema.parse(await response.json()).models.map((m) => m.name);
    },
    setTrouble: async (trouble) => {
      await script(trouble);
      if (trouble.effect === 'cpu_only') await unloadAll(url);
    },
    stop: () => stop(child.process),
  };
}

/** Unloads all models; the next call loads its model again. */
async function unloadAll(url: string): Promise<void> {
  const response = await fetch(`${url}/api/ps`, { signal: AbortSignal.timeout(TAGS_LIMIT_MS) });
  for (const { name } of tagsSchema.parse(await response.json()).models) {
    const body = JSON.stringify({ model: name, keep_alive: 0 });
    await fetch(`${url}/api/generate`, { method: 'POST', body, signal: AbortSignal.timeout(TAGS_LIMIT_MS) });
  }
}

/** It answers once its weights are there, which are downloaded where the disk does not have them, and loaded. */
const vllmArgs = (
  { name, root, windowTokens }: ServedModel,
  onDisk: readonly string[],
  { loadMs, pullMs }: Scenario['modelServer'],
): string[] => [
  `--serve=${name}=${root}`,
  `--window=${windowTokens}`,
  `--start-ms=${loadMs + (onDisk.includes(name) ? 0 : pullMs)}`,
];

/** Null if the process ended before it listened. */
async function launch(
  { models, vllm, settings }: ModelProcessOptions,
  port: number,
): Promise<{ readonly process: ChildProcess; readonly url: string } | null> {
  const args = [
    READER,
    '--exit-with-parent',
    `--port=${port}`,
    ...(vllm === undefined
      ? [`--models=${models.length === 0 ? 'none' : models.join(',')}`]
      : vllmArgs(vllm, models, settings)),
    `--parallel=${settings.parallel}`,
    `--load-ms=${settings.loadMs}`,
    `--pull-ms=${settings.pullMs}`,
    ...(settings.callSeconds === null ? [] : [`--call-seconds=${settings.callSeconds}`]),
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => null);
  const first = await Promise.race([once(child.stdout, 'data'), ended]);
  if (first === null) return null;
  const line: unknown = JSON.parse(String(first[0]));
  return { process: child, url: `http://127.0.0.1:${listening.parse(line).listening}` };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = new AbortController();
  const killer = delay(END_LIMIT_MS, undefined, { signal: limit.signal }).then(
    () => child.kill('SIGKILL'),
    () => false,
  );
  await exit;
  limit.abort();
  await killer;
}
