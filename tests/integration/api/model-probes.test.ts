/** Findings about models and speeds of machines, through the API. */
import { expect, it } from 'vitest';
import { servedWindows, storeFindings, storeSpeed } from '../../../activities/models/probes/store.ts';
import { newFindings } from '../../../domain/models/probes/findings.ts';
import { anInstance } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startTestApi } from './support.ts';

const api = perFile(startTestApi);

it('200: shows what was found out about models and how fast machines are, of one model by its short name', async () => {
  const findings = { ...newFindings(16_384, false), answers: 'alone' as const, windowTokens: 4096 };
  const version = (modelName: string) => ({ digest: modelName, serverVersion: '0.34.4', modelName });
  await storeFindings(api.db, version('phi4:latest'), findings);
  await storeFindings(api.db, version('qwen3:8b'), findings);
  const alone = { readTokensPerSec: 900, writeTokensPerSec: 40 };
  const machine = { instance: 'static-0', digest: 'phi4:latest', modelName: 'phi4:latest' };
  await storeSpeed(api.db, machine, { alone, full: null, slots: 2 });
  await storeSpeed(api.db, machine, { alone, full: alone, slots: 2 });

  const { models, machines } = await api.client.GET('/models/probes', { params: { query: { model: 'phi4' } } });
  expect(models).toMatchObject([{ model: 'phi4:latest', serverVersion: '0.34.4', findings }]);
  expect(models[0]?.table).toContainEqual({
    probe: 'window',
    found: 'serves 4,096 tokens, 16,384 are configured',
  });
  expect(machines).toMatchObject([{ instance: 'static-0', alone, full: alone, slots: 2, samples: 2 }]);
  const all = await api.client.GET('/models/probes', { params: { query: {} } });
  expect(all.models).toHaveLength(2);
});

it('speeds of machines that have ended are not shown', async () => {
  for (const [name, phase] of [
    ['static-1', 'ready'],
    ['static-2', 'gone'],
  ] as const) {
    await anInstance(api.db, { name, phase });
    const speed = { alone: { readTokensPerSec: 900, writeTokensPerSec: 40 }, full: null, slots: 2 };
    await storeSpeed(api.db, { instance: name, digest: 'ended:1', modelName: 'ended:1' }, speed);
  }
  const { machines } = await api.client.GET('/models/probes', { params: { query: { model: 'ended:1' } } });
  expect(machines).toMatchObject([{ instance: 'static-1' }]);
});

it('a window counts from when it was first seen, not from when it was looked at again', async () => {
  const where = { digest: 'window' };
  const store = (windowTokens: number) =>
    storeFindings(
      api.db,
      { ...where, serverVersion: '1', modelName: 'm' },
      { ...newFindings(16_384, false), windowTokens },
    );
  const since = async () => (await api.db.modelProbe.findFirstOrThrow({ where })).windowSince.getTime();
  await store(4096);
  const first = await since();
  await store(4096);
  expect(await since()).toBe(first);
  await store(8192);
  expect(await since()).toBeGreaterThanOrEqual(first);
  expect(await servedWindows(api.db, [{ digest: 'window', knownAt: new Date() }])).toEqual(new Map([['window', 8192]]));
  expect(await servedWindows(api.db, [{ digest: 'window', knownAt: new Date(0) }])).toEqual(new Map());
});
