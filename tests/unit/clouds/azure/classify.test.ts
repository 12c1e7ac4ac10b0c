/**
 * What each refusal of Azure means: class, and what it blocks for how long.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRefusal, ERROR_TABLE } from '../../../../clouds/azure/http/classify.ts';
import { readRefusal } from '../../../../clouds/azure/http/refusal.ts';
import { familyPattern, gpuOfSize } from '../../../../clouds/azure/gpus.ts';
import { covers, failureScopeKey } from '../../../../domain/fleet/selection/offer-memory.ts';
import { identifyGpu } from '../../../../domain/fleet/selection/tiers.ts';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import { forAll } from '../../../../testing/property.ts';

const A100 = 'Standard_NC24ads_A100_v4';
const HOUR_MS = 3_600_000;
const offerOf = (market: Market, instanceType = A100) => ({
  provider: 'azure',
  location: 'westeurope',
  instanceType,
  market,
});

const QUOTA = (name: string, limit: number): string =>
  `Operation could not be completed as it results in exceeding approved ${name} quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: ${limit}, Current Usage: 0, Additional Required: 24, (Minimum) New Limit Required: 24.`;
const FAMILY = 'Standard NCADS_A100_v4 Family vCPUs';
const NOT_SOLD =
  'Requested operation cannot be performed because VM size Standard_NC24ads_A100_v4 is not supported for subscription 1234 in location westeurope.';

/** Code, words, market, class, written scope of the block, and its time in hours (null = the class's). */
const ON_CREATE: readonly (readonly [string, string, Market, string, string | null, number | null])[] = [
  ['SkuNotAvailable', '', 'ondemand', 'capacity', `azure/westeurope/${A100}/ondemand`, 23],
  ['SkuNotAvailable', '', 'spot', 'capacity', `azure/westeurope/${A100}/spot`, 1],
  ['ZonalAllocationFailed', '', 'spot', 'capacity', 'azure/westeurope/Standard_NC*ads_A100_v4/*', 1],
  ['AllocationFailed', '', 'ondemand', 'capacity', `azure/westeurope/${A100}/*`, 1],
  ['OverconstrainedAllocationRequest', '', 'spot', 'capacity', `azure/westeurope/${A100}/spot`, 1],
  ['OverconstrainedZonalAllocationRequest', '', 'spot', 'capacity', `azure/westeurope/${A100}/spot`, 1],
  ['VMSizeNotSupported', '', 'spot', 'capacity', `azure/westeurope/${A100}/*`, 23],
  ['BadRequest', NOT_SOLD, 'ondemand', 'capacity', `azure/westeurope/${A100}/*`, 23],
  ['BadRequest', 'something else', 'ondemand', 'config', null, null],
  ['OperationNotAllowed', QUOTA('LowPriorityCores', 3), 'spot', 'quota', 'azure/westeurope/*/spot', 1],
  ['OperationNotAllowed', QUOTA('Total Regional Cores', 10), 'ondemand', 'quota', 'azure/westeurope', 1],
  [
    'OperationNotAllowed',
    QUOTA(FAMILY, 0),
    'ondemand',
    'quota',
    'azure/westeurope/Standard_NC*ads_A100_v4/ondemand',
    1,
  ],
  [
    'OperationNotAllowed',
    QUOTA(FAMILY, 8),
    'ondemand',
    'quota',
    'azure/westeurope/Standard_NC*ads_A100_v4/ondemand',
    1 / 6,
  ],
  ['QuotaExceeded', QUOTA(FAMILY, 0), 'ondemand', 'quota', 'azure/westeurope/Standard_NC*ads_A100_v4/ondemand', 1],
  ['PublicIPCountLimitReached', '', 'ondemand', 'quota', 'azure/westeurope', null],
  ['OperationNotAllowed', 'This is not allowed', 'ondemand', 'config', null, null],
  ['ReadOnlyDisabledSubscription', '', 'ondemand', 'billing', 'azure', null],
  ['ClientAuthenticationError', '', 'ondemand', 'auth', 'azure', null],
  ['AuthorizationFailed', '', 'ondemand', 'auth', 'azure', null],
  ['SubscriptionNotFound', '', 'ondemand', 'auth', 'azure', null],
  ['TooManyRequests', '', 'ondemand', 'throttled', null, null],
  ['PreconditionFailed', '', 'ondemand', 'transient', null, null],
  ['Conflict', '', 'ondemand', 'transient', null, null],
  ['NicReservedForAnotherVm', '', 'ondemand', 'not_yet', null, null],
  ['ResourceNotFound', '', 'ondemand', 'config', null, null],
  ['InvalidParameter', '', 'ondemand', 'config', null, null],
  ['PlatformImageNotFound', '', 'ondemand', 'config', null, null],
  ['InternalServerError', '', 'ondemand', 'transient', null, null],
  ['ACodeOfNextYear', '', 'ondemand', 'transient', null, null],
];

