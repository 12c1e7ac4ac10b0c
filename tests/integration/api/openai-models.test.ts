/** Models of servers that speak OpenAI's protocol are added by the URL of the server alone. */
import { expect, it, onTestFinished } from 'vitest';
import { type ScriptedOpenAiOptions, startScriptedOpenAi } from '../../../testing/scripted-openai/server.ts';
import { perFile } from '../../../testing/per-file.ts';
import { problem, startTestApi } from './support.ts';

const api = perFile(startTestApi);

async function serverWith(models: readonly string[], options: ScriptedOpenAiOptions = {}): Promise<string> {
  const server = await startScriptedOpenAi({ dialect: 'vllm', models, ...options });
  onTestFinished(() => server.stop());
  return server.url;
}

it('the one model of a server is added by the URL alone, with the protocol that the server speaks', async () => {
  const url = await serverWith(['Qwen/Qwen3-VL-8B']);
  expect(await api.json('POST', '/models/add', { server: url })).toMatchObject({
    status: 200,
    body: {
      profile: 'qwen3-vl-8b',
      server: expect.stringMatching(/^local-\d+$/u) as unknown,
      models: [
        {
          name: 'Qwen/Qwen3-VL-8B',
          seesPictures: true,
          digest: expect.stringMatching(/^by-name:[0-9a-f]{64}$/u) as unknown,
        },
      ],
    },
  });
  const { servers } = await api.client.GET('/models/catalog');
  expect(servers.find((server) => server.url === url)?.kind).toBe('openai');
});

it('a server with several models is not guessed at, and its models are named', async () => {
  const refused = await api.json('POST', '/models/add', { server: await serverWith(['one', 'two']) });
  expect(refused).toMatchObject({
    ...problem(400, 'invalid_request'),
    body: { hint: expect.stringMatching(/has one, two\./u) as unknown },
  });
});

it('a model that the server does not have is refused with those that it has', async () => {
  const wish = { server: await serverWith(['there']), model: 'not-there' };
  expect(await api.json('POST', '/models/add', wish)).toMatchObject({
    ...problem(503, 'model_not_ready'),
    body: { hint: 'The server has there.' },
  });
});

const NOT_YET: readonly (readonly [string, ScriptedOpenAiOptions, RegExp])[] = [
  ['wants a key', { apiKey: 'secret' }, /wants a key \(401\)/u],
  ['loads its model', { dialect: 'llama-server', state: 'loading' }, /not ready/u],
];

it.each(NOT_YET)('a server that %s is not taken for an Ollama, and says so', async (_, options, words) => {
  const refused = await api.json('POST', '/models/add', { server: await serverWith(['tiny'], options) });
  expect(refused).toMatchObject({ body: { detail: expect.stringMatching(words) as unknown } });
  expect(JSON.stringify(refused.body)).not.toMatch(/ollama/iu);
});

it('a model whose gateway refuses pictures by 404 or 500 sees none, and needs another one for the slides', async () => {
  for (const status of [404, 500]) {
    const script: ScriptedOpenAiOptions['script'] = ({ body }) =>
      JSON.stringify(body).includes('image_url')
        ? { kind: 'document', status, body: { error: { message: 'No endpoints found that support image input' } } }
        : undefined;
    const server = await serverWith([`text-${status}`], { dialect: 'hosted', script });
    expect(await api.json('POST', '/models/add', { server })).toMatchObject(problem(422, 'model_lacks_vision'));
  }
});
