/** The script that pulls the models, as a program, against a server that speaks as much of Ollama's protocol as it uses. */
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modelsScript, type PinnedModel } from '../../../domain/fleet/startup-script/models.ts';
import { MODEL_SERVER_PORT, MODELS_DIR } from '../../../domain/fleet/startup-script/ollama.ts';
import { runProgram } from '../../../testing/command.ts';
import { serveForTest } from '../../../testing/server.ts';

const OLD = 'a'.repeat(64);
const PINNED = 'b'.repeat(64);
const NEWER = 'c'.repeat(64);
const NAMES = ['reader-vision:1', 'reader-text:1'];
const PINS: readonly PinnedModel[] = NAMES.map((name) => ({ name, digest: PINNED }));

const named = z.object({ model: z.string() });

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  /** In the order of the calls. */
  readonly pulled: readonly string[];
}

/**
 * Runs the script.
 *
 * @param here digests by the name of models that the server has
 * @param library the digest that a pull brings, of every model
 */
async function runScript(
  here: Readonly<Record<string, string>>,
  library: string,
  pins: readonly PinnedModel[],
): Promise<Outcome> {
  const models = new Map(Object.entries(here));
  const pulled: string[] = [];
  const answers: Readonly<Record<string, (body: unknown) => unknown>> = {
    '/api/version': () => ({ version: '0.0.0' }),
    '/api/tags': () => ({
      models: [...models].map(([name, digest]) => ({ name, model: name, digest, details: { format: 'gguf' } })),
    }),
    '/api/show': (body) => (models.has(named.parse(body).model) ? {} : null),
    '/api/pull': (body) => {
      const { model } = named.parse(body);
      pulled.push(model);
      models.set(model, library);
      return { status: 'success' };
    },
  };
  const url = await serveForTest((request, response) => {
    void (async () => {
      const body = request.method === 'POST' ? await json(request) : null;
      const answer = answers[request.url ?? '']?.(body) ?? null;
      response.writeHead(answer === null ? 404 : 200).end(JSON.stringify(answer));
    })();
  });
  const script = modelsScript(NAMES, pins).replaceAll(`:${MODEL_SERVER_PORT}`, `:${new URL(url).port}`);
  const { code, stdout, stderr } = await runProgram('bash', ['-c', script]);
  return { code, output: stdout + stderr, pulled };
}

describe('the models with pins', () => {
  it('are pulled where they are absent or have another digest, and only there', async () => {
    const absent = await runScript({}, PINNED, PINS);
    expect(absent).toMatchObject({ code: 0, pulled: NAMES });
    const old = await runScript({ 'reader-vision:1': OLD, 'reader-text:1': PINNED }, PINNED, PINS);
    expect(old).toMatchObject({ code: 0, pulled: ['reader-vision:1'] });
    expect(old.output).toContain('reader-vision:1 has its pinned digest');
    expect(old.output).toContain('reader-text:1 is here');
  });

  it('are not pulled again, even where the library has moved on', async () => {
    const run = await runScript({ 'reader-vision:1': PINNED, 'reader-text:1': PINNED }, NEWER, PINS);
    expect(run).toMatchObject({ code: 0, pulled: [] });
  });

  it('fail with the next step when the pull brings another one', async () => {
    const { code, output } = await runScript({ 'reader-vision:1': OLD }, NEWER, PINS);
    expect(code).toBe(1);
    expect(output).toContain(`FAILED: reader-vision:1 is not the model of the pinned digest ${PINNED}`);
    expect(output).toContain('Run the set-up of a newer Deckhand');
    expect(output).toContain(MODELS_DIR);
  });
});

describe('the models without pins', () => {
  it('are pulled where none has the name, and only there', async () => {
    const run = await runScript({ 'reader-vision:1': OLD }, NEWER, []);
    expect(run).toMatchObject({ code: 0, pulled: ['reader-text:1'] });
  });
});
