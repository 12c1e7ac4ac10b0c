/** Whose costs a request may see: an operator all, an analyst those of the own tenant. */
import { INSTALLATION_SCOPE } from '../../domain/costs/report/document.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Identity } from '../auth/identity.ts';

/**
 * The scope of a request.
 *
 * @param tenant the tenant asked for; undefined = everything that the request may see
 * @throws DeckhandError `forbidden` when an analyst asks for another tenant
 */
function scopeOf({ role, tenantId }: Pick<Identity, 'role' | 'tenantId'>, tenant: string | undefined): string {
  if (role === 'operator') return tenant ?? INSTALLATION_SCOPE;
  if (tenant === undefined || tenant === tenantId) return tenantId;
  throw new DeckhandError('forbidden', `costs of ${tenant} asked for by an analyst of ${tenantId}`, {
    userMessage: 'A key of the role analyst sees the costs of its own tenant only.',
    hint: 'Leave the tenant out, or ask an operator.',
  });
}

/**
 * The scope of a request, of a tenant that there is or was: a mistyped name is an error, not an empty answer.
 *
 * @throws DeckhandError as {@link scopeOf}; `not_found` for an unknown tenant
 */
export async function knownScopeOf(
  db: PrismaClient,
  identity: Pick<Identity, 'role' | 'tenantId'>,
  tenant: string | undefined,
): Promise<string> {
  const scope = scopeOf(identity, tenant);
  if (scope === INSTALLATION_SCOPE || scope === identity.tenantId) return scope;
  const known =
    (await db.tenant.findUnique({ where: { id: scope }, select: { id: true } })) ??
    (await db.ledgerEntry.findFirst({ where: { tenantId: scope }, select: { id: true } }));
  if (known !== null) return scope;
  throw new DeckhandError('not_found', `no tenant ${scope}`, {
    userMessage: 'There is no such tenant.',
    hint: 'List them: deckhand tenants list',
  });
}
