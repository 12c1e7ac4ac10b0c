/**
 * Which role a route asks for, as data: the one list of who may use what. A route that no rule names is refused.
 *
 * An operator may do all that an analyst may. What one tenant may see of another is not decided here but by the tenant of the request, which
 * every query carries: what is another tenant's is not found.
 */
import type { ApiRole } from '../../generated/prisma/enums.ts';

/** Who may use a route: anyone at all, or a key of at least this role. */
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
  // Health says what answers and nothing of what is in it, and proves whose API this is; the login is where a key is shown.
  { path: '/health', methods: ['GET'], access: 'anyone' },
  { path: '/session', access: 'anyone' },

  // The daily work, with what belongs to the tenant.
  { path: '/openapi.json', methods: ['GET'], access: 'analyst' },
  { path: '/decks', access: 'analyst' },
  { path: '/analyses', access: 'analyst' },
  { path: '/replays', access: 'analyst' },
  { path: '/models', methods: ['GET'], access: 'analyst' },
  // An analyst sees what is the own tenant's; the routes see to that.
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

/** Where a person arrives who knows the address alone; leads to the login, and to the pages behind it. */
export const ROOT_PATH = '/';
/** A route outside the prefix: Prometheus looks there by itself. */
export const METRICS_PATH = '/metrics';
/** Metrics are the installation's: all tenants' work and money is in them. */
export const METRICS_ACCESS: Access = 'operator';

/** What a request below the prefix asks for; undefined when no rule names its route. */
export function accessOf(method: string, path: string): Access | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return ACCESS_RULES.find(
    (rule) => (path === rule.path || path.startsWith(`${rule.path}/`)) && (rule.methods?.includes(asked) ?? true),
  )?.access;
}

/** Whether a role reaches. */
export function roleReaches(role: ApiRole, access: Access): boolean {
  return access !== 'operator' || role === 'operator';
}
