/**
 * What each refusal of AWS means: class, block and hints.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRefusal, ERROR_TABLE, readHints } from '../../../../clouds/aws/http/classify.ts';
import { errorTable } from '../../../../clouds/http/refused.ts';
import type { ServiceCallKind } from '../../../../clouds/http/wire.ts';
import { readRefusal } from '../../../../clouds/aws/http/refusal.ts';
import { covers, failureScopeKey } from '../../../../domain/fleet/selection/offer-memory.ts';
import type { OfferId } from '../../../../domain/fleet/selection/offer.ts';
import { forAll } from '../../../../testing/property.ts';

const OFFER: OfferId = { provider: 'aws', location: 'eu-west-1a', instanceType: 'p5.48xlarge', market: 'spot' };
const ABOUT = { region: 'eu-west-1', instanceType: OFFER.instanceType };
const classify = (code: string | null, kind: ServiceCallKind = 'create', message = '', status = 400) =>
  classifyRefusal(kind, status, code, message, ABOUT);

/** Class on a create, and the written scope of what a create that failed so blocks, by code. */
const ON_CREATE = errorTable<readonly [errorClass: string, scope: string | null]>([
  [
    `InsufficientInstanceCapacity InsufficientHostCapacity UnfulfillableCapacity ReservationCapacityExceeded
     SpotMaxPriceTooLow Unsupported`,
    ['capacity', 'aws/eu-west-1a/p5.48xlarge/spot'],
  ],
  ['InsufficientVolumeCapacity', ['capacity', 'aws/eu-west-1a']],
  ['UnsupportedOperation InvalidKeyPair.NotFound ParameterNotFound', ['config', null]],
  ['VcpuLimitExceeded InstanceLimitExceeded MaxSpotInstanceCountExceeded', ['quota', 'aws/eu-west-1*/p*/spot']],
  ['VolumeLimitExceeded MaxIOPSLimitExceeded SecurityGroupLimitExceeded', ['quota', 'aws/eu-west-1*']],
  ['InsufficientFreeAddressesInSubnet InsufficientAddressCapacity', ['quota', 'aws/eu-west-1a']],
  [
    `RequestLimitExceeded Throttling ThrottlingException ThrottledException TooManyRequestsException
     EC2ThrottledException`,
    ['throttled', null],
  ],
  [
    `InternalError InternalFailure InternalErrorException InternalServerError InternalServiceError ServerInternal
     Unavailable ServiceUnavailable RequestTimeout IdempotentParameterMismatch`,
    ['transient', null],
  ],
  [
    `AuthFailure UnauthorizedOperation InvalidClientTokenId UnrecognizedClientException SignatureDoesNotMatch
     InvalidSignatureException IncompleteSignature MissingAuthenticationToken MissingAuthenticationTokenException
     ExpiredToken ExpiredTokenException RequestExpired AccessDenied AccessDeniedException Blocked`,
    ['auth', 'aws'],
  ],
  ['OptInRequired PendingVerification', ['auth', 'aws/eu-west-1*']],
  ['AuthFailure.ServiceLinkedRoleCreationNotPermitted', ['auth', 'aws/*/*/spot']],
  ['IdempotentInstanceTerminated InvalidGroup.NotFound', ['not_yet', null]],
]);

/** Class on a change of something that exists, by code. */
const ON_CHANGE = errorTable<string>([
  [
    `InvalidInstanceID.NotFound InvalidInstanceID.Malformed InvalidVolume.NotFound InvalidVolumeID.Malformed
     InvalidParameterValue.VolumeNotFound InvalidKeyPair.NotFound`,
    'gone',
  ],
  ['IncorrectInstanceState IncorrectState VolumeInUse DependencyViolation', 'not_yet'],
  ['Unsupported UnsupportedOperation', 'config'],
]);

