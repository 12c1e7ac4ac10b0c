/**
 * What each refusal of Google means: class, block and hints.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRefusal, ERROR_TABLE, seriesOf } from '../../../../clouds/google/http/classify.ts';
import { errorTable } from '../../../../clouds/http/refused.ts';
import type { ServiceCallKind } from '../../../../clouds/http/wire.ts';
import { operationErrorSchema, readOperationError, readRefusal } from '../../../../clouds/google/http/refusal.ts';
import { covers, failureScopeKey } from '../../../../domain/fleet/selection/offer-memory.ts';
import type { OfferId } from '../../../../domain/fleet/selection/offer.ts';
import { forAll } from '../../../../testing/property.ts';

const OFFER: OfferId = { provider: 'google', location: 'us-central1-a', instanceType: 'a2-highgpu-1g', market: 'spot' };
const ABOUT = { zone: OFFER.location, instanceType: OFFER.instanceType };
const classify = (code: string | null, kind: ServiceCallKind = 'create', message = '', status = 200) =>
  classifyRefusal(kind, status, { code, message, zones: [] }, ABOUT);
const scopeOf = (code: string, message = ''): string | null =>
  failureScopeKey(OFFER, { ...classify(code, 'create', message), message });

const HERE = 'google/us-central1-a/a2-highgpu-1g/spot';
const REGION = 'google/us-central1-*';

/** Class on a create, and the written scope of what a create that failed so blocks, by code. */
const ON_CREATE = errorTable<readonly [errorClass: string, scope: string | null]>([
  [
    `ZONE_RESOURCE_POOL_EXHAUSTED ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS RESOURCE_POOL_EXHAUSTED
     resourcePoolExhausted insufficientCapacity stockout UNSUPPORTED_OPERATION RESOURCE_NOT_READY CONFLICT`,
    ['capacity', HERE],
  ],
  ['REGION_RESOURCE_POOL_EXHAUSTED', ['capacity', 'google/us-central1-*/a2-highgpu-1g/spot']],
  [
    `QUOTA_EXCEEDED quotaExceeded limitExceeded LIMIT_EXCEEDED IP_SPACE_EXHAUSTED IP_SPACE_EXHAUSTED_WITH_DETAILS`,
    ['quota', REGION],
  ],
  [
    `RESOURCE_OPERATION_RATE_EXCEEDED CONCURRENT_OPERATIONS_QUOTA_EXCEEDED RATE_LIMIT_EXCEEDED rateLimitExceeded
     userRateLimitExceeded dailyLimitExceeded`,
    ['throttled', null],
  ],
  [
    `backendError internalError INTERNAL_ERROR SERVICE_UNAVAILABLE serviceUnavailable TIMEOUT alreadyExists
     conflict duplicate RESOURCE_ALREADY_EXISTS`,
    ['transient', null],
  ],
  [
    `billingNotEnabled BILLING_DISABLED UREQ_PROJECT_BILLING_NOT_FOUND UREQ_PROJECT_BILLING_NOT_OPEN accountClosed
     ACCOUNT_STATE_INVALID`,
    ['billing', 'google'],
  ],
  [
    `authError unauthorized forbidden insufficientPermissions accessNotConfigured SERVICE_DISABLED
     IAM_PERMISSION_DENIED PERMISSIONS_ERROR ACCESS_TOKEN_EXPIRED invalid_grant invalid_client unauthorized_client
     invalid_scope access_denied`,
    ['auth', 'google'],
  ],
  [
    `notFound RESOURCE_NOT_FOUND required invalid badRequest invalidParameter INVALID_FIELD_VALUE INVALID_USAGE
     invalidUsage conditionNotMet CONDITION_NOT_MET VPC_NOT_FOUND VM_EXTERNAL_IP_ACCESS_POLICY_CONSTRAINT
     ORG_POLICY_CONSTRAINT`,
    ['config', null],
  ],
  [
    `resourceNotReady resourceInUseByAnotherResource RESOURCE_IN_USE_BY_ANOTHER_RESOURCE RESOURCE_IN_USE
     resourceInUse fingerprintMismatch`,
    ['not_yet', null],
  ],
]);

