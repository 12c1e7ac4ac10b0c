/** Reads companies: a page of them, and one with its decks. */
import type { AnsweringSettings } from '../../domain/evidence/answering-settings.ts';
import { z } from '@hono/zod-openapi';
import { DeckhandError } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';
import { nameKey } from '../../domain/companies/name-key.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/db.ts';
import { readEntries } from '../decks/list/entries.ts';
import { refreshEntries } from '../decks/list/refresh.ts';
import { documentOf } from '../http/definition.ts';
import {
  type CompanyDetails,
  type CompanyDocument,
  type CompanyListQuery,
  type CompanyPage,
  companySchema,
} from './schemas.ts';

/** Where a page ends: the name in small letters, and the id. */
const cursorSchema = z.tuple([z.string(), z.string()]);

/** A company as the database gives it. */
interface CompanyRow extends Omit<CompanyDocument, 'createdAt' | 'newestDeck'> {
  readonly createdAt: Date;
  readonly deckId: string | null;
  readonly fileName: string | null;
  readonly uploadedAt: Date | null;
}

const companyDocument = ({ deckId, fileName, uploadedAt, ...row }: CompanyRow): CompanyDocument =>
  documentOf(companySchema, {
    ...row,
    newestDeck:
      deckId === null || fileName === null || uploadedAt === null
        ? null
        : { id: deckId, fileName, createdAt: uploadedAt.toISOString() },
  });

/** Decks of a company `c` that count. */
const decks = Prisma.sql`FROM "Deck" d WHERE d."companyId" = c."id" AND d."deletingAt" IS NULL`;

/** The columns of {@link CompanyRow}. */
const columns = Prisma.sql`
  c."id", c."name", c."createdAt",
  ARRAY(SELECT k."value" FROM "CompanyKey" k WHERE k."companyId" = c."id" AND k."kind" = 'domain' ORDER BY k."value") AS "domains",
  (SELECT count(*)::int ${decks}) AS "deckCount",
  newest."id" AS "deckId", newest."fileName", newest."createdAt" AS "uploadedAt"`;
const newest = Prisma.sql`LEFT JOIN LATERAL (SELECT d.* ${decks} ORDER BY d."createdAt" DESC, d."id" DESC LIMIT 1) newest ON true`;

/** A text as a part of a pattern of LIKE. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/gu, String.raw`\$&`);

/**
 * A page of the companies of a tenant, in alphabetical order.
 *
 * @throws DeckhandError `invalid_request` for a cursor that is none
 */
export async function readCompanies(
  db: PrismaClient,
  tenantId: string,
  { q, limit, cursor }: CompanyListQuery,
): Promise<CompanyPage> {
  const after = cursor === undefined ? null : parseCursor(cursor);
  const fits = Prisma.sql`c."tenantId" = ${tenantId} AND EXISTS (SELECT 1 ${decks}) AND ${found(q)}`;
  const rows = await db.$queryRaw<(CompanyRow & { readonly position: string })[]>`
    SELECT ${columns}, lower(c."name") AS "position" FROM "Company" c ${newest}
    WHERE ${fits} AND ${after === null ? Prisma.sql`true` : Prisma.sql`(lower(c."name"), c."id") > (${after[0]}, ${after[1]})`}
    ORDER BY lower(c."name"), c."id" LIMIT ${limit + 1}`;
  const [count] = await db.$queryRaw<
    { total: number }[]
  >`SELECT count(*)::int AS "total" FROM "Company" c WHERE ${fits}`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(companyDocument),
    nextCursor:
      rows.length > limit && last !== undefined
        ? Buffer.from(JSON.stringify([last.position, last.id])).toString('base64url')
        : null,
    total: count?.total ?? 0,
  };
}

/** The condition of a search: part of the name, or of what leads to the company. */
function found(q: string | undefined): Prisma.Sql {
  const words = q?.trim() ?? '';
  if (words === '') return Prisma.sql`true`;
  const part = `%${literally(words)}%`;
  const keyPart = `%${literally(nameKey(words) ?? words.toLowerCase())}%`;
  return Prisma.sql`(c."name" ILIKE ${part} OR EXISTS (
    SELECT 1 FROM "CompanyKey" k WHERE k."companyId" = c."id"
      AND (k."kind" = 'name' AND k."value" LIKE ${keyPart} OR k."kind" = 'domain' AND k."value" ILIKE ${part})))`;
}

function parseCursor(text: string): z.infer<typeof cursorSchema> {
  const parsed = cursorSchema.safeParse(tryJson(Buffer.from(text, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  throw new DeckhandError('invalid_request', `bad cursor ${text}`, { userMessage: 'cursor: not a cursor of this API' });
}

/**
 * Id of a company, by its own or by that of a company that was merged into it.
 *
 * @throws DeckhandError `not_found`, also for a company of another tenant
 */
export async function companyIdOf(db: PrismaClient | Transaction, tenantId: string, id: string): Promise<string> {
  const company = await db.company.findFirst({ where: { id, tenantId }, select: { id: true } });
  if (company !== null) return company.id;
  const key = { tenantId, kind: 'id', value: id };
  const merged = await db.companyKey.findUnique({ where: { tenantId_kind_value: key }, select: { companyId: true } });
  if (merged !== null) return merged.companyId;
  throw new DeckhandError('not_found', `no company ${id}`, { userMessage: 'There is no such company.' });
}

/** @throws DeckhandError `not_found` */
export async function findCompany(db: PrismaClient, tenantId: string, id: string): Promise<CompanyDocument> {
  const companyId = await companyIdOf(db, tenantId, id);
  const [row] = await db.$queryRaw<CompanyRow[]>`
    SELECT ${columns} FROM "Company" c ${newest} WHERE c."tenantId" = ${tenantId} AND c."id" = ${companyId}`;
  if (row === undefined)
    throw new DeckhandError('not_found', `company ${id} has gone`, { userMessage: 'There is no such company.' });
  return companyDocument(row);
}

/** A company with its decks, oldest first. @throws DeckhandError `not_found` */
export async function findCompanyDetails(
  db: PrismaClient,
  tenantId: string,
  id: string,
  settings: AnsweringSettings,
): Promise<CompanyDetails> {
  const company = await findCompany(db, tenantId, id);
  await refreshEntries(db, tenantId, settings);
  const rows = await db.deck.findMany({
    where: { tenantId, companyId: company.id, deletingAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  return {
    ...company,
    decks: await readEntries(
      db,
      tenantId,
      rows.map((row) => row.id),
      settings,
    ),
  };
}
