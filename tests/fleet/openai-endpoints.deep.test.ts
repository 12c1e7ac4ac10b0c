/**
 * Model servers of OpenAI's protocol that run already: at an address with a path, behind one that asks for a key and has a path of its own, and
 * as servers in use. Each becomes ready, and a deck is answered by them.
 */
import { describe, expect, it } from 'vitest';
import { keyedServer } from '../../testing/keyed-server.ts';
import { QUICK_SCENARIO, startFleetRig } from '../../testing/fleet-rig.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { startReaderProcess, startRig } from '../../testing/rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

/** A deck of two slides. */
const deck = (company: string) => drawPlainDeck(plainSlides(company).slice(0, 2));

describe('endpoint pools', () => {
  const rig = perFile(async () => {
    const models = await startReaderProcess();
    const gateway = await keyedServer(models.host, 'secret', 'authorization', '/base');
    const at = (url: string) => ({ kind: 'openai' as const, url });
    const started = await startFleetRig({
      servers: sharedServers,
      machineModels: models,
      scenario: QUICK_SCENARIO,
      pools: [
        { name: 'visual', classes: ['gpu-visual'], endpoint: at(`${models.host}/v1`) },
        { name: 'text', classes: ['gpu-text'], endpoint: { ...at(`${gateway.url}/base/v1`), key: 'fixed' } },
      ],
      environment: { DECKHAND_ENDPOINT_KEYS: 'fixed=secret' },
    });
    const stop = async (): Promise<void> => {
      await started.stop();
      await gateway[Symbol.asyncDispose]();
    };
    return { ...started, gateway, stop };
  });

  it('endpoints at a path and behind a path become ready, and answer a deck between them', async () => {
    await until(() => rig.db.fleetInstance.findMany({ where: { endedAt: null } })).is(
      (rows) => rows.length === 2 && rows.every(({ phase }) => phase === 'ready'),
    );
    const report = await rig.review(await rig.upload(await deck('Pfadfinder'), 'p.pdf'));
    expect(report.status).toBe('completed');
    expect(report.slides[0]?.descriptionProvenance).toMatchObject({ model: 'reader-vision:1' });
    const attempts = await rig.db.callAttempt.findMany({ where: { outcome: 'stored' } });
    expect(new Set(attempts.map(({ instanceName }) => instanceName.split('-')[0]))).toEqual(
      new Set(['visual', 'text']),
    );
    expect(rig.gateway.refused).toBe(0);
  });
});

describe('servers in use', () => {
  const rig = perFile(async () => {
    const models = await startReaderProcess();
    const started = await startRig({
      servers: sharedServers,
      ollamaHost: null,
      environment: { DECKHAND_STATIC_HOSTS: `openai+${models.host}/v1` },
    });
    const stop = async (): Promise<void> => {
      await started.stop();
      await models.stop();
    };
    return { ...started, models, stop };
  });

  it('a server whose address says its protocol becomes ready and answers a deck', async () => {
    const report = await rig.review(await rig.upload(await deck('Wegweiser'), 'w.pdf'));
    expect(report.status).toBe('completed');
    expect(report.slides[0]?.descriptionProvenance).toMatchObject({ model: 'reader-vision:1' });
    expect((await rig.models.stats()).callsByTask['describe_slide']).toBe(2);
  });
});
