/** Models of servers that speak OpenAI's protocol are added by the URL of the server alone. */
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedOpenAi } from '../../../testing/scripted-openai/server.ts';
import { perFile } from '../../../testing/per-file.ts';
import { problem, startTestApi } from './support.ts';

const api = perFile(startTestApi);

async function serverWith(...models: readonly string[]): Promise<string> {
  const server = await startScriptedOpenAi({ dialect: 'vllm', models });
  onTestFinished(() => server.stop());
  return server.url;
}

it('the one model of a server is added by the URL alone, with the protocol that the server speaks', async () => {
  const url = await serverWith('Qwen/Qwen3-VL-8B');
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
  const refused = await api.json('POST', '/models/add', { server: await serverWith('one', 'two') });
  expect(refused).toMatchObject({
    ...problem(400, 'invalid_request'),
    body: { hint: expect.stringMatching(/has one, two\./u) as unknown },
  });
});

it('a model that the server does not have is refused with those that it has', async () => {
  const wish = { server: await serverWith('there'), model: 'not-there' };
  expect(await api.json('POST', '/models/add', wish)).toMatchObject({
    ...problem(503, 'model_not_ready'),
    body: { hint: 'The server has there.' },
  });
});
