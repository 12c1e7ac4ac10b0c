/** Deleting a deck: what the routes say while it goes on and afterwards, and that what the deletion removes is gone. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createDeletionActivities } from '../../../activities/deletion/activities.ts';
import { storePages } from '../../../activities/convert/activities.ts';
import { Histories } from '../../../activities/deletion/histories.ts';
import { removeAnalyses, removeDeckFiles } from '../../../activities/deletion/remove.ts';
import { repairAnalyses } from '../../../activities/decks/repair.ts';
import type { DeckDocument, DeletionDocument } from '../../../api/client.ts';
import { resumeDeletions } from '../../../activities/deletion/start.ts';
import { storeDeck } from '../../../api/decks/store.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { deckPdfKey, slideImageKey } from '../../../platform/blobs.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { createLogger } from '../../../platform/log.ts';
import { reportFile } from '../../../platform/report-files.ts';
import { scratchDir } from '../../../platform/scratch.ts';
import { DECK_WORKFLOW } from '../../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import { DELETION_WORKFLOW, makeDeletionWorkflowId } from '../../../contracts/deletion.ts';
import { makeDeliveryWorkflowId } from '../../../contracts/webhooks.ts';
import { ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { aWebhook, aModelResult, TENANT, aModelCall } from '../../../testing/make.ts';
import { until } from '../../../testing/until.ts';
import type { StandIn } from './programs/deletion-workflows.ts';
import { OTHER_TENANT, pdfBytes, serveApi, startTestApi } from './support.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { perFile } from '../../../testing/per-file.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';

const WORKFLOWS = fileURLToPath(new URL('./programs/deletion-workflows.ts', import.meta.url));
const log = createLogger('test', { logLevel: 'silent' });

const api = perFile(startTestApi);

const deletionOf = (deckId: string) => api.temporal.workflow.getHandle(makeDeletionWorkflowId(deckId));

/** Runs of any state that a search finds. */
async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const run of api.temporal.workflow.list({ query })) ids.push(run.workflowId);
  return ids;
}

/** A run of the stand-in, with the row of an analysis unless it is to have none. */
async function run(deckId: string, standIn: StandIn, row?: Analysis): Promise<string> {
  const workflowId = row?.workflowId ?? `analysis/${randomUUID()}`;
  await api.temporal.workflow.start(DECK_WORKFLOW, {
    taskQueue: CONTROL_QUEUE,
    workflowId,
    args: [standIn],
    typedSearchAttributes: [{ key: ATTRIBUTES.deckId, value: deckId }],
  });
  return workflowId;
}

it('a deck that is being deleted says so, is in no list, and takes neither an analysis nor its own PDF', async () => {
  const bytes = pdfBytes();
  const deck = (await api.upload(bytes)).body as DeckDocument;
  const row = await api.analysisRow({ deckId: deck.id, createdAt: new Date(Date.now() - 60_000) });
  const asked = await api.call('DELETE', `/decks/${deck.id}`);
  expect(asked).toMatchObject({
    status: 202,
    body: { deckId: deck.id, state: 'deleting', finishedAt: null, removed: null },
  });
  expect(await api.call('DELETE', `/decks/${deck.id}`)).toEqual({ ...asked, headers: expect.anything() as Headers });
  expect((await api.call('GET', `/decks/${deck.id}/deletion`)).body).toEqual(asked.body);
  expect((await deletionOf(deck.id).describe()).status.name).toBe('RUNNING');
  expect(await found(`DeckId = '${deck.id}'`)).toEqual([]);

  const { requestedAt } = asked.body as DeletionDocument;
  expect((await api.call('GET', `/decks/${deck.id}`)).body).toMatchObject({ deletingAt: requestedAt });
  const decks = (await api.call('GET', '/decks')).body as { items: DeckDocument[] };
  expect(decks.items.map((item) => item.id)).not.toContain(deck.id);
  expect((await api.call('GET', `/analyses?deck=${deck.id}`)).body).toMatchObject({ items: [] });
  for (const refused of [
    await api.post(`/decks/${deck.id}/analyses`, {}),
    await api.post(`/decks/${deck.id}/tasks/visual_analysis`, {}),
    await api.upload(bytes),
  ]) {
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('deleted') as string },
    });
  }
  // The sweep neither starts its runs nor ends them.
  await repairAnalyses({ ...api, log });
  expect(await api.db.analysis.findUnique({ where: { id: row.id } })).toMatchObject({ status: 'queued' });
  expect(await found(`WorkflowId = '${row.workflowId}'`)).toEqual([]);
});

it('a deck that is not being deleted has no deletion', async () => {
  const deck = await api.deck();
  expect(await api.call('GET', `/decks/${deck.id}/deletion`)).toMatchObject({ status: 404 });
});

