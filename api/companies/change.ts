/**
 * What people do with companies: name them, merge them, put decks into them. What a person did stays: the machine moves none of these decks.
 */
import {
  addKeys,
  type CompanyKeyValue,
  createCompany,
  lockCompanies,
  moveKeys,
  removeIfEmpty,
} from '../../activities/companies/company-rows.ts';
import { deckKeys, type DeckRef } from '../../activities/companies/identity.ts';
import { nameKey } from '../../domain/companies/name-key.ts';
import type { PlacedBy } from '../../domain/companies/placement.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';
import { holdDeck } from '../decks/store.ts';
import { companyIdOf } from './read.ts';
import type { DeckCompany } from './schemas.ts';

const BY_PERSON: PlacedBy = 'person';

/** The key of a name that a person gave. @throws DeckhandError `invalid_request` for a name without a letter */
function keyOfName(name: string): CompanyKeyValue {
  const value = nameKey(name);
  if (value !== null) return { kind: 'name', value };
  throw new DeckhandError('invalid_request', 'a name without letters', {
    userMessage: 'name: a name has at least one letter or digit',
  });
}

/**
 * Names a company. Its former name still leads to it.
 *
 * @returns its id
 * @throws DeckhandError `not_found`, `invalid_request`
 */
export async function nameCompany(db: PrismaClient, tenantId: string, id: string, name: string): Promise<string> {
  const key = keyOfName(name);
  return db.$transaction(async (tx) => {
    await lockCompanies(tx, tenantId);
    const companyId = await companyIdOf(tx, tenantId, id);
    await tx.company.updateMany({ where: { id: companyId, tenantId }, data: { name } });
    await addKeys(tx, tenantId, companyId, [key]);
    return companyId;
  });
}

/**
 * Merges a company into another: its decks and what leads to it go there, and its id leads there as well. Doing it again changes nothing.
 *
 * @returns the id of the company that stays
 * @throws DeckhandError `not_found` for either
 */
export async function mergeCompanies(db: PrismaClient, tenantId: string, into: string, from: string): Promise<string> {
  return db.$transaction(async (tx) => {
    await lockCompanies(tx, tenantId);
    const [target, source] = [await companyIdOf(tx, tenantId, into), await companyIdOf(tx, tenantId, from)];
    if (target === source) return target;
    await tx.deck.updateMany({
      where: { tenantId, companyId: { in: [target, source] } },
      data: { companyId: target, companyBy: BY_PERSON },
    });
    await absorb(tx, tenantId, target, source);
    return target;
  });
}

/** Lets everything that leads to a company without decks lead to another, and removes it. */
async function absorb(tx: Transaction, tenantId: string, target: string, source: string): Promise<void> {
  await tx.companyKey.updateMany({ where: { tenantId, companyId: source }, data: { companyId: target } });
  await addKeys(tx, tenantId, target, [{ kind: 'id', value: source }]);
  await removeIfEmpty(tx, tenantId, source);
}

/**
 * Puts a deck to a company, or to a new one by its name. What only this deck leads to its company goes with it; a name that is given leads to
 * the company from then on.
 *
 * @returns the id of its company
 * @throws DeckhandError `not_found` for the deck or the company, `conflict` while the deck is being deleted, `invalid_request`
 */
export async function putDeck(db: PrismaClient, ref: DeckRef, to: DeckCompany): Promise<string> {
  const { tenantId, deckId } = ref;
  const key = 'name' in to ? keyOfName(to.name) : null;
  return db.$transaction(async (tx) => {
    await lockCompanies(tx, tenantId);
    await holdDeck(tx, tenantId, deckId);
    const { companyId: current } = await tx.deck.findUniqueOrThrow({
      where: { id: deckId },
      select: { companyId: true },
    });
    const others = await tx.deck.findMany({
      where: { tenantId, companyId: current ?? '', id: { not: deckId } },
      select: { id: true },
    });
    const target = await targetOf(tx, tenantId, to, others.length === 0 ? current : null);
    if (target !== current) {
      const own =
        current === null
          ? []
          : await ownKeys(
              tx,
              ref,
              others.map(({ id }) => id),
            );
      await tx.deck.updateMany({ where: { id: deckId, tenantId }, data: { companyId: target } });
      if (current !== null && others.length > 0) await moveKeys(tx, tenantId, own, { from: current, to: target });
      if (current !== null && others.length === 0) await absorb(tx, tenantId, target, current);
    }
    await tx.deck.updateMany({ where: { id: deckId, tenantId }, data: { companyBy: BY_PERSON } });
    await addKeys(tx, tenantId, target, await deckKeys(tx, ref));
    if (key !== null) await giveKey(tx, tenantId, target, key);
    return target;
  });
}

/** Where a deck goes. @param alone the company that it is alone in: a new name is that company's */
async function targetOf(tx: Transaction, tenantId: string, to: DeckCompany, alone: string | null): Promise<string> {
  if ('companyId' in to) return companyIdOf(tx, tenantId, to.companyId);
  if (alone === null) return createCompany(tx, tenantId, to.name);
  await tx.company.updateMany({ where: { id: alone, tenantId }, data: { name: to.name } });
  return alone;
}

/** What a deck says of its company and none of these other decks says. */
async function ownKeys(tx: Transaction, ref: DeckRef, others: readonly string[]): Promise<CompanyKeyValue[]> {
  const shared = new Set<string>();
  for (const deckId of others)
    for (const { kind, value } of await deckKeys(tx, { ...ref, deckId })) shared.add(`${kind} ${value}`);
  return (await deckKeys(tx, ref)).filter(({ kind, value }) => !shared.has(`${kind} ${value}`));
}

/** Lets a key lead to a company, wherever it led before. */
async function giveKey(tx: Transaction, tenantId: string, companyId: string, key: CompanyKeyValue): Promise<void> {
  await tx.companyKey.upsert({
    where: { tenantId_kind_value: { tenantId, ...key } },
    create: { tenantId, companyId, ...key },
    update: { companyId },
  });
}
