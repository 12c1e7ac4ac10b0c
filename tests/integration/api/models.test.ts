/** Models: the pins are seen, and forgotten by an operator's act alone. */
import { expect, it } from 'vitest';
import { problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);

it('200: lists the model of every task in both profiles', async () => {
  const answer = await api.call('GET', '/models');
  expect(answer.status).toBe(200);
  const { items } = await api.client.GET('/models');
  expect(new Set(items.map((i) => i.profile))).toEqual(new Set(['reader', 'ollama']));
  expect(items.find((i) => i.profile === 'ollama' && i.task === 'describe_slide')?.model).toBe('gemma3:12b');
});

it('200: forgets the pins of one profile and leaves the other alone', async () => {
  await api.db.modelConfiguration.updateMany({ data: { pinnedDigest: 'a'.repeat(64), pinnedAt: new Date() } });
  expect((await api.call('DELETE', '/models/ollama/pins')).status).toBe(200);
  const { items } = await api.client.GET('/models');
  expect(items.filter((i) => i.profile === 'ollama').map((i) => i.pinnedDigest)).toEqual(
    items.filter((i) => i.profile === 'ollama').map(() => null),
  );
  expect(items.filter((i) => i.profile === 'reader').every((i) => i.pinnedDigest === 'a'.repeat(64))).toBe(true);
});

it('400: a profile that does not exist', async () => {
  expect(await api.call('DELETE', '/models/gpt/pins')).toMatchObject(problem(400, 'invalid_request'));
});
