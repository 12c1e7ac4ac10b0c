/** Prices that cannot be meant: nothing is bought at them, and an operator is told. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'vitest';
import {
  createInstanceActivities,
  type InstanceActivitiesOptions,
} from '../../../../activities/fleet/instance/activities.ts';
import { poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import { whyImplausible } from '../../../../domain/fleet/selection/price-sanity.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';

const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });

it('scenario 40: a catalogue with no price, or a hundredfold one, is not believed and is told once', async ({ db }) => {
  const usual = { peers: [], lastGood: 1.99 };
  const offers = [0, 199, 1.99].map((priceUsdPerHour, index) => {
    const why = whyImplausible(priceUsdPerHour, usual);
    const current =
      why === null
        ? { rank: 1, refusal: null, reason: 'tried first' }
        : { rank: null, refusal: 'implausible_price' as const, reason: `type-${index} is not bought: ${why}.` };
    return { priceUsdPerHour, key: `datacrunch/FIN-01/type-${index}/ondemand`, ...current };
  });
  const selection = { ladder: () => Promise.resolve({ offers, nextTryAtMs: null }) };
  const activities = createInstanceActivities({ db, selection } as unknown as InstanceActivitiesOptions);
  const rankOffers: typeof activities.rankOffers = (input) => activities.rankOffers(input);
  for (let tries = 0; tries < 2; tries += 1) {
    const asked = new MockActivityEnvironment().run(rankOffers, {
      pool,
      wakeFrom: null,
      instance: 'visual-1',
    }) as ReturnType<typeof rankOffers>;
    const ranked = await asked;
    expect(ranked.offers.map((offer) => offer.priceUsdPerHour)).toEqual([1.99]);
  }
  const alerts = await db.alert.findMany();
  expect(alerts.map((alert) => alert.message)).toEqual([
    "Prices in the catalogue are not believed. type-0 is not bought: the catalogue has no price for it. type-1 is not bought: the catalogue's $199.00 per GPU and hour is far from the $1.99 that it cost before.",
  ]);
});
