/**
 * Deleting a deck in full work: its model calls end, nothing of it stays anywhere, and another deck with an equal page keeps what they share.
 * Whatever is killed on the way, it comes to its end.
 */
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import type { DeckhandClient, DeletionDocument } from '../../api/client.ts';
import { saveHtmlReport } from '../../cli/decks/follow.ts';
import { makeDeletionWorkflowId } from '../../contracts/deletion.ts';
import { drawPlainDeck, plainDeck, plainSlides, type PlainSlide } from '../../testing/plain-deck.ts';
import { startScriptedRig, SLOTS } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts';
import { perFile } from '../../testing/per-file.ts';

/** A word that stands in one deck alone. */
const MARK = 'Zyxandrine';
const FILE_NAME = 'quokkaton-pitch.pdf';
const SHARED: PlainSlide = { title: 'Confidential', lines: ['Four in ten patients forget their medication.'] };

const receiver = perFile(startWebhookReceiver);
// In clear, so that what the histories say can be read here.
const rig = perFile(() =>
  startScriptedRig({ template: 'short', environment: { DECKHAND_ENCRYPTION: 'off', DECKHAND_LOST_WORKER_SEC: '3' } }),
);
afterEach(() => rig.reader.script({}));

const deckWithSharedPage = (company: string): Promise<Buffer> => drawPlainDeck([SHARED, ...plainSlides(company)]);

const deleted = (deckId: string): Promise<DeletionDocument> =>
  until(() => rig.client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } })).is(
    ({ state }) => state === 'deleted',
  );

/** Tables with a row in which one of these texts stands. */
async function tablesThatName(texts: readonly string[]): Promise<string[]> {
  const tables = await rig.db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  expect(tables.length).toBeGreaterThan(30);
  const naming: string[] = [];
  for (const { name } of tables) {
    const rows = await rig.db.$queryRawUnsafe<{ count: bigint }[]>(
      `SELECT count(*) FROM "${name}" t WHERE t::text ILIKE ANY ($1)`,
      texts.map((text) => `%${text}%`),
    );
    if (Number(rows[0]?.count ?? 0) > 0) naming.push(name);
  }
  return naming;
}

/** Paths of the blob directory that name one of these texts. */
const blobsThatName = (texts: readonly string[]): string[] =>
  readdirSync(rig.config.blobDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    texts.some((text) => file.includes(text)),
  );

/** Runs that Temporal's search finds. */
async function runs(query: string): Promise<{ workflowId: string; runId: string }[]> {
  const found: { workflowId: string; runId: string }[] = [];
  for await (const { workflowId, runId } of rig.temporal.workflow.list({ query })) found.push({ workflowId, runId });
  return found;
}

/** Everything a history says, with its payloads as text. */
async function wordsOf(workflowId: string): Promise<string> {
  const history = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
  return JSON.stringify(history, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
  );
}