describe('a refusal of a create', () => {
  it.each(ON_CREATE)('%s (%s) on %s is %s and blocks %s', (code, words, market, errorClass, scope, hours) => {
    const offer = { instanceType: A100, market, notSmaller: [] };
    const found = classifyRefusal('create', 409, code, words, offer);
    expect(found.errorClass).toBe(errorClass);
    expect(failureScopeKey(offerOf(market), { ...found, message: '' })).toBe(scope);
    expect(found.block?.blockMs ?? null).toBe(hours === null ? null : hours * HOUR_MS);
  });

  it('that a host of a zone has no place for a size says so of all sizes that are not smaller, on both markets', () => {
    const notSmaller = ['Standard_NC48ads_A100_v4', 'Standard_NC96ads_A100_v4'];
    const offer = { instanceType: 'Standard_NC48ads_A100_v4', market: 'spot', notSmaller } as const;
    const found = classifyRefusal('create', 409, 'ZonalAllocationFailed', '', offer);
    const written = failureScopeKey(offerOf('spot', offer.instanceType), { ...found, message: '' }) ?? '';
    expect(covers(written, offerOf('ondemand', 'Standard_NC96ads_A100_v4'))).toBe(true);
    expect(covers(written, offerOf('spot', 'Standard_NC48ads_A100_v4'))).toBe(true);
    expect(covers(written, offerOf('spot', A100))).toBe(false);
    expect(covers(written, { ...offerOf('spot', 'Standard_NC96ads_A100_v4'), location: 'northeurope' })).toBe(false);
  });
});

describe('a refusal of a change', () => {
  it.each([
    ['ResourceNotFound', '', 'gone'],
    ['ResourceGroupNotFound', '', 'gone'],
    ['OperationNotAllowed', 'Disk a is attached to VM b.', 'not_yet'],
    ['OperationNotAllowed', 'The requested size is unknown.', 'config'],
    ['OperationNotAllowed', QUOTA(FAMILY, 8), 'quota'],
    ['Conflict', '', 'not_yet'],
    ['AnotherOperationInProgress', '', 'not_yet'],
    ['NicInUse', '', 'not_yet'],
    ['PublicIPAddressCannotBeDeleted', '', 'not_yet'],
    ['authorizationfailed', '', 'auth'],
    ['constructor', '', 'transient'],
  ])('%s (%s) is %s', (code, words, errorClass) => {
    expect(classifyRefusal('change', 409, code, words).errorClass).toBe(errorClass);
  });

  it.each([
    [429, 'throttled'],
    [500, 'transient'],
    [503, 'transient'],
    [401, 'auth'],
    [403, 'auth'],
    [412, 'transient'],
    [418, 'transient'],
  ])('with an unknown code goes by its status %i: %s', (status, errorClass) => {
    expect(classifyRefusal('change', status, 'SomethingNew', '').errorClass).toBe(errorClass);
  });

  it('blocks no types where it was about no offer', async () => {
    const codes = ERROR_TABLE.flatMap((row) => row.codes);
    await forAll([fc.constantFrom(...codes), fc.constantFrom('', NOT_SOLD, QUOTA(FAMILY, 0))], (code, words) => {
      const { block } = classifyRefusal('change', 409, code, words);
      expect(block?.scope).not.toBe('family');
      expect(block?.scope).not.toBe('offer');
    });
  });
});

