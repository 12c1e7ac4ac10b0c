/**
 * The control routes of a simulator whose account has quotas of its own: those of every simulator (control.ts), and `POST /_control/quotas` takes
 * these quotas as well.
 */
import { Hono } from 'hono';
import type { z } from 'zod';
import { tryJson } from '../../../domain/text/json.ts';
import { controlInput, ControlInputError, controlRoutes, type ControlEnv } from './control.ts';
import { CloudRefusal } from './refusal.ts';
import type { SimulatedCloud } from './simulated-cloud.ts';

/** A simulator with its account. */
interface WithQuotas<Quotas> {
  readonly cloud: SimulatedCloud;
  readonly account: { quotas: Quotas };
}

/** Answers control calls. @param refusal body of an answer that refuses one, as the provider writes it */
export function accountControl<Schema extends z.ZodObject>(
  quotaSchema: Schema,
  refusal: (message: string) => object,
): (sim: WithQuotas<z.output<Schema>>, request: Request, text: string) => Promise<Response> {
  const refused = (message: string, status: number): Response => Response.json(refusal(message), { status });
  const routes = new Hono<{ Bindings: ControlEnv & { readonly sim: WithQuotas<z.output<Schema>> } }>()
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
  return async (sim, request, text) => {
    const body = text === '' ? undefined : tryJson(text);
    if (text !== '' && body === undefined) return refused('the body is not JSON', 400);
    return routes.fetch(request, { sim, cloud: sim.cloud, body });
  };
}
