/** A create is sent once: what its answer says of it, and what is known when no answer comes. */
import pino from 'pino';
import { expect } from 'vitest';
import { BootMaterial } from '../../../activities/fleet/instance/boot-material.ts';
import { createInstance } from '../../../activities/fleet/instance/create.ts';
import { Accounts } from '../../../clouds/accounts.ts';
import { createDataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import type { CreateOutcome } from '../../../domain/fleet/instance-life/types.ts';
import { offerKey } from '../../../domain/fleet/selection/offer.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { anInstance } from '../../../testing/make.ts';

let made = 0;
const CREATE = { method: 'POST', path: '/instances' } as const;

/** Sends one create for an instance, against a simulated provider with this fault. */
async function createWith(
  db: PrismaClient,
  fault: FaultRuleInput,
): Promise<{
  readonly outcome: CreateOutcome;
  readonly again: CreateOutcome;
  readonly simulator: SimulatedDataCrunch;
}> {
  const simulator = createSimulatedDataCrunch({ scenario: { faults: [fault] } });
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: simulator.clientId, clientSecret: simulator.clientSecret },
    fetch: (input, init) => simulator.fetch(input, init),
    pause: () => Promise.resolve(),
  });
  const provider = DATACRUNCH.open({ client });
  const { name } = await anInstance(db, { name: `visual-${(made += 1)}` });
  const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
  const id = { provider: 'datacrunch', location: 'FIN-01', instanceType: '1H100.80S.30V', market: 'ondemand' } as const;
  const hostname = `dh-test1-${name}-1`;
  const intent = { id: `${name}/1`, hostname, offer: offerKey(id), priceUsdPerHour: 3.28, volumeId: null };
  const material = new BootMaterial({
    db,
    provider,
    installationId: 'test1',
    publicKey: () => 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test',
    startupScript: () => Promise.resolve('#!/bin/sh\n'),
  });
  const send = (): Promise<CreateOutcome> =>
    createInstance(
      {
        db,
        accounts: new Accounts([provider]),
        material: () => material,
        selection: { mayLaunch: () => Promise.resolve(null) },
        log: pino({ enabled: false }),
      },
      { instance: name, pool, intent },
      new AbortController().signal,
    );
  return { outcome: await send(), again: await send(), simulator };
}

it.for<[string, FaultRuleInput]>([
  ['the connection breaks after it took effect', { match: CREATE, effect: 'drop_answer' }],
  ['the provider answers 500', { match: CREATE, effect: 'error', status: 500, code: 'internal', message: 'oops' }],
])('a create is unknown, never refused, and not sent again when %s', async ([, fault], { db }) => {
  const { outcome, again, simulator } = await createWith(db, fault);
  expect(outcome.kind).toBe('unknown');
  expect(again.kind).toBe('unknown');
  expect(simulator.core.allInstances().length).toBeLessThanOrEqual(1);
});

it('a create that the provider refuses for lack of stock is refused', async ({ db }) => {
  const noStock = { status: 503, code: 'service_unavailable', message: 'No capacity available' };
  const { outcome, simulator } = await createWith(db, { match: CREATE, effect: 'error', ...noStock });
  expect(outcome).toMatchObject({ kind: 'refused', error: { errorClass: 'capacity' } });
  expect(simulator.core.allInstances()).toEqual([]);
});
