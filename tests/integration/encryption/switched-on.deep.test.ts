/** Encryption that is switched on over a data directory with runs in clear. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { createDeckhandClient, type DeckhandClient } from '../../../api/client.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import { loadConfig, type Config } from '../../../platform/config.ts';
import { clientApiKey } from '../../../platform/own-api-key.ts';
import { startRuntime, type Runtime } from '../../../runtime/runtime.ts';
import { connectTemporal } from '../../../platform/temporal.ts';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import { DELETION_WORKFLOW, type DeletionInput } from '../../../contracts/deletion.ts';
import { plainDeck } from '../../../testing/plain-deck.ts';
import { until } from '../../../testing/until.ts';
import { failureOf } from './workflow-failure.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const home = folderPerFile();

it('a data directory whose encryption is switched on goes on with the runs that began in clear, and refuses what begins in clear later', async () => {
  const configOf = (encryption: 'on' | 'off'): Config =>
    loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home, DECKHAND_ENCRYPTION: encryption });
  const inRuntime = async <T>(
    encryption: 'on' | 'off',
    use: (client: DeckhandClient, runtime: Runtime) => Promise<T>,
  ): Promise<T> => {
    const config = configOf(encryption);
    const runtime = await startRuntime(config, { models: 'reader' });
    try {
      return await use(createDeckhandClient(runtime.apiUrl, { apiKey: clientApiKey(config) }), runtime);
    } finally {
      await runtime.stop();
    }
  };
  const file = path.join(home, 'clara.pdf');
  writeFileSync(file, await plainDeck('Clara'));
  const { deckId, analysisId } = await inRuntime('off', async (client) => {
    const { id } = await client.uploadDeck(file);
    const started = await client.startAnalysis(id, { models: 'reader' });
    await client.POST('/analyses/{id}/pause', { params: { path: { id: started.analysisId } } });
    await until(() => client.GET('/analyses/{id}', { params: { path: { id: started.analysisId } } })).is(
      ({ progress }) => progress.paused,
    );
    return { deckId: id, analysisId: started.analysisId };
  });
  await inRuntime('on', async (client, { temporalAddress: address, temporalNamespace: namespace }) => {
    const stranger = new Client({ connection: await Connection.connect({ address }), namespace });
    const run = await stranger.workflow.start(DELETION_WORKFLOW, {
      workflowId: 'clear-deletion',
      taskQueue: CONTROL_QUEUE,
      args: [{ tenantId: 'default', deckId } satisfies DeletionInput],
    });
    const temporal = await connectTemporal({ address, namespace }, configOf('on'));
    expect(await failureOf(temporal.workflow.getHandle(run.workflowId).result())).toBe('payload_in_clear');
    for (const { connection } of [stranger, temporal]) await connection.close();
    await client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } });
    const { status } = await until(() => client.GET('/analyses/{id}', { params: { path: { id: analysisId } } })).is(
      (now) => isFinished(now.status),
    );
    expect(status).toBe('completed');
    expect((await client.report(analysisId)).gaps).toEqual([]);
  });
});
