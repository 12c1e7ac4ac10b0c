/** The event stream of a tenant: what changes in the deck list, resumed after any lost connection. */
import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { TenantFeeds } from '../../../api/events/tenant-feeds.ts';
import { findEntry } from '../../../api/decks/list/entries.ts';
import { readProgress } from '../../../api/events/progress.ts';
import { progressFromDatabase } from '../../../api/decks/analyses/progress.ts';
import type { DeckEntry, DeckEntryPage, StageProgress } from '../../../domain/decks/list/entry.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { createLogger } from '../../../platform/log.ts';
import { aDeck, aModelCall, anAnalysis, NOW, TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { forAll } from '../../../testing/property.ts';
import { until } from '../../../testing/until.ts';
import { aVerdict } from './list/support.ts';
import { OTHER_TENANT, pdfBytes, problem, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);
const log = createLogger('test', { logLevel: 'silent' });

/** A client of the stream that knows what it was told, and goes on from there when it connects again. */
class Follower {
  readonly decks = new Map<string, DeckEntry>();
  readonly gone: string[] = [];
  progress: Record<string, StageProgress> | undefined;
  lastId: string | undefined;
  /** Ids of events in the order in which they came. */
  readonly ids: bigint[] = [];
  #leave: AbortController | undefined;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url = api.url, headers = api.authorization }: { url?: string; headers?: Record<string, string> } = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Connects, and settles when the connection is over. */
  async follow(query = ''): Promise<void> {
    const leave = new AbortController();
    this.#leave = leave;
    const shown = this.lastId === undefined ? {} : { 'last-event-id': this.lastId };
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        const document: unknown = JSON.parse(data);
        if (event === 'progress') this.progress = document as Record<string, StageProgress>;
        if (event === 'gone') this.gone.push((document as { id: string }).id);
        if (event !== 'deck') return;
        const entry = document as DeckEntry;
        this.decks.set(entry.id, entry);
        this.ids.push(BigInt(id ?? ''));
      },
    });
    try {
      const headers = { ...this.#headers, ...shown };
      const response = await fetch(`${this.#url}/api/v1/events${query}`, { headers, signal: leave.signal });
      for await (const chunk of response.body ?? []) {
        const text = Buffer.from(chunk).toString();
        // As browsers do: also of events without data.
        for (const [, id] of text.matchAll(/^id: (\d+)$/gmu)) this.lastId = id;
        parser.feed(text);
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  }

  leave(): void {
    this.#leave?.abort();
  }
}

/** A follower that is connected and knows where the stream is; it leaves with the test. */
async function connected(options: ConstructorParameters<typeof Follower>[0] = {}, query = ''): Promise<Follower> {
  const follower = new Follower(options);
  onTestFinished(() => follower.leave());
  void follower.follow(query);
  await until(() => follower.lastId !== undefined && follower.progress !== undefined).is(true);
  return follower;
}

const entryOf = (deckId: string): Promise<DeckEntry> => findEntry(api.db, TENANT, deckId, ANSWERING_SETTINGS);

it('GET /events tells every change of a deck without anybody’s doing: upload, run, verdict, deletion', async () => {
  const follower = await connected();
  const told = (deckId: string, expected: object) =>
    until(() => follower.decks.get(deckId)).is((entry) => {
      if (entry === undefined) return false;
      const known: Record<string, unknown> = { ...entry };
      return Object.entries(expected).every(([name, value]) => JSON.stringify(known[name]) === JSON.stringify(value));
    });
  const { id } = (await api.upload(pdfBytes(), 'Acme.pdf')).body as { id: string };
  await told(id, { fileName: 'Acme.pdf', status: 'uploaded' });
  const row = await api.analysisRow({ deckId: id });
  await told(id, { status: 'queued' });
  await api.db.analysis.update({ where: { id: row.id }, data: { status: 'running', stage: 'slides' } });
  await told(id, { status: 'running' });
  await aVerdict(api.db, { deckId: id, text: 'hot' });
  await told(id, { tags: ['hot'] });
  await api.db.analysis.update({ where: { id: row.id }, data: { status: 'completed', overallScore: 5 } });
  await told(id, { status: 'completed', score: 5 });
  expect(follower.decks.get(id)).toEqual(await entryOf(id));
  expect((await api.call('DELETE', `/decks/${id}`)).status).toBe(202);
  await until(() => follower.decks.get(id)?.deletingAt ?? null).is((at) => at !== null);
});

it('GET /events tells that a deck is gone, also when it was deleted at once', async () => {
  const follower = await connected();
  const [before, during] = [await api.deck(), await aDeck(api.db)];
  await until(() => follower.decks.has(before.id) && follower.decks.has(during.id)).is(true);
  await Promise.all([api.db.deck.delete({ where: { id: during.id } }), aDeck(api.db)]);
  await until(() => follower.gone).is([during.id]);
  await api.db.deck.delete({ where: { id: before.id } });
  await until(() => follower.gone).is([during.id, before.id]);
});

it('GET /events continues a page of the list, and begins with the present without one', async () => {
  const deck = await api.deck();
  const { eventId } = (await api.call('GET', '/decks')).body as DeckEntryPage;
  await aVerdict(api.db, { deckId: deck.id, text: 'after' });
  await entryOf(deck.id);
  const later = await connected({}, `?after=${eventId}`);
  await until(() => later.decks.get(deck.id)?.tags).is(['after']);
  const now = await connected();
  await aVerdict(api.db, { deckId: deck.id, text: 'zzz' });
  await until(() => now.decks.get(deck.id)?.tags).is(['after', 'zzz']);
  expect([...now.decks.keys()]).toEqual([deck.id]);
  // From the beginning: every deck there is.
  const all = await connected({}, '?after=0');
  const count = await api.db.deckEntry.count({ where: { tenantId: TENANT } });
  await until(() => all.decks.size).is(count);
  expect(all.ids).toEqual(all.ids.toSorted((a, b) => (a < b ? -1 : 1)));
});

it('GET /events 400: a place to continue from that is none', async () => {
  for (const after of ['x', '-1', '1.5', '99999999999999999999', '9223372036854775808']) {
    expect(await api.call('GET', `/events?after=${after}`)).toMatchObject(problem(400, 'invalid_request'));
  }
  expect(await api.call('GET', '/events?since=1')).toMatchObject(problem(400, 'invalid_request'));
});

it('GET /events misses nothing, whenever connections are lost and whichever process answers', async () => {
  const second = await serveInTest(api);
  const decks = await Promise.all(Array.from({ length: 4 }, () => aDeck(api.db)));
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ change: fc.nat(3), tag: fc.nat(99) }) },
    { weight: 2, arbitrary: fc.constantFrom('lose' as const, 'wait' as const) },
  );
  await forAll([fc.array(step, { minLength: 1, maxLength: 25 }), fc.boolean()], { runs: 50 }, async (steps, swaps) => {
    const follower = new Follower();
    const elsewhere = new Follower({ url: second.url });
    let following = follower.follow('?after=0');
    let at = follower;
    const known = new Map<string, DeckEntry>();
    const connect = async (): Promise<void> => {
      at.leave();
      await following;
      for (const [id, entry] of at.decks) known.set(id, entry);
      const next = swaps && at === follower ? elsewhere : follower;
      next.lastId = at.lastId;
      next.decks.clear();
      at = next;
      following = at.follow('?after=0');
    };
    for (const each of steps) {
      if (each === 'lose') await connect();
      else if (each === 'wait') await new Promise((resolve) => setTimeout(resolve, 100));
      else {
        const deckId = decks[each.change]?.id ?? '';
        await aVerdict(api.db, { deckId, kind: 'note', subject: 'deck', item: randomUUID(), text: `${each.tag}` });
      }
    }
    for (const { id } of decks) {
      const entry = await entryOf(id);
      await until(() => at.decks.get(id) ?? known.get(id)).is(entry);
    }
    at.leave();
    await following;
  });
});