describe('a refusal of AWS', () => {
  it.each(Object.entries(ON_CREATE))(
    '%s on a create is of this class and blocks this: %j',
    (code, [errorClass, scope]) => {
      const found = classify(code);
      expect(found.errorClass).toBe(errorClass);
      expect(failureScopeKey(OFFER, { ...found, message: '' })).toBe(scope);
    },
  );

  it.each(Object.entries(ON_CHANGE))('%s on a change is %s', (code, errorClass) => {
    expect(classify(code, 'change').errorClass).toBe(errorClass);
  });

  it('has no row that is not tested here', () => {
    expect(Object.keys(ERROR_TABLE).filter((code) => !(code in ON_CREATE || code in ON_CHANGE))).toEqual([]);
  });

  it('means the same whatever the status is: no capacity comes as 500, too many calls as 503', () => {
    expect(classify('InsufficientInstanceCapacity', 'create', '', 500).errorClass).toBe('capacity');
    expect(classify('RequestLimitExceeded', 'read', '', 503).errorClass).toBe('throttled');
  });

  it('of a type that a zone does not sell blocks it for most of a day, on both markets', () => {
    const message =
      'Your requested instance type (p5.48xlarge) is not supported in your requested Availability Zone (eu-west-1a). Please retry your request by not specifying an Availability Zone or choosing eu-west-1b.';
    expect(classify('Unsupported', 'create', message)).toEqual({
      errorClass: 'capacity',
      block: { scope: 'offer', bothMarkets: true, blockMs: 82_800_000 },
      hints: ['eu-west-1b'],
    });
  });

  it('of a configuration that is not supported blocks its market for a short time only', () => {
    const message =
      'The requested configuration is currently not supported. Please check the documentation for supported configurations.';
    expect(classify('Unsupported', 'create', message)).toEqual({ errorClass: 'capacity' });
  });

  it('for the lack of a role for spot machines leaves machines on demand alone', () => {
    const found = classify('AuthFailure.ServiceLinkedRoleCreationNotPermitted', 'create', '', 403);
    const key = failureScopeKey(OFFER, { ...found, message: '' }) ?? '';
    expect([covers(key, { ...OFFER, location: 'us-east-1c' }), covers(key, { ...OFFER, market: 'ondemand' })]).toEqual([
      true,
      false,
    ]);
  });

  it('for a region that is not open blocks that region, also where the call was about no offer', () => {
    const found = classifyRefusal('read', 401, 'OptInRequired', 'no', { region: 'eu-west-1' });
    const key = failureScopeKey(OFFER, { ...found, message: '' }) ?? '';
    expect([covers(key, OFFER), covers(key, { ...OFFER, location: 'us-east-1a' })]).toEqual([true, false]);
  });

  it('for a quota of a family blocks nothing by itself where the call was about no type', () => {
    expect(classifyRefusal('change', 400, 'VcpuLimitExceeded', 'no', { region: 'eu-west-1' })).toEqual({
      errorClass: 'quota',
    });
  });

  it('for a quota blocks the family in all zones of its region, and nothing else', () => {
    const key = failureScopeKey(OFFER, { ...classify('VcpuLimitExceeded'), message: '' }) ?? '';
    const blocked = (changes: Partial<OfferId>): boolean => covers(key, { ...OFFER, ...changes });
    expect(blocked({ location: 'eu-west-1c', instanceType: 'p4d.24xlarge' })).toBe(true);
    expect(blocked({ instanceType: 'g6e.xlarge' })).toBe(false);
    expect(blocked({ location: 'eu-west-2a' })).toBe(false);
    expect(blocked({ market: 'ondemand' })).toBe(false);
  });

  it.each([
    ['an unknown code', 'SomethingNew', 400, 'transient'],
    ['an unknown code of a wrong request', 'InvalidParameterCombination', 400, 'config'],
    ['an unknown code of a wrong request that the server could not handle', 'InvalidSomething', 500, 'transient'],
    ['an unknown code that refuses access', 'SomethingDenied', 403, 'auth'],
    ['no code', null, 403, 'transient'],
    ['no code and too many calls', null, 429, 'throttled'],
  ])('with %s has the class %s', (_name, code, status, errorClass) => {
    expect(classify(code, 'create', '', status)).toEqual({ errorClass });
  });

  it('with any other code on a create never claims that nothing was made by an answer of 5xx', () =>
    forAll([fc.string(), fc.integer({ min: 500, max: 599 })], (code, status) => {
      fc.pre(!Object.hasOwn(ERROR_TABLE, code));
      expect(classify(code, 'create', 'x', status)).toEqual({ errorClass: 'transient' });
    }));
});

describe('zones that a refusal names', () => {
  const message = (zones: string): string =>
    `We currently do not have sufficient g6e.xlarge capacity in the Availability Zone you requested (eu-west-3c). Our system will be working on provisioning additional capacity. You can currently get g6e.xlarge capacity by not specifying an Availability Zone in your request or choosing ${zones}.`;

  it('are read', () => {
    expect(readHints(message('eu-west-3a, eu-west-3b'))).toEqual(['eu-west-3a', 'eu-west-3b']);
    expect(readHints(message('us-east-1f'))).toEqual(['us-east-1f']);
    expect(readHints('There is no Spot capacity available that matches your request.')).toEqual([]);
  });

  it('come with the class', () => {
    expect(classify('InsufficientInstanceCapacity', 'create', message('eu-west-3a')).hints).toEqual(['eu-west-3a']);
  });

  it('are those that were named, whatever they are', () =>
    forAll(
      [fc.array(fc.stringMatching(/^[a-z]{2}-[a-z]{3,8}-[1-9][a-f]$/u), { minLength: 1, maxLength: 6 })],
      (zones) => {
        expect(readHints(message(zones.join(', ')))).toEqual(zones);
      },
    ));
});

describe('the body of a refusal', () => {
  it.each([
    [
      'EC2',
      '<Response><Errors><Error><Code>A.B</Code><Message>no &amp; no</Message></Error></Errors></Response>',
      'A.B',
      'no & no',
    ],
    [
      'STS',
      '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>old</Message></Error></ErrorResponse>',
      'ExpiredToken',
      'old',
    ],
    ['SSM', '{"__type":"com.amazonaws.ssm#ParameterNotFound","message":"no"}', 'ParameterNotFound', 'no'],
    ['the price list', '{"__type":"AccessDeniedException","Message":"no"}', 'AccessDeniedException', 'no'],
    ['a proxy', '<html><body>Bad gateway</body></html>', null, 'a page instead of an answer'],
    ['nobody', 'upstream connect\n error', null, 'upstream connect error'],
  ])('is read as %s writes it', (_name, body, code, message) => {
    expect(readRefusal(body)).toEqual({ code, message });
  });
});
