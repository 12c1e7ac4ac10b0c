/**
 * The control routes of a simulated Google: those of every simulator (core/control.ts). `POST /_control/quotas` also takes the GPU quotas:
 * `gpusAllRegions`, `gpusPerKind`, `spotGpusPerKind`; null = no limit.
 */
import { Hono } from 'hono';
import { controlInput, ControlInputError, controlRoutes, type ControlEnv } from '../core/control.ts';
import { CloudRefusal } from '../core/refusal.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { quotaSchema, type Simulation } from './account.ts';

const refused = (message: string, status: number): Response =>
  Response.json({ code: 'invalid_request', message }, { status });

interface GoogleControlEnv extends ControlEnv {
  readonly sim: Simulation;
}

const routes = new Hono<{ Bindings: GoogleControlEnv }>()
  .basePath('/_control')
  .post('/quotas', async (c, next) => {
    const { sim, body } = c.env;
    const isOwn =
      typeof body === 'object' && body !== null && Object.keys(body).every((name) => name in quotaSchema.shape);
    if (!isOwn) return next();
    sim.account.quotas = { ...sim.account.quotas, ...controlInput(quotaSchema, body) };
    return c.json({ ok: true });
  })
  .route('/', controlRoutes)
  .notFound(() => refused('no such control route', 404))
  .onError((error) => {
    if (error instanceof ControlInputError) return refused(error.message, 400);
    return refused(error.message, error instanceof CloudRefusal ? 409 : 500);
  });

/** Answers a control call. */
export async function googleControl(sim: Simulation, request: Request, text: string): Promise<Response> {
  const body = text === '' ? undefined : tryJson(text);
  if (text !== '' && body === undefined) return refused('the body is not JSON', 400);
  return routes.fetch(request, { sim, cloud: sim.cloud, body });
}
