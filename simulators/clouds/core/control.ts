/**
 * `/_control/*`: routes by which tests and people control a simulated cloud, the same for every provider. They need no token; the server
 * listens on loopback only.
 *
 *     GET  /_control/state                    everything, as JSON (keys, scripts and tokens left out)
 *     GET  /_control/stats                    calls by method and path, creates by offer, faults applied, charged total
 *     GET  /_control/ledger                   every charge
 *     GET  /_control/instances/ID/model       { url } of the model server of an instance; null while there is none
 *     PUT  /_control/instances/ID/faults      list of faults of the machine (simulators/machine/faults.ts), added to those it has; an empty list
 *                                             removes all. ID = the instance's, or its host name
 *     POST /_control/machines/run             { installationId, instance, modelUrl, command }: the shell of a machine; 503 when it does not answer
 *     PUT  /_control/faults                   list of fault rules; replaces the script
 *     POST /_control/stock | prices           list of rules, as in a scenario
 *     POST /_control/quotas                   limits to change; also those of the provider's own, if all are
 *     POST /_control/balance                  { usd }
 *     POST /_control/evict                    { id } of a spot instance, or of a spot replica of a deployment
 *     POST /_control/clock/advance            { ms }; virtual clock only
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { tryJson } from '../../../domain/text/json.ts';
import { machineFaultSchema } from '../../machine/faults.ts';
import { VirtualClock } from './clock.ts';
import { faultRuleSchema } from './faults.ts';
import { CloudRefusal } from './refusal.ts';
import { priceRuleSchema, stockRuleSchema } from './scenario.ts';
import type { SimulatedCloud } from './simulated-cloud.ts';

/** Environment of the control routes. */
export interface ControlEnv {
  readonly cloud: SimulatedCloud;
  /** Parsed body; undefined when there is none. */
  readonly body: unknown;
}

/** Input of a control route that is not valid. */
export class ControlInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ControlInputError';
  }
}

/** Counters of a simulator. */
interface SimulatorStats {
  readonly calls: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** By offer key. */
  readonly creates: Readonly<Record<string, { asked: number; accepted: number; noCapacity: number }>>;
  readonly chargedUsd: number;
  readonly balanceUsd: number;
  readonly nowMs: number;
}

function stats(cloud: SimulatedCloud): SimulatorStats {
  const { chargedUsd, balanceUsd } = cloud.ledger();
  return { ...cloud.state.stats, chargedUsd, balanceUsd, nowMs: cloud.clock.nowMs() };
}

/** Validates the body of a control route. @throws ControlInputError that names the first wrong field */
export function controlInput<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new ControlInputError(`${field === '' ? 'body' : field}: ${issue?.message ?? 'is not valid'}`);
}

const limit = z.int().min(0).nullable();
/** Absent limits do not change, so there are no defaults. */
const quotaChange = z.strictObject({
  gpus: limit.optional(),
  spotGpus: limit.optional(),
  vcpus: limit.optional(),
  storageGib: limit.optional(),
  volumes: limit.optional(),
  scripts: limit.optional(),
});

const commandSchema = z.strictObject({
  installationId: z.string(),
  instance: z.string(),
  modelUrl: z.string(),
  command: z.string(),
});

/** See the file's header. Errors are left to the app that mounts them under `/_control`. */
export const controlRoutes = new Hono<{ Bindings: ControlEnv }>()
  .get('/state', (c) => c.json({ ...c.env.cloud.snapshot(), nowMs: c.env.cloud.clock.nowMs() }))
  .get('/stats', (c) => c.json(stats(c.env.cloud)))
  .get('/ledger', (c) => c.json(c.env.cloud.ledger()))
  .get('/instances/:id/model', (c) => c.json({ url: c.env.cloud.instance(c.req.param('id')).modelUrl }))
  .on(['PUT', 'POST'], '/instances/:id/faults', (c) => {
    const { cloud } = c.env;
    cloud.machines.setFaults(c.req.param('id'), controlInput(z.array(machineFaultSchema), c.env.body), cloud.settle());
    return c.json({ ok: true });
  })
  .post('/machines/run', (c) => {
    const { cloud } = c.env;
    const { command, ...target } = controlInput(commandSchema, c.env.body);
    const answer = cloud.machines.run(target, command, cloud.settle());
    switch (answer.kind) {
      case 'no_answer':
        return c.json({ code: 'service_unavailable', message: 'the machine does not answer' }, 503);
      case 'restart':
      case 'reboot':
        return c.json({ exitCode: 0, output: '' });
      case 'said':
        return c.json({ exitCode: answer.exitCode, output: answer.output });
      default:
        return answer satisfies never;
    }
  })
  .on(['PUT', 'POST'], '/faults', (c) => {
    c.env.cloud.setFaults(controlInput(z.array(faultRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/stock', (c) => {
    c.env.cloud.setStock(controlInput(z.array(stockRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/prices', (c) => {
    c.env.cloud.setPrices(controlInput(z.array(priceRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/quotas', (c) => {
    const limits = controlInput(quotaChange, c.env.body);
    const given = Object.entries(limits).filter(([, value]) => value !== undefined);
    c.env.cloud.setQuotas(Object.fromEntries(given));
    return c.json({ ok: true });
  })
  .post('/balance', (c) => {
    c.env.cloud.setBalance(controlInput(z.object({ usd: z.number().min(0) }), c.env.body).usd);
    return c.json({ ok: true });
  })
  .post('/evict', (c) => {
    c.env.cloud.evict(controlInput(z.object({ id: z.string() }), c.env.body).id);
    return c.json({ ok: true });
  })
  .post('/clock/advance', (c) => {
    const { clock } = c.env.cloud;
    if (!(clock instanceof VirtualClock)) throw new ControlInputError('the clock of this simulator is real');
    clock.advance(controlInput(z.object({ ms: z.number().min(0) }), c.env.body).ms);
    c.env.cloud.settle();
    return c.json({ nowMs: clock.nowMs() });
  });

/** A simulator with its account. */
interface WithQuotas<Quotas> {
  readonly cloud: SimulatedCloud;
  readonly account: { quotas: Quotas };
}

/**
 * Answers control calls at a provider whose account has quotas of its own.
 *
 * @param refusal body of an answer that refuses one, as the provider writes it
 */
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
