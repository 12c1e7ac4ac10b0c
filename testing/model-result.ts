/** Rows of stored answers of models, for tests that care about few of their columns. */
import { randomUUID } from 'node:crypto';
import type { Prisma } from '../generated/prisma/client.ts';

/** What a test says of a stored answer; the rest is filled in. */
type Said = Pick<Prisma.ModelResultCreateManyInput, 'tenantId' | 'contentKey' | 'task'> &
  Partial<Prisma.ModelResultCreateManyInput>;

/** A row whose output says nothing. */
export const modelResultRow = (said: Said): Prisma.ModelResultCreateManyInput => ({
  id: randomUUID(),
  modelName: 'reader',
  modelDigest: 'd',
  promptVersion: 1,
  language: 'en',
  numCtx: 1,
  numPredict: 1,
  temperature: 0,
  topP: 1,
  temperatureUsed: 0,
  seedUsed: 1,
  attempts: 1,
  output: '{}',
  engineKind: 'rules',
  serverVersion: '1',
  host: 'h',
  promptTokens: 1,
  outputTokens: 1,
  loadMs: 0,
  durationMs: 1,
  ...said,
});
