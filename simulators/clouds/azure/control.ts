/**
 * The control routes of a simulated Azure: those of every simulator (core/control.ts). `POST /_control/quotas` also takes the quotas of cores:
 * `family`, `regional`, `spot`; null = no limit.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { controlInput, ControlInputError, controlRoutes, type ControlEnv } from '../core/control.ts';
import { CloudRefusal } from '../core/refusal.ts';
import { quotaSchema, type Simulation } from './account.ts';

const refused = (message: string, status: number): Response =>
  Response.json({ error: { code: 'InvalidRequest', message } }, { status });

interface AzureControlEnv extends ControlEnv {
  readonly sim: Simulation;
}

const routes = new Hono<{ Bindings: AzureControlEnv }>()
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

const json = z.string().transform((body, context): unknown => {
  try {
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is not JSON: ${String(error)}` });
    return z.NEVER;
  }
});

/** Answers a control call. */
export async function azureControl(sim: Simulation, request: Request, text: string): Promise<Response> {
  const body = json.safeParse(text);
  if (!body.success) return refused('the body is not JSON', 400);
  return routes.fetch(request, { sim, cloud: sim.cloud, body: body.data });
}
