/**
 * The control routes of a simulated DataCrunch: those of every simulator (core/control.ts), and
 *
 *     POST /_control/tokens/revoke
 */
import { Hono } from 'hono';
import { ControlInputError, controlRoutes as sharedRoutes, type ControlEnv } from '../core/control.ts';
import { revokeTokens, type Simulation } from './account.ts';
import { errorResponse, responseOf } from './errors.ts';

/** See the file's header. */
export const controlRoutes = new Hono<{ Bindings: ControlEnv & { readonly sim: Simulation } }>()
  .basePath('/_control')
  .route('/', sharedRoutes)
  .post('/tokens/revoke', (c) => {
    revokeTokens(c.env.sim);
    return c.json({ ok: true });
  })
  .notFound(() => errorResponse(404, 'not_found', 'no such control route'))
  .onError((error) =>
    error instanceof ControlInputError
      ? errorResponse(400, 'invalid_request', error.message)
      : (responseOf(error) ?? errorResponse(500, 'server_error', String(error))),
  );
