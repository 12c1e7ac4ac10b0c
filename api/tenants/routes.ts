/** Routes of tenants, for operators: names and weights. */
import { DeckhandError } from '../../domain/errors.ts';
import { Prisma, type PrismaClient, type Tenant } from '../../generated/prisma/client.ts';
import { seedTenant } from '../../prisma/apply-seed.ts';
import { configureTenant } from '../../activities/models/catalog/tasks.ts';
import { unknownTenant } from '../auth/keys.ts';
import {
  type NewTenant,
  type TenantChange,
  tenantDocument,
  createTenantRoute,
  listRoute,
  changeRoute,
} from './schemas.ts';
import { group } from '../http/routes.ts';

/** The routes of tenants. */
export const tenantRoutes = group(({ db }, routes) => {
  routes.openapi(createTenantRoute, async (c) => {
    const { created, tenant } = await createTenant(db, c.req.valid('json'));
    return c.json(tenantDocument(tenant), created ? 201 : 200);
  });
  routes.openapi(listRoute, async (c) => {
    const rows = await db.tenant.findMany({ orderBy: { id: 'asc' } });
    return c.json({ items: rows.map(tenantDocument) }, 200);
  });
  routes.openapi(changeRoute, async (c) => {
    const tenant = await changeTenant(db, c.req.valid('param').slug, c.req.valid('json'));
    return c.json(tenantDocument(tenant), 200);
  });
});

/** The seed is some dozens of statements. */
const SEED_LIMIT_MS = 60_000;

/**
 * Makes a tenant, or returns the existing one.
 *
 * @throws DeckhandError `conflict` when it exists with another name or weight
 */
async function createTenant(
  db: PrismaClient,
  wish: NewTenant,
): Promise<{ readonly created: boolean; readonly tenant: Tenant }> {
  try {
    const tenant = await db.$transaction(
      async (tx) => {
        await tx.tenant.create({
          data: { id: wish.slug, name: wish.name ?? wish.slug, fairnessWeight: wish.weight ?? 1 },
        });
        await seedTenant(tx, wish.slug);
        await configureTenant(tx, wish.slug);
        return tx.tenant.findUniqueOrThrow({ where: { id: wish.slug } });
      },
      { timeout: SEED_LIMIT_MS },
    );
    return { created: true, tenant };
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
  }
  const tenant = await db.tenant.findUniqueOrThrow({ where: { id: wish.slug } });
  const same =
    (wish.name === undefined || wish.name === tenant.name) &&
    (wish.weight === undefined || wish.weight === tenant.fairnessWeight);
  if (same) return { created: false, tenant };
  throw new DeckhandError('conflict', `tenant ${wish.slug} exists with other values`, {
    userMessage: `The tenant ${wish.slug} exists already (${tenant.name}, weight ${tenant.fairnessWeight}).`,
    hint: `Change it with \`./deckhand tenants set ${wish.slug}\`.`,
  });
}

/** Changes what is given. @throws DeckhandError `not_found` */
async function changeTenant(db: PrismaClient, slug: string, { name, weight }: TenantChange): Promise<Tenant> {
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(weight === undefined ? {} : { fairnessWeight: weight }),
  };
  const [row] = await db.tenant.updateManyAndReturn({ where: { id: slug }, data });
  if (row === undefined) throw unknownTenant(slug);
  return row;
}
