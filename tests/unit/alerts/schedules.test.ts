/** Alerts watch every schedule that there is. */
import { expect, it } from 'vitest';
import { OWN_SCHEDULE_IDS } from '../../../activities/metrics/installation.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { scheduleTable } from '../../../workers/control/schedules/table.ts';

it('the schedules that alerts look at are those of the table', () => {
  const fleet = fleetConfigSchema.parse({ provider: 'datacrunch', installationId: 'test1' });
  const table = scheduleTable({ ...fleet, installationId: 'test1' }, Date.UTC(2026, 10, 21));
  expect(OWN_SCHEDULE_IDS.toSorted()).toEqual(table.map(({ id }) => id).toSorted());
});
