/** Values that the database never takes: told from errors that pass, and not repeated. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { retryStore } from '../../../activities/models/retry-store.ts';
import { isDatabaseError, isDatabaseRefusal } from '../../../platform/db.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { aDeck, TENANT } from '../../../testing/make.ts';
import { failureOf } from '../../../testing/refusal.ts';

const slide = (deckId: string, values: object) => ({
  id: randomUUID(),
  tenantId: TENANT,
  deckId,
  number: 1,
  renderKey: randomUUID(),
  text: '',
  ...values,
});

const WRITES: readonly (readonly [string, (db: PrismaClient, deckId: string) => Promise<unknown>])[] = [
  ['NUL in text', (db, deckId) => db.slide.create({ data: slide(deckId, { text: 'M\0fcnchen' }) })],
  ['NUL in many rows', (db, deckId) => db.slide.createMany({ data: [slide(deckId, { text: '\0' })] })],
  ['NUL in JSON', (db, deckId) => db.slide.create({ data: slide(deckId, { layout: { text: '\0' } }) })],
  [
    'half of a character in JSON',
    (db, deckId) => db.slide.create({ data: slide(deckId, { layout: { text: 'a\ud83d b' } }) }),
  ],
  ['NUL in a raw statement', (db) => db.$executeRaw`SELECT ${'\0'}::text`],
  ['a number that is too large', (db) => db.$executeRaw`SELECT ${'1e30'}::numeric(20, 2)`],
  ['a number that the client refuses', (db, deckId) => db.slide.create({ data: slide(deckId, { widthPx: 2 ** 40 }) })],
  [
    'in a transaction',
    (db, deckId) => db.$transaction((tx) => tx.slide.create({ data: slide(deckId, { text: '\0' }) })),
  ],
];

it.for(WRITES)('the database refuses for good: %s', async ([, write], { db }) => {
  const { id } = await aDeck(db);
  let tries = 0;
  const store = async (): Promise<unknown> => {
    tries++;
    return write(db, id);
  };
  const error = await failureOf(retryStore(new AbortController().signal, store));
  expect(error).toMatchObject({ code: 'model_output_unparseable', cause: expect.toSatisfy(isDatabaseRefusal) });
  expect(error.userMessage).not.toMatch(/prisma|invocation|22021|0x00/iu);
  expect(tries).toBe(1);
});

it('an error that passes is no refusal', async ({ db }) => {
  const { id } = await aDeck(db);
  const row = slide(id, {});
  await db.slide.create({ data: row });
  const error: unknown = await db.slide.create({ data: row }).catch((thrown: unknown) => thrown);
  expect(error).toSatisfy(isDatabaseError);
  expect(error).not.toSatisfy(isDatabaseRefusal);
});
