/**
 * What the Temporal server keeps on its disk says nothing about decks: rare words, put where content is, are searched in the raw bytes of its
 * database, after a run that completed and after runs that failed with messages and stacks that quote them. Keys rotate under runs, and
 * operators are shown what is there.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isFinished } from '../../../domain/decks/report.ts';
import { clientApiKey } from '../../../platform/own-api-key.ts';
import { readKeyFile } from '../../../platform/temporal/key-file.ts';
import { KEY_ID_FIELD } from '../../../platform/temporal/payload-codec.ts';
import { onePage } from '../../fixtures/hostile/decks.ts';
import { runCommand } from '../../../testing/command.ts';
import { drawPlainDeck, plainDeck, plainSlides } from '../../../testing/plain-deck.ts';
import { startRig, type Rig } from '../../../testing/rig.ts';
import { until } from '../../../testing/until.ts';
import { findInFiles } from '../../../testing/find-in-files.ts';

/**
 * A word that nothing else in the world contains. Letters only, so that no encoding breaks it up. Syllables, so that a page with it counts
 * as language and its text layer as its text.
 */
const rareWord = (): string =>
  `Qu${Array.from(randomBytes(16), (byte) => `${'aeio'.charAt(byte >> 6)}${'bdfgklmnprstvwxz'.charAt(byte & 15)}`).join('')}`;

interface Markers {
  readonly company: string;
  readonly fileName: string;
  readonly deckText: string;
  readonly prompt: string;
}

/** Puts a new version of a prompt into use, as an operator does it. */
async function usePrompt(rig: Rig, task: string, sentence: string): Promise<void> {
  const prompt = await rig.db.prompt.findFirstOrThrow({ where: { task }, include: { versions: true } });
  const active = prompt.versions.find((v) => v.version === prompt.activeVersion);
  const version = Math.max(...prompt.versions.map((v) => v.version)) + 1;
  const { tenantId, id: promptId } = prompt;
  const body = `${active?.body ?? ''}\n${sentence}`;
  await rig.db.promptVersion.create({ data: { id: `${promptId}@${version}`, tenantId, promptId, version, body } });
  await rig.db.prompt.update({ where: { id: promptId }, data: { activeVersion: version } });
}

async function markedDeck(rig: Rig, { company, fileName, deckText }: Markers, note: string): Promise<string> {
  const [cover, ...others] = plainSlides(company);
  const slides = [{ title: company, lines: [...(cover?.lines ?? []), deckText, note] }, ...others.slice(0, 1)];
  return rig.upload(await drawPlainDeck(slides), `${fileName} ${note}.pdf`);
}

/** Failures in a run's history as the server has them. */
async function failuresOf(handle: WorkflowHandle): Promise<string> {
  const { events } = await handle.fetchHistory();
  const failures = (events ?? []).flatMap(
    (e) => e.activityTaskFailedEventAttributes?.failure ?? e.workflowExecutionFailedEventAttributes?.failure ?? [],
  );
  return JSON.stringify(failures);
}

