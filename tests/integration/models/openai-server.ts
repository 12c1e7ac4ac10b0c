/** Calls to a scripted server of OpenAI's protocol, as tests of the adapter make them. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { generateStructured, type ModelReply, type ModelRequest } from '../../../activities/models/client/generate.ts';
import type { ChatPart, ChatRequest, ModelServer } from '../../../activities/models/client/model-server.ts';
import { fixedLimits } from '../../../domain/models/call-limits.ts';
import { toModelSchema } from '../../../domain/models/json-schema.ts';
import {
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  startScriptedOpenAi,
} from '../../../testing/scripted-openai/server.ts';

const usedPorts = new Set<number>();

/** A server that ends with its test. No other had its address: what the adapter learned of that would be taken for it. */
export async function started(options: ScriptedOpenAiOptions = {}): Promise<ScriptedOpenAi> {
  const server = await startScriptedOpenAi(options);
  if (usedPorts.has(server.port)) {
    await server.stop();
    return started(options);
  }
  usedPorts.add(server.port);
  onTestFinished(() => server.stop());
  return server;
}

/** The adapter at a server. */
export const adapterOf = (server: ScriptedOpenAi, key: string | null = null): ModelServer =>
  openModelServer({ kind: 'openai', url: server.url, key });

export const never = new AbortController().signal;
const schema = z.object({ name: z.string().max(300), score: z.int().min(0).max(7) });

export interface Changes extends Partial<Pick<ModelRequest, 'model' | 'schemaName' | 'thinking' | 'user'>> {
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ReturnType<typeof fixedLimits>>;
  readonly attempts?: number;
}

/** Asks for a name and a score. */
export function ask(server: ScriptedOpenAi, changes: Changes = {}): Promise<ModelReply<z.infer<typeof schema>>> {
  const { key = null, signal = never, limits, attempts = 3, schemaName = 'name_and_score', ...other } = changes;
  const request: ModelRequest = {
    server: adapterOf(server, key),
    model: 'scripted',
    system: 'You read slides.',
    user: 'What is the name?',
    images: [],
    schema: toModelSchema(schema, schemaName),
    schemaName,
    options: { numCtx: 2048, numPredict: 200, temperature: 0.1, topP: 0.9, seed: 40 },
    limits: {
      ofAttempt: () => ({ ...fixedLimits(20_000), ...limits }),
      loadTimeoutMs: 20_000,
      maxAttempts: attempts,
    },
    ...other,
  };
  return generateStructured(request, (json) => schema.parse(json), { signal });
}

export const PLAIN_REQUEST: ChatRequest = {
  model: 'scripted',
  messages: [{ role: 'user', content: 'What is the name?' }],
  schema: null,
  windowTokens: 2048,
  mostTokens: 200,
  temperature: 0.1,
  seed: 40,
  thinking: 'leave',
};

/** One chat without what stands above the adapter. */
export async function chatOnce(server: ScriptedOpenAi, changes: Partial<ChatRequest> & { key?: string } = {}) {
  const { key = null, ...other } = changes;
  const parts: ChatPart[] = [];
  for await (const part of adapterOf(server, key).chat({ ...PLAIN_REQUEST, ...other }, never)) parts.push(part);
  return parts;
}

/** Bodies of chats about the question, without the first looks at the model. */
export const asked = (server: ScriptedOpenAi): Record<string, unknown>[] =>
  server.chats
    .map(({ body }) => body as Record<string, unknown>)
    .filter(({ messages }) => !JSON.stringify(messages).includes('Answer with one word.'));
