/**
 * What a diagnosis learns of a machine of which parts do not answer: each part that fails is a fact, and the others are still asked.
 */
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectGpuFacts, type GpuFactsOptions } from '../../../activities/gateway/gpu-facts.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { DiagnosisFacts } from '../../../domain/health/gpu/diagnosis/facts.ts';
import { ProofReports } from '../../../workers/gateway/proof-reports.ts';

const MODEL = 'gemma3:12b';
const LISTED = { name: MODEL, model: MODEL, size: 8_000_000_000, digest: 'd', details: {} };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A model server that answers these paths and fails at all others. */
async function modelServer(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'broken' }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

const factsOf = (url: string, more: Partial<GpuFactsOptions> = {}): Promise<DiagnosisFacts> =>
  collectGpuFacts({
    target: 'visual-0',
    url,
    shell: null,
    models: [
      {
        name: MODEL,
        numCtx: 4096,
        weightsGib: 7.6,
        kvCacheGibPerSlot: 2.5,
        loadTimeoutMs: 1000,
        attemptTimeoutMs: 1000,
      },
    ],
    parallel: 4,
    generate: null,
    signal: new AbortController().signal,
    ...more,
  });

it('a machine that runs no command: its model server is asked all the same', async () => {
  const url = await modelServer({
    '/api/version': { version: '0.32.7' },
    '/api/tags': { models: [LISTED] },
    '/api/ps': { models: [{ ...LISTED, size_vram: 4_000_000_000 }] },
  });
  const run = (): Promise<never> =>
    Promise.reject(new DeckhandError('host_not_ready', 'the connection to visual-0 was closed'));
  const facts = await factsOf(url, { shell: { run } });
  expect(facts).toMatchObject({
    machine: null,
    machineMessage: 'the connection to visual-0 was closed',
    server: { version: '0.32.7', message: null, isReader: false },
    loaded: [{ name: MODEL, sizeBytes: 8_000_000_000, vramBytes: 4_000_000_000 }],
    models: [{ name: MODEL, installed: true, weightsBytes: 8_000_000_000, cacheFrom: 'configuration' }],
  });
});

it('a model server that does not list its models: whether they are installed is not known, and sizes are those configured', async () => {
  const facts = await factsOf(await modelServer({ '/api/version': { version: '0.32.7' } }));
  expect(facts.models).toMatchObject([{ installed: null, weightsBytes: 7.6 * 1024 ** 3 }]);
  expect(facts).toMatchObject({ machineMessage: null, loaded: [] });
});

it('a model that is not in the list is not installed', async () => {
  const facts = await factsOf(
    await modelServer({ '/api/version': { version: '0.32.7' }, '/api/tags': { models: [] } }),
  );
  expect(facts.models).toMatchObject([{ installed: false }]);
});

it('the built-in reader is known by its version, whatever models are asked for', async () => {
  const facts = await factsOf(await modelServer({ '/api/version': { version: '0.24.0-deckhand-reader' } }));
  expect(facts.server.isReader).toBe(true);
});

it('nobody waits for the rest when the diagnosis is cancelled', async () => {
  const cancelled = new AbortController();
  const run = (_command: string, signal: AbortSignal): Promise<never> => {
    cancelled.abort(new Error('enough'));
    return Promise.reject(signal.reason as Error);
  };
  await expect(factsOf('http://127.0.0.1:1', { shell: { run }, signal: cancelled.signal })).rejects.toThrow('enough');
});

// Which failed proofs the instance workflow hears of, and when.
const TIMEOUT_MS = 1000;
let told: string[];
let reports: ProofReports;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  reports = new ProofReports(TIMEOUT_MS, (failure, message) => {
    told.push(`${failure}: ${message}`);
    return Promise.resolve();
  });
});
afterEach(() => {
  reports.end();
  vi.useRealTimers();
});

describe('a failed proof', () => {
  it('that time does not mend is told at once, and once', () => {
    for (let i = 0; i < 3; i += 1) reports.failed({ failure: 'cpu_only', message: 'on the CPU', certain: true });
    vi.advanceTimersByTime(5 * TIMEOUT_MS);
    expect(told).toEqual(['cpu_only: on the CPU']);
  });

  it('is told again after a restart, and when it is another one', () => {
    reports.failed({ failure: 'cpu_only', message: 'on the CPU', certain: true });
    reports.restarted();
    reports.failed({ failure: 'cpu_only', message: 'still', certain: true });
    reports.failed({ failure: 'no_gpu', message: 'gone', certain: true });
    expect(told).toEqual(['cpu_only: on the CPU', 'cpu_only: still', 'no_gpu: gone']);
  });

  it('that time may mend is told for each tenth of the time that it lasts', () => {
    reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
    vi.advanceTimersByTime(TIMEOUT_MS / 10 - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['unreachable: refused']);
    vi.advanceTimersByTime(TIMEOUT_MS / 10);
    expect(told).toHaveLength(2);
  });

  it('is not told of a step that takes its time, until the whole time is over', () => {
    reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
    reports.underway('pulling gemma3:12b');
    vi.advanceTimersByTime(TIMEOUT_MS - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['timeout: not proved within 1 s: pulling gemma3:12b']);
  });

  it('is told no more after the proof has ended', () => {
    reports.failed({ failure: 'unreachable', message: 'refused', certain: false });
    reports.end();
    vi.advanceTimersByTime(10 * TIMEOUT_MS);
    expect(told).toEqual([]);
  });
});