describe('a refusal of a create by Google', () => {
  it.each(Object.entries(ON_CREATE))('with %s is of this class and blocks this: %j', (code, [errorClass, scope]) => {
    expect(classify(code).errorClass).toBe(errorClass);
    expect(scopeOf(code)).toBe(scope);
  });

  it('has a case here for every code that is known', () => {
    expect(Object.keys(ON_CREATE).toSorted()).toEqual(Object.keys(ERROR_TABLE).toSorted());
  });

  it.each([
    ["Quota 'GPUS_ALL_REGIONS' exceeded.  Limit: 0.0 globally.", 'google'],
    ["Quota 'CPUS_ALL_REGIONS' exceeded.  Limit: 32.0 globally.", 'google'],
    ["Quota 'NVIDIA_A100_GPUS' exceeded.  Limit: 1.0 in region us-central1.", `${REGION}/a2-highgpu-*/spot`],
    [
      "Quota 'PREEMPTIBLE_NVIDIA_A100_GPUS' exceeded.  Limit: 1.0 in region us-central1.",
      `${REGION}/a2-highgpu-*/spot`,
    ],
    ["Quota 'GPUS_PER_GPU_FAMILY' exceeded. Limit: 8.0 in region us-central1.", `${REGION}/a2-highgpu-*/spot`],
    ["Quota 'SSD_TOTAL_GB' exceeded.  Limit: 500.0 in region us-central1.", REGION],
    ["Quota 'IN_USE_ADDRESSES' exceeded.  Limit: 4.0 in region us-central1.", REGION],
  ])('by a quota blocks what that quota counts: %s', (message, scope) => {
    expect(scopeOf('QUOTA_EXCEEDED', message)).toBe(scope);
    expect(scopeOf('quotaExceeded', message)).toBe(scope);
  });

  it('by a quota of a region leaves other regions and other GPUs free', () => {
    const written = scopeOf('QUOTA_EXCEEDED', "Quota 'NVIDIA_A100_GPUS' exceeded.  Limit: 1.0 in region us-central1.");
    const blocks = (change: Partial<OfferId>): boolean => covers(written ?? '', { ...OFFER, ...change });
    expect(blocks({ location: 'us-central1-f', instanceType: 'a2-highgpu-8g' })).toBe(true);
    expect(blocks({ instanceType: 'g2-standard-4' })).toBe(false);
    expect(blocks({ location: 'us-east1-b' })).toBe(false);
    expect(blocks({ market: 'ondemand' })).toBe(false);
  });

  it('by a quota of attached GPUs blocks every machine with them', () => {
    const t4 = { ...OFFER, instanceType: 'n1-standard-8+nvidia-tesla-t4x1' };
    const refusal = { code: 'QUOTA_EXCEEDED', message: "Quota 'NVIDIA_T4_GPUS' exceeded.", zones: [] };
    const classified = classifyRefusal('create', 200, refusal, { ...ABOUT, instanceType: t4.instanceType });
    const written = failureScopeKey(t4, { ...classified, message: '' });
    expect(written).toBe('google/us-central1-*/*+nvidia-tesla-t4x*/spot');
    const blocks = (instanceType: string): boolean => covers(written ?? '', { ...t4, instanceType });
    expect(blocks('n1-standard-16+nvidia-tesla-t4x4')).toBe(true);
    expect(blocks('g2-standard-4')).toBe(false);
  });

  it('for a type that the zone does not have blocks it there for a day, on both markets', () => {
    const message =
      "Invalid value for field 'resource.machineType': 'zones/us-central1-a/machineTypes/a2-highgpu-1g'. Machine type with name 'a2-highgpu-1g' does not exist in zone 'us-central1-a'.";
    expect(classify('invalid', 'create', message, 400)).toEqual({
      errorClass: 'config',
      block: { scope: 'offer', bothMarkets: true, blockMs: 23 * 3_600_000 },
    });
    expect(classify('invalid', 'read', message, 400)).toEqual({ errorClass: 'config' });
  });

  it.each([
    [200, 'INVALID_CODE_OF_NEXT_YEAR', 'transient'],
    [400, 'aReasonOfNextYear', 'transient'],
    [400, 'invalidReasonOfNextYear', 'config'],
    [400, 'INVALID_ARGUMENT', 'config'],
    [403, 'aReasonOfNextYear', 'auth'],
    [429, null, 'throttled'],
    [429, 'aReasonOfNextYear', 'throttled'],
    [502, null, 'transient'],
    [503, 'aReasonOfNextYear', 'transient'],
    [404, null, 'transient'],
  ] as const)('in words that are not known (%i %s) is %s', (status, code, errorClass) => {
    expect(classify(code, 'create', '', status)).toEqual({ errorClass });
  });

  it('names zones that have capacity', () => {
    const error = operationErrorSchema.parse({
      errors: [
        {
          code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
          message: 'The zone does not have enough resources available.',
          errorDetails: [
            { help: { links: [] } },
            {
              errorInfo: {
                reason: 'resource_availability',
                domain: 'compute.googleapis.com',
                metadatas: {
                  vmType: 'a2-highgpu-1g',
                  zone: 'us-central1-a',
                  zonesAvailable: 'us-central1-b,us-central1-f',
                },
              },
            },
          ],
        },
      ],
    });
    const read = readOperationError(error);
    expect(classifyRefusal('create', 200, read, ABOUT).hints).toEqual(['us-central1-b', 'us-central1-f']);
  });
});

