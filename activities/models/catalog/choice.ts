/** Profiles of analyses: the one of new analyses that name none, and whether a tenant has one. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { findProfile, unknownProfile } from '../../../domain/models/catalog/lookup.ts';
import { refused } from './change.ts';
import { readCatalog, type Tx } from './read.ts';

/** Makes a profile the one of new analyses that name none. @throws DeckhandError `not_found`; `conflict` for one of a tenant */
export async function chooseProfile(db: PrismaClient, profile: string, by: string): Promise<void> {
  const { catalog, rows } = await readCatalog(db);
  findProfile(catalog, profile);
  if (rows.profiles.some(({ name, tenantId }) => name === profile && tenantId !== null))
    throw refused(
      `${profile} is a profile of one tenant, and new analyses of every tenant would be answered by it.`,
      `Name it where you want it: ./deckhand analyze deck.pdf --models ${profile}`,
    );
  const data = { profile, changedBy: by, changedAt: new Date() };
  await db.modelChoice.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** The profile of new analyses that name none. @param installed the one that the processes were started with */
export async function chosenProfile(db: Tx | PrismaClient, installed: string): Promise<string> {
  return (await db.modelChoice.findUnique({ where: { id: 1 } }))?.profile ?? installed;
}

/** @throws DeckhandError `invalid_request` for a profile that a tenant does not have */
export async function checkProfile(db: Tx | PrismaClient, tenantId: string, profile: string): Promise<void> {
  if ((await db.modelConfiguration.count({ where: { tenantId, profile } })) > 0) return;
  const known = await db.modelConfiguration.findMany({
    where: { tenantId, NOT: { profile: { contains: '@' } } },
    select: { profile: true },
    distinct: ['profile'],
    orderBy: { profile: 'asc' },
  });
  throw unknownProfile(
    profile,
    known.map((row) => row.profile),
    'invalid_request',
  );
}
