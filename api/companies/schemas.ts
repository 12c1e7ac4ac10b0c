/** Documents of companies. */
import { z } from '@hono/zod-openapi';
import { entrySchema } from '../decks/list/schemas.ts';
import { nameSchema } from '../tenants/schemas.ts';

export const companySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    /** What it is recognised by beside its names, such as `acme.com`. */
    domains: z.array(z.string()),
    /** Decks of it, without those that are being deleted. */
    deckCount: z.int(),
    /** The one that was uploaded last. */
    newestDeck: z.object({ id: z.string(), fileName: z.string(), createdAt: z.iso.datetime() }).nullable(),
  })
  .openapi('Company');
export type CompanyDocument = z.infer<typeof companySchema>;

export const companyPageSchema = z
  .object({ items: z.array(companySchema), nextCursor: z.string().nullable(), total: z.int() })
  .openapi('CompanyPage');
export type CompanyPage = z.infer<typeof companyPageSchema>;

export const companyDetailsSchema = companySchema
  .extend({ decks: z.array(entrySchema).openapi({ description: 'In the order in which they were uploaded.' }) })
  .openapi('CompanyDetails');
export type CompanyDetails = z.infer<typeof companyDetailsSchema>;

export const companyListQuery = z.strictObject({
  q: z.string().max(200).optional().openapi({ description: 'Part of a name or of a domain.' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional().openapi({ description: 'From `nextCursor` of the page before.' }),
});
export type CompanyListQuery = z.output<typeof companyListQuery>;

export const companyChangeSchema = z.strictObject({ name: nameSchema }).openapi('CompanyChange');

export const companyMergeSchema = z
  .strictObject({ from: z.string().min(1).max(100).openapi({ description: 'The company that goes into this one.' }) })
  .openapi('CompanyMerge');

export const deckCompanySchema = z
  .union([
    z.strictObject({ companyId: z.string().min(1).max(100) }),
    z.strictObject({ name: nameSchema.openapi({ description: 'Of a new company.' }) }),
  ])
  .openapi('DeckCompany');
export type DeckCompany = z.infer<typeof deckCompanySchema>;