it('GET /events tells nothing of another tenant', async () => {
  const stranger = await connected({ headers: await api.keyOf({ tenant: OTHER_TENANT }) }, '?after=0');
  const follower = await connected();
  const ours = await api.deck();
  const theirs = await aDeck(api.db, { tenantId: OTHER_TENANT });
  await until(() => follower.decks.has(ours.id) && stranger.decks.has(theirs.id)).is(true);
  expect(stranger.decks.has(ours.id)).toBe(false);
  expect(follower.decks.has(theirs.id)).toBe(false);
});

it('GET /events ends soon after its key is revoked, and leaves other streams open', async () => {
  const made = await api.client.POST('/keys', { body: { name: 'Gone', role: 'analyst' } });
  const headers = { authorization: `Bearer ${made.key}` };
  const gone = [new Follower({ headers }), new Follower({ headers })].map((follower) => follower.follow());
  const stays = await connected();
  await api.client.DELETE('/keys/{id}', { params: { path: { id: made.id } } });
  await Promise.all(gone);
  const deck = await api.deck();
  await until(() => stays.decks.has(deck.id)).is(true);
});

it('one loop serves all listeners of a tenant, and stops when the last one leaves', async () => {
  const feeds = new TenantFeeds({ ...api, log });
  onTestFinished(() => feeds.close());
  const listeners = Array.from({ length: 20 }, () => {
    const leave = new AbortController();
    return { leave, texts: feeds.listen(TENANT, null, leave.signal) };
  });
  for (const { texts } of listeners) expect((await texts.next()).value).toMatch(/^id: \d+\n\n$/u);
  expect(feeds.size).toBe(1);
  const deck = await aDeck(api.db);
  const seen = await Promise.all(
    listeners.map(async ({ texts }) => {
      for await (const text of texts) if (text.includes(deck.id)) return text;
      return '';
    }),
  );
  expect(new Set(seen).size).toBe(1);
  for (const { leave, texts } of listeners) {
    leave.abort();
    await texts.return();
  }
  expect(feeds.size).toBe(0);
});

