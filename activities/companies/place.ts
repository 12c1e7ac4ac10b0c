/** Puts a deck to its company, after a review and after a person corrected the company's name. */
import { nameKey } from '../../domain/companies/name-key.ts';
import { type DeckIdentity, type PlacedBy, placementOf } from '../../domain/companies/placement.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';
import { addKeys, companyByKey, createCompany, knownCompany, lockCompanies, removeIfEmpty } from './company-rows.ts';
import { type DeckRef, identityOf, keysOf, namesOf, pageTexts } from './identity.ts';

/**
 * Recognises the company of a deck by its name and domain and puts the deck there; makes the company where there is none. A deck that a person
 * placed, one that says nothing of its company and one that is being deleted stay as they are. Repeating it changes nothing.
 */
export async function placeDeck(db: PrismaClient, ref: DeckRef): Promise<void> {
  const { tenantId, deckId } = ref;
  const pages = await pageTexts(db, ref);
  await db.$transaction(async (tx) => {
    await lockCompanies(tx, tenantId);
    const deck = await tx.deck.findFirst({
      where: { id: deckId, tenantId, deletingAt: null },
      select: { companyId: true, companyBy: true },
    });
    if (deck === null || deck.companyBy === ('person' satisfies PlacedBy)) return;
    const names = await namesOf(tx, ref);
    const identity = identityOf(names, pages);
    const placement = placementOf(identity, {
      ...(await foundBy(tx, ref, identity)),
      current: await knownCompany(tx, tenantId, deck.companyId, deckId),
      // A company without a name has its domain for one.
      earlierNames: identity.domain === null ? names.all : [...names.all, identity.domain],
    });
    if (placement.kind === 'none') return;
    const companyId =
      placement.kind === 'join'
        ? placement.companyId
        : await createCompany(tx, tenantId, identity.name ?? identity.domain ?? '');
    if (companyId !== deck.companyId) {
      await tx.deck.updateMany({
        where: { id: deckId, tenantId },
        data: { companyId, companyBy: 'machine' satisfies PlacedBy },
      });
      if (deck.companyId !== null) await removeIfEmpty(tx, tenantId, deck.companyId);
    }
    if (placement.kind === 'join' && placement.rename) await renameCompany(tx, tenantId, companyId, identity);
    await addKeys(tx, tenantId, companyId, keysOf(identity));
  });
}

/** Decks that are placed in one round. */
const ROUND = 100;

/** Places reviewed decks that have no company although they name one: those of versions that knew no companies. */
export async function placeReviewedDecks(db: PrismaClient): Promise<void> {
  const decks = await db.deck.findMany({
    where: {
      companyId: null,
      companyBy: null,
      deletingAt: null,
      analyses: {
        some: {
          taskType: null,
          status: { in: ['completed', 'completed_with_gaps'] },
          extractions: { some: { field: 'company_name', raw: { not: null } } },
        },
      },
    },
    orderBy: { createdAt: 'asc' },
    take: ROUND,
    select: { id: true, tenantId: true },
  });
  for (const { id: deckId, tenantId } of decks) await placeDeck(db, { tenantId, deckId });
}

/** What the name and the domain of a deck lead to. */
async function foundBy(tx: Transaction, { tenantId, deckId }: DeckRef, { nameKey: key, domain }: DeckIdentity) {
  const byName = key === null ? null : await companyByKey(tx, tenantId, { kind: 'name', value: key });
  const byDomain = domain === null ? null : await companyByKey(tx, tenantId, { kind: 'domain', value: domain });
  return {
    byName: await knownCompany(tx, tenantId, byName, deckId),
    byDomain: await knownCompany(tx, tenantId, byDomain, deckId),
  };
}

/** Names a company by its only deck. The name that it had was that deck's, and leads there no more. */
async function renameCompany(
  tx: Transaction,
  tenantId: string,
  companyId: string,
  { name }: DeckIdentity,
): Promise<void> {
  if (name === null) return;
  const before = await tx.company.findUniqueOrThrow({ where: { id: companyId }, select: { name: true } });
  const key = nameKey(before.name);
  if (key !== null) await tx.companyKey.deleteMany({ where: { tenantId, companyId, kind: 'name', value: key } });
  await tx.company.updateMany({ where: { id: companyId, tenantId }, data: { name } });
}
