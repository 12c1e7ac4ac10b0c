/**
 * The contract of the provider port, for every provider over its simulator on a virtual clock. In the long tiers also in the dialects that
 * sources about a provider allow, and behind bad connections.
 */
import { describeProviderContract } from '../../../testing/provider-contract/contract.ts';
import { openAwsRig } from '../../../testing/provider-contract/rigs/aws.ts';
import { openAzureRig } from '../../../testing/provider-contract/rigs/azure.ts';
import { openGoogleRig } from '../../../testing/provider-contract/rigs/google.ts';
import { openDataCrunchRig } from '../../../testing/provider-contract/rigs/datacrunch.ts';
import { testTier } from '../../../testing/tier.ts';

describeProviderContract('DataCrunch', () => openDataCrunchRig());
describeProviderContract('AWS', () => openAwsRig());
describeProviderContract('Google', () => openGoogleRig());
describeProviderContract('Azure', () => openAzureRig());

if (testTier() !== 'fast') {
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

  describeProviderContract('AWS behind a bad connection, with late lists', () =>
    openAwsRig({
      visibility: { listLagSec: [0, 30], getLagSec: 5 },
      faults: [
        { effect: 'html_502', match: { path: '/ec2/Describe*', everyN: 7 } },
        { effect: 'rate_limit', match: { path: '/ec2/Describe*', everyN: 11 } },
        { effect: 'drop_answer', match: { path: '/ec2/TerminateInstances', nth: 1 } },
        { effect: 'error', match: { path: '/ec2/DeleteVolume', nth: 1 }, status: 500 },
      ],
    }),
  );

  describeProviderContract('Google behind a bad connection, with late lists and short pages', () =>
    openGoogleRig({
      visibility: { listLagSec: [0, 30], getLagSec: 5 },
      dialect: { mostPerPage: 7, operationSec: 4 },
      faults: [
        { effect: 'html_502', match: { method: 'GET', everyN: 7 } },
        { effect: 'rate_limit', match: { method: 'GET', everyN: 11 } },
        { effect: 'timeout', match: { path: '/token', nth: 1 } },
        { effect: 'drop_answer', match: { method: 'DELETE', path: '/zones/*/instances/*', nth: 1 } },
        { effect: 'drop_answer', match: { path: '/global/firewalls', nth: 1 } },
        { effect: 'error', match: { method: 'DELETE', path: '/zones/*/disks/*', nth: 1 }, status: 500 },
      ],
    }),
  );

  describeProviderContract('Azure behind a bad connection, with late lists in short pages', () =>
    openAzureRig({
      visibility: { listLagSec: [0, 30], getLagSec: 5 },
      dialect: { pageSize: 1, networkSec: 4 },
      faults: [
        { effect: 'html_502', match: { method: 'GET', path: '/Microsoft.*', everyN: 7 } },
        { effect: 'rate_limit', match: { method: 'GET', path: '/Microsoft.*', everyN: 11 } },
        { effect: 'drop_answer', match: { method: 'DELETE', path: '/Microsoft.Compute/virtualMachines/*', nth: 1 } },
        { effect: 'drop_answer', match: { method: 'PUT', path: '/Microsoft.Network/*', nth: [1, 4] } },
        { effect: 'error', match: { method: 'DELETE', path: '/Microsoft.Compute/disks/*', nth: 1 }, status: 500 },
      ],
    }),
  );
}
