/** Whose costs a request may see: an operator everybody's, an analyst those of the own tenant. */
import { INSTALLATION_SCOPE } from '../../domain/cost-report/document.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Identity } from '../auth/identity.ts';

/**
 * The scope of a request.
 *
 * @param tenant whom it asks for; undefined = everything it may see
 * @throws DeckhandError `forbidden` when an analyst asks for another tenant
 */
export function scopeOf({ role, tenantId }: Pick<Identity, 'role' | 'tenantId'>, tenant: string | undefined): string {
  if (role === 'operator') return tenant ?? INSTALLATION_SCOPE;
  if (tenant === undefined || tenant === tenantId) return tenantId;
  throw new DeckhandError('forbidden', `costs of ${tenant} asked for by an analyst of ${tenantId}`, {
    userMessage: 'A key of the role analyst sees the costs of its own tenant only.',
    hint: 'Leave the tenant out, or ask an operator.',
  });
}
