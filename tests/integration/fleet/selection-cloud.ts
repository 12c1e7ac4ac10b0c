/**
 * Selection over the simulated provider, for tests: as many processes as are asked for, on one clock, with what they called.
 */
import { Selection, type LadderWish } from '../../../activities/fleet/selection/selection.ts';
import { Accounts } from '../../../clouds/accounts.ts';
import { createDataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { ExplainedLadder, ExplainedOffer } from '../../../domain/fleet/selection/ladder-input.ts';
import { offerKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import { createSimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';

/** One account of the simulated provider. */
export class SelectionCloud {
  readonly clock = new VirtualClock();
  readonly sim = createSimulatedDataCrunch({ clock: this.clock, scenario: 'demo' });
  /** Paths of the calls, in order. */
  calls: string[] = [];

  /** Selection as one more process would have it. */
  newSelection(db: PrismaClient, models: string = 'reader'): Selection {
    const { clock, sim } = this;
    const client = createDataCrunchClient({
      baseUrl: 'http://127.0.0.1/v1',
      credentials: { clientId: sim.clientId, clientSecret: sim.clientSecret },
      fetch: (input, init) => {
        const { pathname } = new URL(input);
        this.calls.push(pathname.replace('/v1', ''));
        return sim.fetch(input, init);
      },
      now: () => clock.nowMs(),
      pause: (ms) => Promise.resolve(clock.advance(ms)),
      random: () => 0.5,
    });
    const provider = DATACRUNCH.open({ client, now: () => clock.nowMs() });
    const log = createLogger('selection-test', { logLevel: 'silent' });
    return new Selection({
      db,
      accounts: new Accounts([provider]),
      config: { models, modelConcurrency: 4 },
      log,
      now: () => clock.nowMs(),
    });
  }

  /** How often it was asked what there is. */
  looks(): number {
    return this.calls.filter((path) => path === '/instance-availability').length;
  }
}

export const wish = (changes: Partial<LadderWish> = {}): LadderWish => ({
  ...poolConfigSchema.parse({ name: 'both', classes: [...GPU_CLASSES] }),
  ...changes,
});
export const first = (ladder: ExplainedLadder): ExplainedOffer | undefined => ladder.offers.find((o) => o.rank === 1);
export const keyOf = (instanceType: string, location = 'FIN-02'): OfferKey =>
  offerKey({ provider: 'datacrunch', location, instanceType, market: 'ondemand' });
export const A100 = keyOf('1A100.40S.22V');
export const NO_STOCK = { errorClass: 'capacity', message: 'no stock' } as const;