describe('a refusal of another call by Google', () => {
  it.each([
    ['notFound', 'gone'],
    ['RESOURCE_NOT_FOUND', 'gone'],
    ['RESOURCE_NOT_READY', 'not_yet'],
    ['resourceInUseByAnotherResource', 'not_yet'],
    ['alreadyExists', 'not_yet'],
    ['UNSUPPORTED_OPERATION', 'config'],
  ] as const)('with %s is %s', (code, errorClass) => {
    expect(classifyRefusal('change', 400, { code, message: '', zones: [] }, null)).toEqual({ errorClass });
  });

  it('blocks nothing, because it was about no offer', () =>
    forAll(
      [fc.constantFrom(...Object.keys(ERROR_TABLE)), fc.constantFrom<ServiceCallKind>('read', 'change', 'create')],
      {},
      (code, kind) => {
        expect(
          classifyRefusal(kind, 400, { code, message: 'GPUS_ALL_REGIONS', zones: [] }, null).block,
        ).toBeUndefined();
      },
    ));
});

describe('the body of a refusal', () => {
  it.each([
    [
      { error: { code: 404, message: 'not there', errors: [{ reason: 'notFound', message: 'not there' }] } },
      'notFound',
      'not there',
    ],
    // The older form without a list, and the newer one with details.
    [{ error: { code: 403, message: 'no', status: 'PERMISSION_DENIED' } }, 'PERMISSION_DENIED', 'no'],
    [
      {
        error: {
          code: 403,
          message: 'Compute Engine API has not been used',
          errors: [{ reason: 'forbidden' }],
          status: 'PERMISSION_DENIED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }],
        },
      },
      'SERVICE_DISABLED',
      'Compute Engine API has not been used',
    ],
    [{ error: 'invalid_grant', error_description: 'Bad Request' }, 'invalid_grant', 'Bad Request'],
    [{ hello: 1 }, null, 'JSON without an error'],
  ])('%j has the code %s', (body, code, message) => {
    expect(readRefusal(JSON.stringify(body))).toEqual({ code, message, zones: [] });
  });

  it('is described where it is no JSON', () => {
    expect(readRefusal('<html>bad gateway</html>')).toEqual({ code: null, message: 'HTML page, 24 bytes', zones: [] });
  });

  it('of an operation has the name of the quota in its words', () => {
    const error = operationErrorSchema.parse({
      errors: [
        {
          code: 'QUOTA_EXCEEDED',
          message: 'Quota exceeded.',
          errorDetails: [{ errorInfo: { reason: 'QUOTA_EXCEEDED', metadatas: { metricName: 'GPUS_ALL_REGIONS' } } }],
        },
      ],
    });
    expect(readOperationError(error).message).toBe('Quota exceeded. (GPUS_ALL_REGIONS)');
  });
});

it.each([
  ['a2-highgpu-1g', 'a2-highgpu'],
  ['g2-standard-96', 'g2-standard'],
  ['odd', 'odd'],
])('the series of %s is %s', (type, series) => {
  expect(seriesOf(type)).toBe(series);
});
