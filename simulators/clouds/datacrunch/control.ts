/**
 * `/_control/*`: routes by which tests and people control a simulated DataCrunch. They need no token; the server listens on loopback only.
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
 *     POST /_control/quotas                   limits to change
 *     POST /_control/balance                  { usd }
 *     POST /_control/evict                    { id } of a spot instance, or of a spot replica of a deployment
 *     POST /_control/clock/advance            { ms }; virtual clock only
 *     POST /_control/tokens/revoke
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { machineFaultSchema } from '../../machine/faults.ts';
import { VirtualClock } from '../core/clock.ts';
import { faultRuleSchema } from '../core/faults.ts';
import { priceRuleSchema, stockRuleSchema } from '../core/scenario.ts';
import type { Simulation } from './account.ts';
import { parseBody } from './body.ts';
import { ApiError, errorResponse, responseOf } from './errors.ts';

/** Environment of the control routes. */
export interface ControlEnv {
  readonly sim: Simulation;
  readonly body: unknown;
}

/** Counters of a simulator. */
export interface SimulatorStats {
  readonly calls: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** By offer key. */
  readonly creates: Readonly<Record<string, { asked: number; accepted: number; noCapacity: number }>>;
  readonly chargedUsd: number;
  readonly balanceUsd: number;
  readonly nowMs: number;
}

function stats({ cloud }: Simulation): SimulatorStats {
  const { chargedUsd, balanceUsd } = cloud.ledger();
  return { ...cloud.state.stats, chargedUsd, balanceUsd, nowMs: cloud.clock.nowMs() };
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

/** See the file's header. */
export const controlRoutes = new Hono<{ Bindings: ControlEnv }>()
  .basePath('/_control')
  .get('/state', (c) => c.json({ ...c.env.sim.cloud.snapshot(), nowMs: c.env.sim.cloud.clock.nowMs() }))
  .get('/stats', (c) => c.json(stats(c.env.sim)))
  .get('/ledger', (c) => c.json(c.env.sim.cloud.ledger()))
  .get('/instances/:id/model', (c) => c.json({ url: c.env.sim.cloud.instance(c.req.param('id')).modelUrl }))
  .on(['PUT', 'POST'], '/instances/:id/faults', (c) => {
    const { cloud } = c.env.sim;
    cloud.machines.setFaults(c.req.param('id'), parseBody(z.array(machineFaultSchema), c.env.body), cloud.settle());
    return c.json({ ok: true });
  })
  .post('/machines/run', (c) => {
    const { cloud } = c.env.sim;
    const { command, ...target } = parseBody(commandSchema, c.env.body);
    const answer = cloud.machines.run(target, command, cloud.settle());
    switch (answer.kind) {
      case 'no_answer':
        return errorResponse(503, 'service_unavailable', 'the machine does not answer');
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
    c.env.sim.cloud.setFaults(parseBody(z.array(faultRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/stock', (c) => {
    c.env.sim.cloud.setStock(parseBody(z.array(stockRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/prices', (c) => {
    c.env.sim.cloud.setPrices(parseBody(z.array(priceRuleSchema), c.env.body));
    return c.json({ ok: true });
  })
  .post('/quotas', (c) => {
    const limits = parseBody(quotaChange, c.env.body);
    const given = Object.entries(limits).filter(([, value]) => value !== undefined);
    c.env.sim.cloud.setQuotas(Object.fromEntries(given));
    return c.json({ ok: true });
  })
  .post('/balance', (c) => {
    c.env.sim.cloud.setBalance(parseBody(z.object({ usd: z.number().min(0) }), c.env.body).usd);
    return c.json({ ok: true });
  })
  .post('/evict', (c) => {
    c.env.sim.cloud.evict(parseBody(z.object({ id: z.string() }), c.env.body).id);
    return c.json({ ok: true });
  })
  .post('/clock/advance', (c) => {
    const { clock } = c.env.sim.cloud;
    if (!(clock instanceof VirtualClock)) throw new ApiError('invalid_request', 'the clock of this simulator is real');
    clock.advance(parseBody(z.object({ ms: z.number().min(0) }), c.env.body).ms);
    c.env.sim.cloud.settle();
    return c.json({ nowMs: clock.nowMs() });
  })
  .post('/tokens/revoke', (c) => {
    c.env.sim.account = { ...c.env.sim.account, tokens: {} };
    return c.json({ ok: true });
  })
  .notFound(() => errorResponse(404, 'not_found', 'no such control route'))
  .onError((error) => responseOf(error) ?? errorResponse(500, 'server_error', String(error)));
