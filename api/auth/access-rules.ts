/**
 * Which role a route needs, as data. A route that no rule names is refused.
 *
 * An operator may do all that an analyst may. Tenants are kept apart elsewhere: by the tenant of the request, which
 * every query has as a condition. Data of another tenant is not found.
 */
import type { ApiRole } from '../../generated/prisma/enums.ts';

/** Who may use a route: everyone, or a key of at least this role. */
export type Access = 'anyone' | ApiRole;

/** One rule: the routes at a path and below it, for some methods or all. */
export interface AccessRule {
  /** Path below the API's prefix. */
  readonly path: string;
  /** All methods when left out. GET stands for HEAD too. */
  readonly methods?: readonly string[];
  readonly access: Access;
}

/** The first rule that fits decides. */
export const ACCESS_RULES: readonly AccessRule[] = [
  // Health tells which services answer and proves whose API this is; the login takes a key.
  { path: '/health', methods: ['GET'], access: 'anyone' },
  { path: '/session', access: 'anyone' },

  // The daily work, with what belongs to the tenant.
  { path: '/openapi.json', methods: ['GET'], access: 'analyst' },
  { path: '/decks', access: 'analyst' },
  { path: '/analyses', access: 'analyst' },
  { path: '/replays', access: 'analyst' },
  { path: '/models', methods: ['GET'], access: 'analyst' },
  // An analyst sees the costs of the own tenant; the routes check that.
  { path: '/costs', methods: ['GET'], access: 'analyst' },

  // What concerns the installation: money, models, and who else may use it.
  { path: '/models', access: 'operator' },
  { path: '/fleet', access: 'operator' },
  { path: '/budgets', access: 'operator' },
  { path: '/costs', access: 'operator' },
  { path: '/schedules', access: 'operator' },
  { path: '/keys', access: 'operator' },
  { path: '/tenants', access: 'operator' },
  { path: '/webhooks', access: 'operator' },
  { path: '/alerts', methods: ['GET'], access: 'operator' },
  { path: '/alert-rules', access: 'operator' },
  { path: '/targets', methods: ['GET'], access: 'operator' },
  { path: '/performance', methods: ['GET'], access: 'operator' },
  // Payloads in Temporal are every tenant's.
  { path: '/codec', access: 'operator' },
];

/** The bare address; leads to the login and the pages behind it. */
export const ROOT_PATH = '/';
/** A route outside the prefix: Prometheus looks there by itself. */
export const METRICS_PATH = '/metrics';
/** Metrics cover the work and money of all tenants. */
export const METRICS_ACCESS: Access = 'operator';

/** The role that a request below the prefix needs; undefined when no rule names its route. */
export function accessOf(method: string, path: string): Access | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return ACCESS_RULES.find(
    (rule) => (path === rule.path || path.startsWith(`${rule.path}/`)) && (rule.methods?.includes(asked) ?? true),
  )?.access;
}

/** Whether a role suffices. */
export function roleReaches(role: ApiRole, access: Access): boolean {
  return access !== 'operator' || role === 'operator';
}