describe('the body of a refusal', () => {
  it.each([
    ['{"error":{"code":"SkuNotAvailable","message":"sold out"}}', 'SkuNotAvailable', 'sold out'],
    [
      '{"error":"invalid_client","error_description":"AADSTS7000215: Invalid"}',
      'invalid_client',
      'AADSTS7000215: Invalid',
    ],
    ['{"code":"Conflict","message":"busy"}', 'Conflict', 'busy'],
    [
      '{"error":{"code":"DeploymentFailed","message":"see details","details":[{"code":"AllocationFailed","message":"no place"}]}}',
      'AllocationFailed',
      'no place',
    ],
    ['{"error":{"code":"BadRequest","message":"first","details":[{"code":"Other"}]}}', 'BadRequest', 'first'],
    ['<html>Bad gateway</html>', null, 'a page instead of an answer'],
    ['', null, ''],
  ])('%s', (text, code, message) => {
    expect(readRefusal(text)).toEqual({ code, message });
  });
});

describe('sizes', () => {
  it.each([
    ['Standard_NC4as_T4_v3', 16, 't4'],
    ['Standard_NC24ads_A100_v4', 80, 'a100-80'],
    ['Standard_NC40ads_H100_v5', 94, 'h100'],
    ['Standard_NC80adis_H100_v5', 94, 'h100'],
    ['Standard_ND96asr_v4', 40, 'a100-40'],
    ['Standard_ND96amsr_A100_v4', 80, 'a100-80'],
    ['Standard_ND96isr_H100_v5', 80, 'h100'],
    ['Standard_ND96isr_H200_v5', 141, 'h200'],
    // Rented by its exact name only.
    ['Standard_NV36ads_A10_v5', 24, null],
  ])('%s has a GPU of %i GiB, of the tier %s', (instanceType, vramGib, tier) => {
    const gpu = gpuOfSize(instanceType);
    expect(gpu?.vramGib).toBe(vramGib);
    const type = {
      instanceType,
      model: gpu?.model ?? '',
      gpuCount: 1,
      vramGib,
      onDemandUsdPerHour: 1,
      spotUsdPerHour: null,
    };
    expect(identifyGpu(type).tier).toBe(tier);
  });

  it('for confidential computing are known as such', () => {
    const instanceType = 'Standard_NCC40ads_H100_v5';
    const model = gpuOfSize(instanceType)?.model ?? '';
    const type = { instanceType, model, gpuCount: 1, vramGib: 94, onDemandUsdPerHour: 1, spotUsdPerHour: null };
    expect(identifyGpu(type)).toMatchObject({ confidential: true });
  });

  it.each([
    'Standard_NV6ads_A10_v5',
    'Standard_NV18ads_A10_v5',
    'Standard_NC6s_v3',
    'Standard_ND96isr_MI300X_v5',
    'Standard_NV12s_v3',
  ])('%s cannot be used, which is known', (name) => expect(gpuOfSize(name)).toBeNull());

  it('of a family that is not known are not guessed', () => {
    expect(gpuOfSize('Standard_NX8ads_Z900_v9')).toBeUndefined();
    expect(familyPattern('Standard_NC8as_T4_v3')).toBe('Standard_NC*as_T4_v3');
    expect(familyPattern('Standard_ND96isr_H100_v5')).toBe('Standard_ND*isr_H100_v5');
  });
});
