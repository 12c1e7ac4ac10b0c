/**
 * `deckhand bench list`: the deck list of a tenant with 5,000 decks, asked of the product's API process over a real Postgres: pages of every
 * sort, filters, searches, facets and figures; how long entries take to be made; and the memory of 200 event streams.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ENTRY_SORTS } from '../../domain/decks/list/entry.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { ANSWERING_SETTINGS } from '../../domain/evidence/answering-settings.ts';
import { closeDatabase, createDatabase } from '../../platform/db.ts';
import { readEvents } from '../../api/client/decks.ts';
import { refreshEntries } from '../../api/decks/list/refresh.ts';
import { startPostgres } from '../../testing/postgres-server.ts';
import type { Figures } from '../figures.ts';
import { median } from '../pipeline/decks.ts';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { DECKS, seedDecks } from './seed.ts';

const ROUNDS = 9;
const PAGE_MS = '<= 100';
const STREAMS = 200;
/** Decks that change at once, as when a priority is set for a selection. */
const CHANGED = 500;

/** Requests whose pages are measured: beside every sort, filters and searches that find few, some and nearly all decks. */
const REQUESTS: Readonly<Record<string, string>> = {
  'filters and a sort': '?sector=fintech,climate&decision=meet,none&minScore=3&attention=any&sort=-score',
  'a search that finds one deck': '?q=nordwerk%2077',
  'a search that finds nearly all decks': '?q=ma',
  'a search for several words, sorted': '?q=mat%20kap%20ver&sort=-score',
  'a search as it is typed': '?q=m',
};

/** Runs the benchmark. */
export async function benchList(figures: Figures, tell: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  try {
    const databaseUrl = await postgres.migratedDatabase();
    tell(`writing ${DECKS} reviewed decks`);
    await seedDecks(databaseUrl);
    await measureEntries(databaseUrl, figures, tell);
    tell(`reading pages, ${ROUNDS} times each`);
    await withApi(databaseUrl, (api) => measurePages(api, figures));
    tell(`opening ${STREAMS} event streams`);
    await withApi(databaseUrl, (api) => measureStreams(api, databaseUrl, figures));
  } finally {
    await postgres.stop();
  }
}

async function withApi(databaseUrl: string, use: (api: ApiProcess) => Promise<void>): Promise<void> {
  const api = await startApiProcess(databaseUrl);
  try {
    await use(api);
  } finally {
    await api.stop();
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

/** How long entries take to be made: all for the first time, of many decks, and of one. */
async function measureEntries(databaseUrl: string, figures: Figures, tell: (line: string) => void): Promise<void> {
  const db = createDatabase(databaseUrl, { applicationName: 'deckhand-bench' });
  try {
    const change = (decks: number) => db.$executeRaw`
      INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT "id", "tenantId" FROM "Deck" ORDER BY "id" LIMIT ${decks}`;
    const refresh = (): Promise<number> => secondsOf(() => refreshEntries(db, DEFAULT_TENANT, ANSWERING_SETTINGS));
    tell(`making the entries of ${DECKS} decks for the first time`);
    figures.add('first entries of all decks', await refresh(), 's', '<= 60');
    const many: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await change(CHANGED);
      many.push(await refresh());
    }
    figures.add(`entries of ${CHANGED} changed decks with 60 quotes each, median`, median(many), 's', '<= 5');
    const one: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await change(1);
      one.push((await refresh()) * 1000);
    }
    figures.add('entry of one changed deck, median', median(one), 'ms');
    figures.add('a look where nothing changed', (await refresh()) * 1000, 'ms');
    await db.$executeRaw`VACUUM ANALYZE`;
  } finally {
    await closeDatabase(db);
  }
}

/** Times of a request, median, ms. */
async function timeOf(api: ApiProcess, request: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = await secondsOf(async () => {
      const answer = await fetch(`${api.url}${request}`);
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${request}: ${body}`);
    });
    times.push(seconds * 1000);
  }
  return median(times);
}

async function measurePages(api: ApiProcess, figures: Figures): Promise<void> {
  // The first requests compile the code and fill the caches.
  await timeOf(api, '/decks');
  const sorts: number[] = [];
  for (const sort of ENTRY_SORTS.flatMap((by) => [by, `-${by}`])) {
    const first = (await (await fetch(`${api.url}/decks?sort=${sort}`)).json()) as { nextCursor: string };
    sorts.push(await timeOf(api, `/decks?sort=${sort}`));
    sorts.push(await timeOf(api, `/decks?sort=${sort}&cursor=${first.nextCursor}`));
  }
  figures.add(`first and next page, slowest of ${sorts.length} sorts and ways`, Math.max(...sorts), 'ms', PAGE_MS);
  for (const [name, query] of Object.entries(REQUESTS)) {
    figures.add(`page under ${name}`, await timeOf(api, `/decks${query}`), 'ms', PAGE_MS);
  }
  figures.add('facets', await timeOf(api, '/decks/facets?q=mat'), 'ms', '<= 200');
  figures.add('figures of the portfolio', await timeOf(api, '/decks/portfolio'), 'ms', '<= 200');
  figures.add('all decks as CSV', (await timeOf(api, '/decks/export?format=csv')) / 1000, 's');
  figures.add('all decks as a workbook', (await timeOf(api, '/decks/export?format=xlsx')) / 1000, 's');
}

/** Memory that many open streams take while decks change. */
async function measureStreams(api: ApiProcess, databaseUrl: string, figures: Figures): Promise<void> {
  const db = createDatabase(databaseUrl, { applicationName: 'deckhand-bench' });
  const leave = new AbortController();
  let events = 0;
  const follow = async (): Promise<void> => {
    const response = await fetch(`${api.url}/events`, { signal: leave.signal });
    try {
      for await (const { event } of readEvents(response.body)) if (event === 'deck') events += 1;
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
    if (!leave.signal.aborted) throw new Error('the API ended an event stream');
  };
  try {
    // The first requests load code; what they leave is no part of a stream's memory.
    await timeOf(api, '/decks');
    const before = await api.memoryMiB();
    const streams = Promise.all(Array.from({ length: STREAMS }, follow));
    await Promise.race([streams, delay(3000)]);
    const decks = await db.deck.findMany({ select: { id: true }, orderBy: { id: 'asc' }, take: 100 });
    const expected = STREAMS * decks.length;
    const seconds = await secondsOf(async () => {
      for (const { id } of decks) await db.deck.update({ where: { id }, data: { title: 'Changed' } });
      // A stream that breaks ends the wait with its error.
      while (events < expected) await Promise.race([streams, delay(50)]);
    });
    figures.add(
      `events that ${STREAMS} streams got of ${decks.length} changed decks`,
      events,
      'events',
      `>= ${expected}`,
    );
    figures.add('from the first change to the last event', seconds, 's');
    figures.add(`memory of the API with ${STREAMS} streams more`, (await api.memoryMiB()) - before, 'MiB', '<= 100');
    leave.abort();
    await streams;
  } finally {
    leave.abort();
    await closeDatabase(db);
  }
}