/** Reviews that complete, have gaps, wait and fail, with the markers in all of them. Returns what the API said of the one that waited. */
async function review(rig: Rig, markers: Markers): Promise<{ waitingFor: string; failures: string }> {
  const { reader } = rig;
  if (reader === undefined) throw new Error('this rig has no reader of its own');
  const runOf = (workflowId: string): WorkflowHandle => rig.temporal.workflow.getHandle(workflowId);
  await usePrompt(rig, 'describe_slide', `Note ${markers.prompt}.`);

  const good = await rig.review(await markedDeck(rig, markers, 'good'));
  expect(good.status).toBe('completed');
  expect(good.company).toContain(markers.company);

  // The server refuses and quotes what it was asked: messages and stacks are full of the deck and the prompt.
  await reader.script({
    rules: [
      { match: { task: 'describe_slide' }, fault: { status: 400, error: 'json: cannot unmarshal', quote: true } },
    ],
  });
  const gaps = await rig.review(await markedDeck(rig, markers, 'gaps'), { taskType: 'visual_analysis' });
  expect(gaps.gaps.map((gap) => gap.code)).toContain('model_input_rejected');

  await reader.script({ rules: [{ match: { task: 'describe_slide' }, fault: { status: 500, quote: true } }] });
  const retriedDeck = await markedDeck(rig, markers, 'retried');
  const retried = await rig.client.startAnalysis(retriedDeck, { models: 'reader', taskType: 'visual_analysis' });
  const { progress } = await until(() => rig.analysis(retried.analysisId)).is(
    (status) => status.progress.waitingFor?.startsWith('another try') === true,
  );
  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: retried.analysisId } } });
  await until(() => runOf(retried.workflowId).describe()).is((run) => run.status.name !== 'RUNNING');
  await reader.script({});

  const broken = await rig.client.startAnalysis(
    await rig.upload(onePage('/MediaBox[0 0 14400 10]', ''), `${markers.fileName} broken.pdf`),
    {
      models: 'reader',
    },
  );
  await until(() => runOf(broken.workflowId).describe()).is((run) => run.status.name === 'FAILED');
  const failures = await Promise.all([runOf(`analysis/${gaps.analysisId}`), runOf(broken.workflowId)].map(failuresOf));
  return { waitingFor: progress.waitingFor ?? '', failures: failures.join('\n') };
}

/** Ids of the keys that encrypted the payloads of a run's history. */
async function keysOf(handle: WorkflowHandle): Promise<string[]> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    if (KEY_ID_FIELD in value && value[KEY_ID_FIELD] instanceof Uint8Array) {
      found.add(Buffer.from(value[KEY_ID_FIELD]).toString());
    }
    Object.values(value).forEach(look);
  };
  look((await handle.fetchHistory()).events);
  return [...found];
}

const newMarkers = (): Markers => ({
  company: rareWord(),
  fileName: rareWord(),
  deckText: rareWord(),
  prompt: rareWord(),
});
const databaseOf = (rig: Rig): string => path.join(rig.config.home, 'temporal');
/** Temporal's own, with what has not yet been brought into it. */
const DATABASE_FILES = ['temporal.db', 'temporal.db-wal', 'temporal.db-shm'];

