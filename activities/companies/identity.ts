/** What decks say of their company: the name a person or the newest review gave them, and the domain on their pages. */
import { domainOf } from '../../domain/companies/domain-of.ts';
import { nameKey } from '../../domain/companies/name-key.ts';
import type { DeckIdentity } from '../../domain/companies/placement.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { subjectOf } from '../../domain/decks/verdicts/subject.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';
import type { CompanyKeyValue } from './company-rows.ts';

/** Longest name of a company. */
export const LONGEST_NAME = 200;

/** A deck of a tenant. */
export interface DeckRef {
  readonly tenantId: string;
  readonly deckId: string;
}

/** Names of a deck. */
interface DeckNames {
  /** The one that holds; null where nobody and nothing named the company. */
  readonly name: string | null;
  readonly isCorrected: boolean;
  /** Those that the machine read and those that people wrote, at any time. */
  readonly all: readonly string[];
}

const clean = (name: string): string => plainText(name, LONGEST_NAME);

/** Reads the names of a deck: a person's goes before the machine's. */
export async function namesOf(tx: Transaction, { tenantId, deckId }: DeckRef): Promise<DeckNames> {
  const said = await tx.humanVerdict.findMany({
    where: { tenantId, deckId, kind: 'value', subject: subjectOf({ of: 'value', field: 'company_name' }) },
    orderBy: { sequence: 'desc' },
    select: { text: true },
  });
  const read = await tx.extraction.findMany({
    where: { tenantId, field: 'company_name', raw: { not: null }, analysis: { deckId, taskType: null } },
    orderBy: { analysis: { createdAt: 'desc' } },
    select: { raw: true },
  });
  const corrected = said[0]?.text ?? null;
  const name = clean(corrected ?? read[0]?.raw ?? '');
  return {
    name: name === '' ? null : name,
    isCorrected: corrected !== null,
    all: [...said.map(({ text }) => text ?? ''), ...read.map(({ raw }) => raw ?? '')].map(clean),
  };
}

/** Text of the pages of a deck, in their order. */
export async function pageTexts(db: PrismaClient | Transaction, { tenantId, deckId }: DeckRef): Promise<string[]> {
  const rows = await db.slide.findMany({
    where: { tenantId, deckId, renderKey: RENDER_KEY },
    orderBy: { number: 'asc' },
    select: { text: true },
  });
  return rows.map(({ text }) => text);
}

/** What a deck says with these names and pages. */
export function identityOf({ name, isCorrected }: DeckNames, pages: readonly string[]): DeckIdentity {
  return { name, nameKey: name === null ? null : nameKey(name), domain: domainOf(pages, name), isCorrected };
}

/** What leads to the company of a deck that says this. */
export const keysOf = ({ nameKey: name, domain }: DeckIdentity): CompanyKeyValue[] => [
  ...(name === null ? [] : [{ kind: 'name' as const, value: name }]),
  ...(domain === null ? [] : [{ kind: 'domain' as const, value: domain }]),
];

/** What leads to the company of a deck as it is now. */
export async function deckKeys(tx: Transaction, ref: DeckRef): Promise<CompanyKeyValue[]> {
  return keysOf(identityOf(await namesOf(tx, ref), await pageTexts(tx, ref)));
}