it('deleting a deck stops its calls, leaves nothing of it, and takes nothing from a deck with an equal page', async ({
  annotate,
}) => {
  await rig.client.POST('/webhooks', { body: { url: receiver.url } });
  const deckId = await rig.upload(await deckWithSharedPage(MARK), FILE_NAME);
  const { sha256 } = await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } });
  const first = await rig.review(deckId);
  const kept = await saveHtmlReport(rig.client, first, rig.config.home);
  const neighbour = await rig.upload(await deckWithSharedPage('Borealin'), 'borealin.pdf');
  const neighbourReport = await rig.review(neighbour);
  // The equal page was answered from what the first deck had paid for.
  const sharedCalls = await rig.db.modelCall.findMany({
    where: { analysisId: neighbourReport.analysisId, slideNumber: 1, cached: true },
  });
  expect(sharedCalls.map((call) => call.task).toSorted()).toEqual(['describe_slide', 'slide_feedback']);
  const deliveries = await until(() => rig.db.webhookDelivery.findMany({ where: { analysisId: first.analysisId } })).is(
    (rows) => rows.length === 1 && rows[0]?.state === 'delivered',
  );

  await rig.reader.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
  const second = await rig.client.startAnalysis(deckId, { language: 'de' });
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === SLOTS);
  const analysisIds = [first.analysisId, second.analysisId];
  // The search shows a new run a little late.
  const runsBefore = await until(() => runs(`DeckId = '${deckId}'`)).is((found) => found.length >= analysisIds.length);
  expect(runsBefore.map((run) => run.workflowId).toSorted()).toEqual(
    analysisIds.map((id) => `analysis/${id}`).toSorted(),
  );
  const texts = [deckId, ...analysisIds, FILE_NAME.replace('.pdf', ''), MARK];
  // What is looked for is there before.
  expect(await tablesThatName(texts)).toEqual(expect.arrayContaining(['Analysis', 'Deck', 'ModelResult', 'Slide']));
  expect(blobsThatName([deckId, sha256]).length).toBeGreaterThan(6);
  expect(existsSync(kept)).toBe(true);

  const askedAtMs = performance.now();
  expect(await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } })).toMatchObject({
    deckId,
    state: 'deleting',
  });
  await until(() => rig.reader.stats()).is((stats) => stats.inFlight === 0 && stats.open === 0);
  await annotate(`its model calls ended after ${((performance.now() - askedAtMs) / 1000).toFixed(1)} s`);
  const callsAtEnd = (await rig.reader.stats()).calls;
  const deletion = await deleted(deckId);
  expect((await rig.reader.stats()).calls).toBe(callsAtEnd);

  expect(deletion.removed).toMatchObject({ analyses: 2, slides: 6, histories: 3 });
  expect(deletion.removed?.modelResults).toBeGreaterThan(30);
  expect(await tablesThatName(texts)).toEqual([]);
  expect(blobsThatName([deckId, sha256])).toEqual([]);
  expect(existsSync(kept)).toBe(false);
  expect(await runs(`DeckId = '${deckId}'`)).toEqual([]);
  for (const { workflowId, runId } of [
    ...runsBefore,
    ...deliveries.map((delivery) => ({ workflowId: `webhook/${delivery.id}`, runId: '' })),
  ]) {
    await until(() =>
      rig.temporal.workflow
        .getHandle(workflowId, runId)
        .describe()
        .then(String, (error: Error) => error.name),
    ).is('WorkflowNotFoundError');
  }
  const words = await wordsOf(makeDeletionWorkflowId(deckId));
  expect(words).toContain(deckId);
  for (const text of [FILE_NAME, MARK]) expect(words).not.toContain(text);
  expect(await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } })).toEqual(deletion);

  // The other deck has all of its own, and what both had.
  expect(await rig.client.report(neighbourReport.analysisId)).toEqual(neighbourReport);
  await rig.reader.script({});
  await rig.review(neighbour);
  expect((await rig.reader.stats()).calls).toBe(callsAtEnd);
  // The same PDF is a new deck.
  const again = await rig.upload(await deckWithSharedPage(MARK), FILE_NAME);
  expect(again).not.toBe(deckId);
  expect((await rig.review(again, { taskType: 'deck_date_extraction' })).status).toBe('completed');
});

/** The answer, or null while what answers is being started again. */
const whenThere = async <T>(ask: (client: DeckhandClient) => Promise<T>): Promise<T | null> => {
  try {
    return await ask(rig.client);
  } catch {
    return null;
  }
};

it.each([['control'], ['temporal'], ['postgres'], ['api']])(
  'the deletion of a deck ends although %s is killed',
  async (service) => {
    const name = `Killed ${service}`;
    const deckId = await rig.upload(await plainDeck(name), `${service}.pdf`);
    await rig.reader.script({ rules: [{ match: { task: 'slide_feedback' }, fault: { wedge: true } }] });
    const { analysisId } = await rig.client.startAnalysis(deckId);
    await until(() => rig.reader.stats()).is((stats) => stats.inFlight > 0);
    await rig.client.DELETE('/decks/{id}', { params: { path: { id: deckId } } });
    process.kill(await rig.pidOf(service), 'SIGKILL');
    await until(() =>
      whenThere((client) => client.GET('/decks/{id}/deletion', { params: { path: { id: deckId } } })),
    ).is((answer) => answer?.state === 'deleted');
    expect(await tablesThatName([deckId, analysisId, name])).toEqual([]);
    expect(blobsThatName([deckId])).toEqual([]);
    expect(await runs(`DeckId = '${deckId}'`)).toEqual([]);
    // The call is cut, long before its own limit of two minutes.
    await vi.waitFor(async () => expect((await rig.reader.stats()).inFlight).toBe(0), { timeout: 30_000 });
  },
);
