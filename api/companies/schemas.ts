/** Documents of companies. */
import { z } from '@hono/zod-openapi';
import { entrySchema } from '../decks/list/schemas.ts';
import { nameSchema } from '../tenants/schemas.ts';
import { idParam, json, jsonBody, problems, route } from '../http/definition.ts';

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
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
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

export const listRoute = route('get', '/companies', {
  summary: 'Companies that decks are of, in alphabetical order.',
  request: { query: companyListQuery },
  responses: { 200: json(companyPageSchema, 'One page.'), ...problems(400) },
});

export const showRoute = route('get', '/companies/{id}', {
  summary: 'One company with its decks. The id of a company that was merged leads to the one that stays.',
  request: { params: idParam },
  responses: { 200: json(companyDetailsSchema, 'The company.'), ...problems(404) },
});

export const changeRoute = route('patch', '/companies/{id}', {
  summary: 'Name a company. New decks are recognised by the new name and by the former ones.',
  request: { params: idParam, body: jsonBody(companyChangeSchema) },
  responses: { 200: json(companySchema, 'It is named so.'), ...problems(400, 404) },
});

export const mergeRoute = route('post', '/companies/{id}/merge', {
  summary: 'Merge another company into this one. Doing it again changes nothing.',
  description:
    'Its decks and what it is recognised by go to this company. The machine moves none of these decks later.',
  request: { params: idParam, body: jsonBody(companyMergeSchema) },
  responses: { 200: json(companySchema, 'The company that stays.'), ...problems(400, 404) },
});

export const putRoute = route('put', '/decks/{id}/company', {
  summary: 'Put a deck to a company, or to a new one by its name.',
  description:
    'The machine does not move the deck later. New decks with the name that is given go to the new company; a deck that is alone in its company renames it.',
  request: { params: idParam, body: jsonBody(deckCompanySchema) },
  responses: { 200: json(companySchema, 'The company of the deck.'), ...problems(400, 404, 409) },
});
