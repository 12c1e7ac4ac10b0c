/**
 * The contract of the provider port, for every provider over its simulator on a virtual clock, in the dialects that sources about it allow.
 */
import { describeProviderContract } from '../../../testing/provider-contract/contract.ts';
import { openDataCrunchRig } from '../../../testing/provider-contract/rigs/datacrunch.ts';

describeProviderContract('DataCrunch', () => openDataCrunchRig());

describeProviderContract('DataCrunch in its other dialect, with late lists and rare statuses', () =>
  openDataCrunchRig({
    dialect: {
      doubleDelete: '204',
      purgeTwice: '400',
      idAnswer: 'quoted',
      cloneAnswer: 'object',
      deleteWithoutVolumeIds: 'leave_detached',
    },
    boot: { rareStatuses: true },
    visibility: { listLagSec: [0, 30] },
  }),
);

describeProviderContract('DataCrunch behind a bad connection', () =>
  openDataCrunchRig({
    faults: [
      { effect: 'html_502', match: { method: 'GET', everyN: 7 } },
      { effect: 'rate_limit', match: { method: 'GET', everyN: 11 }, retryAfterSec: 3 },
      { effect: 'drop_answer', match: { method: 'PUT', nth: 1 } },
      { effect: 'error', match: { method: 'DELETE', nth: 1 }, status: 500 },
      { effect: 'timeout', match: { path: '/oauth2/token', nth: 1 } },
    ],
  }),
);