it('what was asked for while Temporal was away, or was ended by hand, is begun by the next sweep', async () => {
  const deck = await api.deck();
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const server = await serveApi({ ...api, temporal: new Client({ connection, namespace: api.temporalNamespace }) });
  const answer = await fetch(`${server.url}/api/v1/decks/${deck.id}`, {
    method: 'DELETE',
    headers: api.authorization,
  });
  expect(answer.status).toBe(202);
  await server.close();
  await connection.close();
  expect(await found(`WorkflowId = '${makeDeletionWorkflowId(deck.id)}'`)).toEqual([]);

  await resumeDeletions(api.db, api.temporal);
  const first = await deletionOf(deck.id).describe();
  await deletionOf(deck.id).terminate('by hand');
  await resumeDeletions(api.db, api.temporal);
  await resumeDeletions(api.db, api.temporal);
  const second = await deletionOf(deck.id).describe();
  expect([first.status.name, second.status.name]).toEqual(['RUNNING', 'RUNNING']);
  expect(second.runId).not.toBe(first.runId);
});

describe('the deletion', () => {
  perFile(() =>
    startTestWorker(api, {
      taskQueue: CONTROL_QUEUE,
      workflowsPath: WORKFLOWS,
      activities: { ...createDeletionActivities({ ...api, home: api.config.home }) },
    }),
  );

  it('the deletion ends what runs, removes every history, and leaves what another deck uses', async () => {
    const deck = await api.deck();
    const neighbour = await api.deck();
    const rows = {
      heeding: await api.analysisRow({ deckId: deck.id, status: 'running' }),
      stubborn: await api.analysisRow({ deckId: deck.id, status: 'running' }),
      continued: await api.analysisRow({ deckId: deck.id, status: 'completed' }),
      neverStarted: await api.analysisRow({ deckId: deck.id, createdAt: new Date(Date.now() - 60_000) }),
      other: await api.analysisRow({ deckId: neighbour.id, status: 'completed' }),
    };
    const workflowIds = [
      await run(deck.id, {}, rows.heeding),
      await run(deck.id, { stubborn: true }, rows.stubborn),
      await run(deck.id, { continues: 3 }, rows.continued),
      // Started at the very moment: it has no row.
      await run(deck.id, {}),
    ];
    const [, , continued = ''] = workflowIds;
    await until(() => found(`WorkflowId = '${continued}'`)).is((runs) => runs.length === 4);
    await aWebhook(api.db);
    await api.db.webhookDelivery.create({
      data: {
        id: 'told',
        tenantId: TENANT,
        webhookId: 'hook',
        analysisId: rows.continued.id,
        event: 'analysis.completed',
      },
    });
    await api.temporal.workflow.start('deliverWebhook', {
      taskQueue: 'no-worker',
      workflowId: makeDeliveryWorkflowId('told'),
    });
    await storeResults({ own: [rows.heeding, rows.continued], shared: [rows.heeding, rows.other] });
    const report = reportFile(api.config.home, deck.fileName, rows.continued.id);
    const otherReport = reportFile(api.config.home, neighbour.fileName, rows.other.id);
    mkdirSync(path.dirname(report), { recursive: true });
    for (const file of [report, otherReport]) writeFileSync(file, 'review');
    // What a killed process left of both decks.
    const leftBehind = path.join(scratchDir(api.config.home), 'process-1-killed');
    for (const { id } of [deck, neighbour]) mkdirSync(path.join(leftBehind, `${id}-pages`), { recursive: true });

    // As the API starts it, but for the time that runs have to end.
    await api.db.deck.update({ where: { id: deck.id }, data: { deletingAt: new Date() } });
    const removed = await api.temporal.workflow.execute(DELETION_WORKFLOW, {
      taskQueue: CONTROL_QUEUE,
      workflowId: makeDeletionWorkflowId(deck.id),
      args: [{ tenantId: TENANT, deckId: deck.id, runEndLimitMs: 1000 }],
      typedSearchAttributes: [{ key: ATTRIBUTES.tenant, value: TENANT }],
    });
    expect(removed).toEqual({ analyses: 4, slides: 0, modelResults: 1, histories: 7 });

    for (const workflowId of [...workflowIds, makeDeliveryWorkflowId('told')]) {
      await expect(api.temporal.workflow.getHandle(workflowId).describe()).rejects.toThrow(/not found/iu);
    }
    const left = () => found(`DeckId = '${deck.id}' OR WorkflowId = '${continued}'`);
    expect(await until(left).is((runs) => runs.length === 0)).toEqual([]);
    expect(await api.db.deck.findUnique({ where: { id: deck.id } })).toBeNull();
    expect(await api.db.analysis.findMany({ where: { id: { in: Object.values(rows).map((row) => row.id) } } })).toEqual(
      [rows.other],
    );
    expect((await api.db.modelResult.findMany()).map((result) => result.contentKey)).toEqual(['shared']);
    expect(await api.db.webhookDelivery.count({ where: { id: 'told' } })).toBe(0);
    expect(readdirSync(path.dirname(report))).toEqual([path.basename(otherReport)]);
    expect(readdirSync(leftBehind)).toEqual([`${neighbour.id}-pages`]);

    const after = await api.call('GET', `/decks/${deck.id}/deletion`);
    expect(after).toMatchObject({ status: 200, body: { state: 'deleted', removed } });
    expect(await api.call('DELETE', `/decks/${deck.id}`)).toMatchObject({ status: 200, body: after.body as object });
    // Whose it was counts when it is gone, too.
    await api.db.apiKey.updateMany({ data: { tenantId: OTHER_TENANT } });
    expect(await api.call('GET', `/decks/${deck.id}/deletion`)).toMatchObject({ status: 404 });
    await api.db.apiKey.updateMany({ data: { tenantId: TENANT } });
  });

  it('the deletion takes nothing away from the same PDF uploaded anew at the very moment', async () => {
    const bytes = pdfBytes();
    const file = path.join(api.config.home, 'again.pdf');
    writeFileSync(file, bytes);
    const sha256 = sha256Hex(bytes);
    const received = { path: file, fileName: 'again.pdf', sha256, sizeBytes: bytes.length };
    const key = deckPdfKey(TENANT, sha256);
    for (let round = 0; round < 25; round += 1) {
      const { deck } = await storeDeck(api, { tenantId: TENANT, uploadedBy: null }, received);
      const image = slideImageKey(TENANT, deck.id, 'r1', 1, 'artefact');
      await api.blobs.put(image, Buffer.from('image'));
      await api.db.deck.update({ where: { id: deck.id }, data: { deletingAt: new Date() } });
      const uploads = Array.from({ length: 3 }, async () => {
        for (;;) {
          try {
            return await storeDeck(api, { tenantId: TENANT, uploadedBy: null }, received);
          } catch (error) {
            if ((error as { code?: string }).code !== 'conflict') throw error;
          }
        }
      });
      // A step that is repeated although it was done must do no harm either.
      const removals = [1, 2].map(() => removeDeckFiles(api, { tenantId: TENANT, deckId: deck.id }));
      const [again] = await Promise.all([Promise.all(uploads), ...removals]);
      await removeDeckFiles(api, { tenantId: TENANT, deckId: deck.id });
      expect(new Set(again.map((upload) => upload.deck.id)).size).toBe(1);
      expect(again[0]?.deck.id).not.toBe(deck.id);
      expect(await api.blobs.has(key)).toBe(true);
      expect(await api.blobs.has(image)).toBe(false);
      await removeDeckFiles(api, { tenantId: TENANT, deckId: again[0]?.deck.id ?? '' });
      expect(await api.blobs.has(key)).toBe(false);
    }
  });
});

