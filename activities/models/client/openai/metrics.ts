/** Figures of vLLM, SGLang and llama-server about themselves, from their page for Prometheus. */
import { z } from 'zod';
import type { ServerAddress } from '../connection.ts';
import type { AskContext, ServerMetrics } from '../model-server.ts';
import { askPage } from './connection.ts';

/** Names of each figure, without the prefix of the server. */
const NAMES: Readonly<Record<keyof ServerMetrics, readonly string[]>> = {
  runningCalls: ['num_requests_running', 'requests_processing', 'num_running_reqs'],
  waitingCalls: ['num_requests_waiting', 'requests_deferred', 'num_queue_reqs'],
  cacheUsed: ['kv_cache_usage_perc', 'gpu_cache_usage_perc', 'kv_cache_usage_ratio', 'token_usage'],
  promptTokens: ['prompt_tokens_total'],
  outputTokens: ['generation_tokens_total', 'tokens_predicted_total'],
};

/** A line with a value. Values of labels may hold braces, and quotes behind a backslash. */
const SAMPLE = /^(?:vllm|llamacpp|sglang):(\w+)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?[ \t]+(\S+)/u;
/** No line of such a page is longer. */
const LINE_CHARS = 4096;

/** See `ModelServer.metrics`. */
export async function serverMetrics(address: ServerAddress, { signal }: AskContext): Promise<ServerMetrics | null> {
  const page = await askPage(address, '/metrics', z.unknown(), signal);
  // LM Studio says 200 and an error in JSON of each page that it does not have.
  return typeof page === 'string' ? metricsOf(page) : null;
}

/** The figures of a page; those of several engines of a server are added, shares averaged. */
export function metricsOf(page: string): ServerMetrics {
  const samples = page
    .split('\n')
    .map((line) => (line.length > LINE_CHARS ? null : SAMPLE.exec(line)))
    .filter((found) => found !== null);
  const valuesOf = (names: readonly string[]): number[] =>
    samples
      .filter(([, name]) => name !== undefined && names.includes(name))
      .map(([, , value]) => Number(value))
      .filter(Number.isFinite);
  const sum = (names: readonly string[]): number | null => {
    const values = valuesOf(names);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  const shares = valuesOf(NAMES.cacheUsed);
  return {
    runningCalls: sum(NAMES.runningCalls),
    waitingCalls: sum(NAMES.waitingCalls),
    cacheUsed: shares.length === 0 ? null : shares.reduce((total, share) => total + share, 0) / shares.length,
    promptTokens: sum(NAMES.promptTokens),
    outputTokens: sum(NAMES.outputTokens),
  };
}
