/**
 * What goes wrong at the provider, from its answer to what people see: rows of the catalogue that cannot be read are named, and a tier that lost
 * its types by them is not called unsold; a full rate limit is told before anyone gives up waiting.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { selectionWhenAsked } from '../../../api/fleet/open-selection.ts';
import { renderPlan } from '../../../cli/fleet/plan-ladder.ts';
import { capacityTable, tierTable } from '../../../cli/fleet/selection-tables.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { scriptedApi } from '../../unit/clouds/scripted-api.ts';
import { serveSelection } from './serve-selection.ts';

const row = (name: string, model: string, changes: object = {}) => ({
  instance_type: name,
  model,
  gpu: { number_of_gpus: 1 },
  gpu_memory: { size_in_gigabytes: 80 },
  price_per_hour: 3.7,
  currency: 'usd',
  supported_os: ['ubuntu-24.04'],
  ...changes,
});
const BODIES: Record<string, unknown> = {
  '/instance-types': [
    row('1A100.22V', 'A100'),
    row('1H100.80S.30V', 'H100', { price_per_hour: null }),
    row('1B200.30V\u001b[2J', 'B200', { currency: 'eur' }),
  ],
  '/locations': [{ code: 'FIN-01', name: 'Helsinki', country_code: 'FI' }],
  '/instance-availability': [{ location_code: 'FIN-01', availabilities: ['1A100.22V', '1H100.80S.30V'] }],
};
const ROWS = [
  '1H100.80S.30V: its price per hour cannot be read',
  '1B200.30V [2J: its price is in EUR, asked for in USD',
];
const PLAIN = { colours: false, width: 200 };
const TOLD = ['2 rows of the catalogue could not be read:', ...ROWS.map((text) => `  ${text}`)].join('\n');

/** The API, with its own provider at this address. */
function serve(db: PrismaClient, baseUrl: string): ReturnType<typeof serveSelection> {
  const home = folderPerTest();
  const fleetFile = path.join(home, 'fleet.json');
  writeFileSync(fleetFile, JSON.stringify({ provider: 'datacrunch', baseUrl, installationId: 'l123456' }));
  const config = loadConfig({
    DECKHAND_HOME: home,
    DECKHAND_FLEET_FILE: fleetFile,
    DATACRUNCH_CLIENT_ID: 'an-id',
    DATACRUNCH_CLIENT_SECRET: 'a-secret',
  });
  const log = createLogger('rows-test', { logLevel: 'silent' });
  const { selection, unreadableRows } = selectionWhenAsked({ db, config, log });
  return serveSelection(db, { selection: selection(), unreadableRows });
}

it('a provider that takes no more calls is told by name, route, limit and time', async ({ db }) => {
  const provider = await scriptedApi(() => ({ status: 429, body: 'slow down', headers: { 'retry-after': '60' } }));
  await using served = await serve(db, provider.baseUrl);
  const { client } = served;
  await expect(client.GET('/fleet/tiers')).rejects.toMatchObject({
    code: 'provider_throttled',
    userMessage: expect.stringMatching(
      /^DataCrunch takes no more calls of GET \/v1\/[\w-]+ until \d\d:\d\d:\d\d UTC \(60 a minute\)$/u,
    ) as string,
    retryAfterMs: 60_000,
  });
});

it('rows of a catalogue that cannot be read are told by tiers, capacity and plan, and where a selector names one', async ({
  db,
}) => {
  const provider = await scriptedApi((request) => ({ body: BODIES[request.path.replace(/\?.*/u, '')] }));
  await using served = await serve(db, provider.baseUrl);
  const { client } = served;
  const tiers = await client.GET('/fleet/tiers');
  expect(tiers.unreadableRows).toEqual(ROWS);
  const table = tierTable(tiers);
  expect(table).toContain(TOLD);
  expect(table).toMatch(/^Not sold, or not among the rows that could be read: .*H100/mu);
  expect(capacityTable(await client.GET('/fleet/capacity', { params: { query: { market: 'ondemand' } } }))).toContain(
    TOLD,
  );
  const plan = await client.GET('/fleet/plan', { params: { query: { selector: 'a100-80' } } });
  expect(renderPlan(plan, { all: false, verbose: false }, PLAIN)).toContain(TOLD);
  await expect(client.GET('/fleet/plan', { params: { query: { selector: '1H100.80S.30V' } } })).rejects.toMatchObject({
    code: 'selector_unknown',
    hint: expect.stringContaining(`2 rows of the catalogue could not be read: ${ROWS.join('; ')}.`) as string,
  });
});
