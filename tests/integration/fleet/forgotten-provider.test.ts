/** A provider that is taken out of the configuration while it still holds instances. */
import { Connection } from '@temporalio/client';
import { expect } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { temporalClient } from '../../../platform/temporal.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { startPools } from '../../../workers/control/start-pools.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { anInstance } from '../../../testing/make.ts';

const FLEET = loadFleet({ fleetFile: '/nowhere/fleet.json', home: '/nowhere', providerUrls: {} });

it('scenario 8: a configuration without a provider that holds instances is refused with their list, before any pool is started or retired', async ({
  db,
}) => {
  const offerKey = 'datacrunch/FIN-01/1H100.80S.30V/ondemand';
  await anInstance(db, { name: 'visual-1', phase: 'ready', offerKey });
  await anInstance(db, { name: 'visual-2', phase: 'suspended', offerKey });
  await anInstance(db, { name: 'visual-3', phase: 'gone', offerKey });
  expect(FLEET.provider).toBe('static');
  // Nothing listens there: a call to Temporal would give another error.
  const settings = loadConfig();
  const temporal = temporalClient(Connection.lazy({ address: '127.0.0.1:9' }), { namespace: 'default' }, settings);
  await expect(startPools(temporal, db, settings, FLEET)).rejects.toMatchObject({
    code: 'conflict',
    userMessage: expect.stringMatching(
      /^datacrunch is not configured any more and still holds instances: visual-1 \(ready, .*1H100.*\), visual-2 \(suspended, .*\)\.$/u,
    ) as string,
    hint: expect.stringContaining('Name datacrunch in the fleet file again') as string,
  });
});
