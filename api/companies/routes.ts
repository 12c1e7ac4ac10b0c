/** Routes of companies: find, name and merge them, and put decks to them. */
import { createRoute } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../http/routes.ts';
import { mergeCompanies, nameCompany, putDeck } from './change.ts';
import { findCompany, findCompanyDetails, readCompanies } from './read.ts';
import {
  companyChangeSchema,
  companyDetailsSchema,
  companyListQuery,
  companyMergeSchema,
  companyPageSchema,
  companySchema,
  deckCompanySchema,
} from './schemas.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/companies',
  summary: 'Companies that decks are of, in alphabetical order.',
  request: { query: companyListQuery },
  responses: { 200: json(companyPageSchema, 'One page.'), ...problems(400) },
});

const showRoute = createRoute({
  method: 'get',
  path: '/companies/{id}',
  summary: 'One company with its decks. The id of a company that was merged leads to the one that stays.',
  request: { params: idParam },
  responses: { 200: json(companyDetailsSchema, 'The company.'), ...problems(404) },
});

const changeRoute = createRoute({
  method: 'patch',
  path: '/companies/{id}',
  summary: 'Name a company. New decks are recognised by the new name and by the former ones.',
  request: { params: idParam, body: jsonBody(companyChangeSchema) },
  responses: { 200: json(companySchema, 'It is named so.'), ...problems(400, 404) },
});

const mergeRoute = createRoute({
  method: 'post',
  path: '/companies/{id}/merge',
  summary: 'Merge another company into this one. Doing it again changes nothing.',
  description:
    'Its decks and what it is recognised by go to this company. The machine moves none of these decks later.',
  request: { params: idParam, body: jsonBody(companyMergeSchema) },
  responses: { 200: json(companySchema, 'The company that stays.'), ...problems(400, 404) },
});

const putRoute = createRoute({
  method: 'put',
  path: '/decks/{id}/company',
  summary: 'Put a deck to a company, or to a new one by its name.',
  description:
    'The machine does not move the deck later. New decks with the name that is given go to the new company; a deck that is alone in its company renames it.',
  request: { params: idParam, body: jsonBody(deckCompanySchema) },
  responses: { 200: json(companySchema, 'The company of the deck.'), ...problems(400, 404, 409) },
});

/** The routes of companies. */
export function companyRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => c.json(await readCompanies(db, c.get('tenantId'), c.req.valid('query')), 200));
  routes.openapi(showRoute, async (c) =>
    c.json(await findCompanyDetails(db, c.get('tenantId'), c.req.valid('param').id), 200),
  );
  routes.openapi(changeRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const id = await nameCompany(db, tenantId, c.req.valid('param').id, c.req.valid('json').name);
    return c.json(await findCompany(db, tenantId, id), 200);
  });
  routes.openapi(mergeRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { from } = c.req.valid('json');
    const id = await mergeCompanies(db, tenantId, c.req.valid('param').id, from);
    c.get('log').info({ companyId: id, from, by: c.get('identity').keyId }, 'companies merged');
    return c.json(await findCompany(db, tenantId, id), 200);
  });
  routes.openapi(putRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const ref = { tenantId, deckId: c.req.valid('param').id };
    const id = await putDeck(db, ref, c.req.valid('json'));
    return c.json(await findCompany(db, tenantId, id), 200);
  });
  return routes;
}