describe('with encryption', () => {
  const markers = newMarkers();
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it('Temporal’s database holds no word of a deck, its name, its company or a prompt, and Deckhand reads what it holds', async () => {
    const { waitingFor, failures } = await review(rig, markers);
    expect(readdirSync(databaseOf(rig))).toEqual(expect.arrayContaining(DATABASE_FILES));
    expect(findInFiles(databaseOf(rig), { ...markers })).toEqual([]);
    expect(waitingFor).toBe('another try (model crashed)');
    expect(failures).toContain('Encoded failure');
    expect(failures).not.toContain('refused');
  });

  it('a key that is rotated during a run encrypts the rest of it, and all of it is replayed', async () => {
    const { reader } = rig;
    // The deck lasts longer than a command takes to start.
    await reader?.script({ callSeconds: 2 });
    const deckId = await rig.upload(await plainDeck('Rotanda'), 'rotanda.pdf');
    const { analysisId, workflowId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
    const handle = rig.temporal.workflow.getHandle(workflowId);
    await until(() => rig.analysis(analysisId)).is((status) => status.progress.slides.done > 0);
    const [before] = await keysOf(handle);
    const rotated = await cli(rig, ['encryption', 'rotate', '--json']);
    await until(() => keysOf(handle)).is((keys) => keys.includes(rotated.id));
    await reader?.script({ callSeconds: 0.2 });
    // The worker that takes over knows nothing but the history, whose beginning the old key encrypted.
    process.kill(await rig.pidOf('control'), 'SIGKILL');
    await until(() => rig.analysis(analysisId)).is((status) => isFinished(status.status));
    await reader?.script({});
    const report = await rig.client.report(analysisId);
    expect(report.status).toBe('completed');
    expect(report.gaps).toEqual([]);
    expect(new Set(await keysOf(handle))).toEqual(new Set([before, rotated.id]));
    expect(await handle.result()).toMatchObject({ status: 'completed' });
  });

  it('the codec server shows only operators what the server holds', async () => {
    const deckId = await rig.upload(await plainDeck('Clara'), 'clara deck.pdf');
    const { workflowId } = await rig.client.startAnalysis(deckId, { models: 'reader', taskType: 'visual_analysis' });
    const { events } = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
    const held = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    const payload = {
      metadata: Object.fromEntries(
        Object.entries(held?.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: Buffer.from(held?.data ?? []).toString('base64'),
    };
    const origin = new URL(rig.runtime.temporalUiUrl ?? '').origin;
    const ask = (direction: string, key: string | undefined, body: unknown): Promise<Response> =>
      fetch(`${rig.runtime.apiUrl}/api/v1/codec/${direction}`, {
        method: 'POST',
        headers: {
          origin,
          'x-namespace': 'default',
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      });
    const operator = clientApiKey(rig.config);
    const decoded = await ask('decode', operator, { payloads: [payload] });
    expect(decoded.headers.get('access-control-allow-origin')).toBe(origin);
    expect(decoded.headers.get('cache-control')).toBe('no-store');
    const clear = (await decoded.json()) as { payloads: { data: string; metadata: { encoding: string } }[] };
    expect(Buffer.from(clear.payloads[0]?.metadata.encoding ?? '', 'base64').toString()).toBe('json/plain');
    const input: unknown = JSON.parse(Buffer.from(clear.payloads[0]?.data ?? '', 'base64').toString());
    expect(input).toMatchObject({ deckId, deckLabel: 'clara deck.pdf' });

    const encoded = (await (await ask('encode', operator, clear)).json()) as { payloads: unknown[] };
    expect(JSON.stringify(encoded)).not.toContain(clear.payloads[0]?.data);
    expect(await (await ask('decode', operator, encoded)).json()).toEqual(clear);

    const damaged = { ...payload, data: Buffer.from('x'.repeat(60)).toString('base64') };
    expect((await ask('decode', operator, { payloads: [damaged] })).status).toBe(422);
    expect((await ask('decode', operator, { payloads: [{ data: 'not base64!' }] })).status).toBe(400);
    expect((await ask('decode', operator, { payloads: [], filler: 'x'.repeat(9 * 1024 * 1024) })).status).toBe(400);
    const analyst = await rig.client.POST('/keys', { body: { name: 'Analyst', role: 'analyst' } });
    expect((await ask('decode', analyst.key, { payloads: [payload] })).status).toBe(403);
    const refused = await ask('decode', undefined, { payloads: [payload] });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('the Temporal UI is told where the codec server is', async () => {
    const response = await fetch(`${rig.runtime.temporalUiUrl}/api/v1/settings`);
    const endpoint = `${rig.runtime.apiUrl}/api/v1/codec`;
    expect(await response.json()).toMatchObject({ Codec: { Endpoint: endpoint, IncludeCredentials: true } });
  });
});

it('without encryption Temporal’s database holds each of them, which shows that the search finds them', async () => {
  const markers = newMarkers();
  const rig = await startRig({ environment: { DECKHAND_ENCRYPTION: 'off' } });
  try {
    const { failures } = await review(rig, markers);
    const found = findInFiles(databaseOf(rig), { ...markers });
    for (const name of Object.keys(markers)) {
      expect(found.filter((line) => line.startsWith(`${name} `) && line.endsWith('utf-8'))).not.toEqual([]);
    }
    expect(failures).toContain('The model server refused the input.');
    expect(failures).not.toContain('Encoded failure');
    expect(readKeyFile(rig.config.home)).toBeUndefined();
  } finally {
    await rig.stop();
  }
});

/** Runs a command on the rig's data directory. Returns its JSON document. */
async function cli(rig: Rig, args: readonly string[]): Promise<{ readonly id: string }> {
  const { code, stdout, stderr } = await runCommand(args, {
    ...rig.config.environment,
    DECKHAND_HOME: rig.config.home,
  });
  expect(code, stderr).toBe(0);
  return z.object({ id: z.string() }).parse(JSON.parse(stdout));
}
