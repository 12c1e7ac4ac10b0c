/**
 * `deckhand bench readiness`: how long it takes to find out what a model can do, by the speed of its server. Servers are scripted, in real time,
 * and see pictures; nothing is known of the model before.
 */
import { ensureLoaded } from '../../activities/models/client/model-server.ts';
import { openModelServer } from '../../activities/models/client/open.ts';
import { probeModel } from '../../activities/models/probes/probe-model.ts';
import { PROBE_BUDGET_MS } from '../../activities/gateway/readiness.ts';
import { startReader } from '../../simulators/ollama/server.ts';
import type { Figures } from '../figures.ts';

const MODEL = 'scripted:1b';
const WINDOW_TOKENS = 16_384;
const PARALLEL = 4;
const LOAD_TIMEOUT_MS = 30_000;
/** Tokens per second of reading and of writing, and the longest time in seconds. */
const SERVERS = [
  { tokensPerSecond: 10_000, aimSec: 20 },
  { tokensPerSecond: 1000, aimSec: 20 },
  { tokensPerSecond: 100, aimSec: 180 },
  { tokensPerSecond: 20, aimSec: 180 },
  { tokensPerSecond: 5, aimSec: 180 },
] as const;
/** Answers that make sense, by the task of the trial. */
const ANSWERS = {
  trial_answer: '{"word":"harbour","count":7,"place":{"city":"Paris"}}',
  trial_schema: '{"capital":"copper","fame":{"famousFor":3}}',
  plain: 'one two three four five six seven eight nine ten '.repeat(40),
};

/** Runs the benchmark. */
export async function benchReadiness(figures: Figures, tell: (line: string) => void): Promise<void> {
  for (const { tokensPerSecond, aimSec } of SERVERS) {
    const { seconds, skipped, refusal } = await probeAt(tokensPerSecond);
    if (refusal !== null) throw new Error(`the model was refused: ${refusal}`);
    figures.add(`probes at ${tokensPerSecond} tokens a second`, seconds, 's', `<= ${aimSec}`);
    for (const probe of skipped) tell(`left out: ${probe}`);
  }
}

async function probeAt(tokensPerSecond: number) {
  const speed = { readTokensPerSecond: tokensPerSecond, tokensPerSecond };
  const reader = await startReader({
    loadMs: 0,
    parallel: PARALLEL,
    models: [
      { name: MODEL, capabilities: ['completion', 'vision'], sizeBytes: 1, installed: true, family: 'scripted' },
    ],
    script: { rules: Object.entries(ANSWERS).map(([task, text]) => ({ match: { task }, fault: { ...speed, text } })) },
  });
  try {
    const { signal } = new AbortController();
    const server = openModelServer({ kind: 'ollama', url: reader.host });
    const asked = { numCtx: WINDOW_TOKENS, loadTimeoutMs: LOAD_TIMEOUT_MS };
    const { windowTokens } = await ensureLoaded(server, MODEL, asked, { signal });
    const model = {
      name: MODEL,
      askedWindowTokens: WINDOW_TOKENS,
      windowTokens,
      trainedWindowTokens: null,
      seesPictures: true,
      canThink: false,
    };
    const beganMs = performance.now();
    const { findings } = await probeModel(server, model, {
      parallel: PARALLEL,
      budgetMs: PROBE_BUDGET_MS,
      known: null,
      signal,
    });
    return { seconds: (performance.now() - beganMs) / 1000, skipped: findings.skipped, refusal: findings.refusal };
  } finally {
    await reader.stop();
  }
}
