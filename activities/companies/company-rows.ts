/** Rows of companies and what leads to them. Whoever changes them holds the lock of the tenant's companies. */
import { randomUUID } from 'node:crypto';
import type { CompanyKeyKind, KnownCompany } from '../../domain/companies/placement.ts';
import type { Transaction } from '../../platform/db.ts';
import { lockForTransaction } from '../../platform/locks.ts';

/**
 * Lets nobody else change the companies of a tenant until the transaction ends. Taken before any row is locked: reviews that end at the same
 * moment, merges and deletions follow one after the other.
 */
export const lockCompanies = (tx: Transaction, tenantId: string): Promise<void> =>
  lockForTransaction(tx, `companies/${tenantId}`);

/** Something that leads to a company. */
export interface CompanyKeyValue {
  readonly kind: CompanyKeyKind;
  readonly value: string;
}

/** Which company a key leads to; null when it leads nowhere. */
export async function companyByKey(tx: Transaction, tenantId: string, key: CompanyKeyValue): Promise<string | null> {
  const row = await tx.companyKey.findUnique({ where: { tenantId_kind_value: { tenantId, ...key } } });
  return row?.companyId ?? null;
}

/** A company as a placement sees it. @param deckId the deck that is placed */
export async function knownCompany(
  tx: Transaction,
  tenantId: string,
  companyId: string | null,
  deckId: string,
): Promise<KnownCompany | null> {
  if (companyId === null) return null;
  const company = await tx.company.findFirst({ where: { id: companyId, tenantId } });
  if (company === null) return null;
  const [keys, otherDecks, byPeople] = [
    await tx.companyKey.findMany({ where: { tenantId, companyId, kind: 'domain' }, select: { value: true } }),
    await tx.deck.count({ where: { tenantId, companyId, id: { not: deckId } } }),
    await tx.deck.count({ where: { tenantId, companyId, companyBy: 'person' } }),
  ];
  const domains = keys.map(({ value }) => value);
  return { id: company.id, name: company.name, domains, isPersons: byPeople > 0, otherDecks };
}

/** Makes a company. @returns its id */
export async function createCompany(tx: Transaction, tenantId: string, name: string): Promise<string> {
  const { id } = await tx.company.create({ data: { id: randomUUID(), tenantId, name } });
  return id;
}

/** Lets keys lead to a company, but for those that lead somewhere already. */
export async function addKeys(
  tx: Transaction,
  tenantId: string,
  companyId: string,
  keys: readonly CompanyKeyValue[],
): Promise<void> {
  await tx.companyKey.createMany({ data: keys.map((key) => ({ tenantId, companyId, ...key })), skipDuplicates: true });
}

/** Lets keys of a company lead to another. Keys that lead elsewhere stay as they are. */
export async function moveKeys(
  tx: Transaction,
  tenantId: string,
  keys: readonly CompanyKeyValue[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const where = { tenantId, companyId: from, OR: keys.map(({ kind, value }) => ({ kind, value })) };
  await tx.companyKey.updateMany({ where, data: { companyId: to } });
}

/** Removes a company without decks, and with it what leads to it. */
export async function removeIfEmpty(tx: Transaction, tenantId: string, companyId: string): Promise<void> {
  await tx.company.deleteMany({ where: { id: companyId, tenantId, decks: { none: {} } } });
}
