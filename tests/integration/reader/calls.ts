/** Raw HTTP calls to a reader. */
import { z } from 'zod';
import { MODEL_TASKS, type ModelTask } from '../../../domain/models/model-tasks.ts';
import { slideUserMessage } from '../../../domain/models/prompt-assembly.ts';
import type { RunningReader } from '../../../simulators/ollama/server.ts';

export type Body = Record<string, unknown>;

/** The `format` of a task, its title as the client sends it. */
export const formatOf = (task: ModelTask): Body => ({ ...z.toJSONSchema(MODEL_TASKS[task].schema), title: task });

/** A call over one slide. */
export const slideCall = (changes: Body = {}, slide = 1): Body => ({
  model: 'reader-vision:1',
  messages: [
    {
      role: 'user',
      content: slideUserMessage({ number: slide, markup: 'Traction\n31 hospitals pay for the service.' }),
    },
  ],
  format: formatOf('describe_slide'),
  ...changes,
});

export const post = (reader: RunningReader, path: string, body: Body, signal?: AbortSignal): Promise<Response> =>
  fetch(`${reader.host}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

/** Status and the JSON lines of the answer. */
export async function lines(response: Promise<Response>): Promise<{ status: number; parts: Body[] }> {
  const settled = await response;
  const text = await settled.text();
  return {
    status: settled.status,
    parts: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Body),
  };
}

/** The content of a chat, streamed or not. */
export const contentOf = (parts: readonly Body[]): string =>
  parts.map((part) => (part['message'] as { content?: string } | undefined)?.content ?? '').join('');

export const get = async (reader: RunningReader, path: string): Promise<Body> =>
  (await (await fetch(`${reader.host}${path}`)).json()) as Body;

/** Entries of `/api/ps`. */
export const loaded = async (reader: RunningReader): Promise<Body[]> =>
  (await get(reader, '/api/ps'))['models'] as Body[];

/** A chat over one slide. */
export const chat = (reader: RunningReader, changes: Body = {}, slide = 1): ReturnType<typeof lines> =>
  lines(post(reader, '/api/chat', slideCall(changes, slide)));