it('pages that are drawn when their deck is gone leave no images', async () => {
  const deck = await api.deck();
  const drawn = path.join(api.config.home, 'page.jpg');
  writeFileSync(drawn, 'image');
  const row = { ...deck, tenantId: TENANT, pageCount: 1 };
  const page = {
    number: 1,
    renderer: 'pdfium' as const,
    widthPx: 1,
    heightPx: 1,
    layout: pageOfText(''),
    ocrFault: null,
    modelSha256: 'aa',
  };
  const pages = [{ ...page, artefactPath: drawn, modelPath: drawn }];
  await storePages(api, row, pages);
  expect(await api.db.slide.count({ where: { deckId: deck.id } })).toBe(1);

  await api.db.deck.update({ where: { id: deck.id }, data: { deletingAt: new Date() } });
  await removeDeckFiles(api, { tenantId: TENANT, deckId: deck.id });
  await expect(storePages(api, row, pages)).rejects.toThrow();
  const left = readdirSync(api.config.blobDir, { recursive: true, encoding: 'utf8', withFileTypes: true });
  expect(left.filter((entry) => entry.isFile() && entry.parentPath.includes(deck.id))).toEqual([]);
});

it('of two decks that share pages and go at the same time, one takes the shared results along', async () => {
  const histories = new Histories(api.temporal);
  const shared = Array.from({ length: 8 }, (_, i) => `both-${i}`);
  for (let round = 0; round < 25; round += 1) {
    const decks = [await api.deck(), await api.deck()];
    const rows = await Promise.all(decks.map((deck) => api.analysisRow({ deckId: deck.id, status: 'completed' })));
    await storeResults(Object.fromEntries(shared.map((key) => [key, rows])));
    const removals = await Promise.all(
      decks.map((deck) => removeAnalyses({ db: api.db, home: api.config.home }, histories, { deckId: deck.id })),
    );
    expect(removals.reduce((sum, { removed }) => sum + removed.modelResults, 0)).toBe(shared.length);
    expect(await api.db.modelResult.count({ where: { contentKey: { in: shared } } })).toBe(0);
  }
});

/** Stored results by content key, with the analyses whose calls name them. */
async function storeResults(users: Readonly<Record<string, readonly Analysis[]>>): Promise<void> {
  for (const [contentKey, analyses] of Object.entries(users)) {
    await aModelResult(api.db, { contentKey });
    for (const { id } of analyses) await aModelCall(api.db, { analysisId: id, contentKey, state: 'stored' });
  }
}
