/**
 * Which role a route needs, as data. A route that no rule names is refused.
 *
 * An operator may do all that an analyst may. Tenants are kept apart elsewhere: by the tenant of the request, which
 * every query has as a condition. Data of another tenant is not found.
 */
import type { ApiRole } from '../../generated/prisma/enums.ts';
import { API_PREFIX, COMPAT_PREFIX } from '../context.ts';

/** Who may use a route: everyone, or a key of at least this role. */
export type Access = 'anyone' | ApiRole;

/** One rule: the routes at a path and below it, for some methods or all. */
interface AccessRule {
  /** Below the API's prefix, or from the root of the host. */
  readonly path: string;
  /** All methods when left out. GET stands for HEAD too. */
  readonly methods?: readonly string[];
  readonly access: Access;
}

/** The routes below the API's prefix. The first rule that fits decides. */
export const ACCESS_RULES: readonly AccessRule[] = [
  // Health tells which services answer and proves whose API this is; the login takes a key.
  { path: '/health', methods: ['GET'], access: 'anyone' },
  // A link that signs in is made by somebody who is signed in already, with a key or a session.
  { path: '/session/links', access: 'analyst' },
  { path: '/session', access: 'anyone' },

  // The daily work, with what belongs to the tenant.
  { path: '/openapi.json', methods: ['GET'], access: 'analyst' },
  { path: '/decks', access: 'analyst' },
  { path: '/events', methods: ['GET'], access: 'analyst' },
  { path: '/views', access: 'analyst' },
  { path: '/samples', methods: ['GET'], access: 'analyst' },
  { path: '/companies', access: 'analyst' },
  { path: '/people', methods: ['GET'], access: 'analyst' },
  { path: '/calibration', methods: ['GET'], access: 'analyst' },
  { path: '/analyses', access: 'analyst' },
  { path: '/replays', access: 'analyst' },
  { path: '/models', methods: ['GET'], access: 'analyst' },
  { path: '/costs/forecast', access: 'operator' },
  // An analyst sees the costs of the own tenant; the routes check that.
  { path: '/costs', methods: ['GET'], access: 'analyst' },

  // What concerns the installation: money, models, and who else may use it.
  { path: '/models', access: 'operator' },
  { path: '/fleet', access: 'operator' },
  { path: '/budgets', access: 'operator' },
  { path: '/costs', access: 'operator' },
  { path: '/rollouts', access: 'operator' },
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

/** Prometheus looks there by itself. */
export const METRICS_PATH = '/metrics';

/** The start page of the workspace. */
export const START_PAGE = '/';

/** Pages of the workspace beside the start page, each with those below it. */
export const WORKSPACE_PAGES = ['/decks', '/compare', '/portfolio', '/calibration', '/companies'] as const;

/** Everything outside the prefix except the start page. The first rule that fits decides. */
export const ROOT_RULES: readonly AccessRule[] = [
  // The compatibility layer: the daily work under the addresses of the container API.
  { path: `${COMPAT_PREFIX}/visual-analysis`, methods: ['POST'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/slide-feedback`, methods: ['POST'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/extraction`, methods: ['POST'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/template-analysis`, methods: ['POST'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/specialized-analysis`, methods: ['POST'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/tasks`, methods: ['GET'], access: 'analyst' },
  { path: `${COMPAT_PREFIX}/health`, methods: ['GET'], access: 'analyst' },

  // Metrics cover the work and money of all tenants.
  { path: METRICS_PATH, access: 'operator' },
  // The bundle of the workspace is the same for everybody and holds no data. Icons are asked for without a cookie.
  { path: '/assets', methods: ['GET'], access: 'anyone' },
  { path: '/favicon.ico', methods: ['GET'], access: 'anyone' },
  { path: '/favicon.svg', methods: ['GET'], access: 'anyone' },
  // The pages hold no data either. The rule sends a browser without a session to the login.
  ...WORKSPACE_PAGES.map((path) => ({ path, methods: ['GET'], access: 'analyst' as const })),
];

/** Whether a path is at another one or below it. */
const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Whether a path is one of a page of the workspace. */
export const isWorkspacePage = (path: string): boolean =>
  path === START_PAGE || WORKSPACE_PAGES.some((page) => isWithin(path, page));

function accessBy(rules: readonly AccessRule[], method: string, path: string): Access | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return rules.find((rule) => isWithin(path, rule.path) && (rule.methods?.includes(asked) ?? true))?.access;
}

/** The role that a request below the prefix needs; undefined when no rule names its route. */
export const accessOf = (method: string, path: string): Access | undefined => accessBy(ACCESS_RULES, method, path);

/** The role that a request needs, by its whole path; undefined when no rule names its route. */
export function accessOfRequest(method: string, path: string): Access | undefined {
  if (path.startsWith(`${API_PREFIX}/`)) return accessOf(method, path.slice(API_PREFIX.length));
  if (path === START_PAGE) return method === 'GET' || method === 'HEAD' ? 'analyst' : undefined;
  return accessBy(ROOT_RULES, method, path);
}

/** Whether a role suffices. */
export function roleReaches(role: ApiRole, access: Access): boolean {
  return access !== 'operator' || role === 'operator';
}