it('a listener that does not read is kept the newest state of each deck, and nothing more', async () => {
  const feeds = new TenantFeeds({ ...api, log });
  onTestFinished(() => feeds.close());
  const leave = new AbortController();
  const slow = feeds.listen(TENANT, null, leave.signal);
  const quick = feeds.listen(TENANT, null, leave.signal);
  await slow.next();
  const [a, b] = [await aDeck(api.db), await aDeck(api.db)];
  const note = (deckId: string, item: string) =>
    aVerdict(api.db, { deckId, kind: 'note', subject: 'deck', item, text: 'x' });
  /** Reads until the entry of a deck has so many notes. */
  const read = async (texts: AsyncGenerator<string, void>, deckId: string, notes: number): Promise<string[]> => {
    const seen: string[] = [];
    for (;;) {
      const { value } = await texts.next();
      if (value === undefined) throw new Error('the feed ended');
      if (value.startsWith('event: deck')) seen.push(value);
      if (value.includes(`"id":"${deckId}"`) && value.includes(`"notes":${notes},`)) return seen;
    }
  };
  await read(quick, b.id, 0);
  for (let notes = 1; notes <= 3; notes += 1) {
    await note(a.id, `${notes}`);
    await read(quick, a.id, notes);
  }
  await note(b.id, '1');
  await read(quick, b.id, 1);
  const seen = (await read(slow, b.id, 1)).filter((text) => text.includes(a.id) || text.includes(b.id));
  expect(seen).toHaveLength(2);
  leave.abort();
});

it('GET /events tells how far running reviews are, as an analysis’ own status counts it', async () => {
  const follower = await connected();
  const { id: deckId } = await aDeck(api.db, { pageCount: 5 });
  const { id: analysisId } = await anAnalysis(api.db, { deckId, stage: 'probe' });
  const NO_OUTLOOK = { place: null, expectedSeconds: null };
  const progress = () => follower.progress?.[deckId];
  await until(progress).is({ stage: 'probe', done: 0, total: 0, failed: 0, ...NO_OUTLOOK });
  const call = (slideNumber: number, task: string, state: 'planned' | 'stored' | 'failed') =>
    aModelCall(api.db, { analysisId, slideNumber, task, state });
  for (const task of ['describe_slide', 'slide_feedback']) {
    await call(1, task, 'stored');
    await call(2, task, task === 'describe_slide' ? 'stored' : 'failed');
    await call(3, task, task === 'describe_slide' ? 'failed' : 'planned');
    await call(4, task, 'planned');
  }
  await api.db.analysis.update({ where: { id: analysisId }, data: { stage: 'slides' } });
  await until(progress).is({ stage: 'slides', done: 1, total: 5, failed: 1, ...NO_OUTLOOK });
  const own = { id: analysisId, deckId, stage: 'slides', pageCount: 5, pausedAt: null };
  expect((await progressFromDatabase(api.db, own)).slides).toEqual({ done: 1, total: 5, failed: 1 });

  await aModelCall(api.db, { analysisId, task: 'extract_offering', state: 'stored' });
  await aModelCall(api.db, { analysisId, task: 'extract_funding', state: 'failed' });
  await aModelCall(api.db, { analysisId, task: 'answer_question' });
  await api.db.analysis.update({ where: { id: analysisId }, data: { stage: 'extraction' } });
  await until(progress).is({ stage: 'extraction', done: 1, total: 2, failed: 1, ...NO_OUTLOOK });
  const { extractions } = await progressFromDatabase(api.db, { ...own, stage: 'extraction' });
  expect(extractions).toEqual({ done: 1, total: 2, failed: 1 });
  await api.db.analysis.update({ where: { id: analysisId }, data: { stage: 'template' } });
  await until(progress).is({ stage: 'template', done: 0, total: 1, failed: 0, ...NO_OUTLOOK });
  await api.db.analysis.update({ where: { id: analysisId }, data: { status: 'completed', finishedAt: NOW } });
  await until(progress).is(undefined);
  expect(await readProgress(api.db, OTHER_TENANT)).toEqual({});
});
