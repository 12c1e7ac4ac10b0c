/**
 * Classifies refusals of AWS by their code: a table of what each blocks, and where else the provider says there is capacity. Pure.
 *
 * The HTTP status says little: a lack of capacity comes as 500, a throttled call as 503.
 */
import type { BlockRule, ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { entryOf } from '../../mapping.ts';
import { classOfUnknown, errorTable, type Classified } from '../../http/refused.ts';
import type { ServiceCallKind } from '../../http/wire.ts';

/** The offer that a refused call was about. */
export interface RefusedOffer {
  readonly region: string;
  readonly instanceType: string;
}

/** What a refused call was about: always a region, a type only where it was about an offer. */
export type RefusedAbout = Pick<RefusedOffer, 'region'> & Partial<RefusedOffer>;

/** A block as the table writes it: `where` = all zones of the region or of the account, `family` = all types of the quota that the type counts against. */
interface BlockRow extends Omit<BlockRule, 'types' | 'locations'> {
  readonly where?: 'region' | 'account';
}

/** One row. `onCreate` = the same code has another meaning when an instance is being created. */
interface ErrorRow {
  readonly errorClass: ProviderErrorClass;
  readonly block?: BlockRow;
  /** The block holds only where the message has these words; otherwise it is that of the class. */
  readonly blockWords?: RegExp;
  readonly onCreate?: Omit<ErrorRow, 'onCreate'>;
}

const HOUR_MS = 3_600_000;

const row = (errorClass: ProviderErrorClass, block?: BlockRow): ErrorRow =>
  block === undefined ? { errorClass } : { errorClass, block };

/** The zone has no such type: a fact, not a shortage. It is looked at again once a day. In other words the code refuses this one request. */
const NOT_SOLD: ErrorRow = {
  ...row('capacity', { scope: 'offer', bothMarkets: true, blockMs: 23 * HOUR_MS }),
  blockWords: /not supported in your requested Availability Zone/iu,
};
/** Counts virtual CPUs of one family in one region, per market. */
const FAMILY_QUOTA = row('quota', { scope: 'family', where: 'region' });
/** Disks count per region, whatever they belong to. */
const REGION_QUOTA = row('quota', { scope: 'location', where: 'region' });
/** Someone has to make room in the zone's subnet. */
const SUBNET_FULL = row('quota', { scope: 'location' });
/** The account may not use this region (yet). */
const REGION_CLOSED = row('auth', { scope: 'location', where: 'region' });

/** Every code that is known. */
export const ERROR_TABLE = errorTable<ErrorRow>([
  // Out of stock.
  [
    `InsufficientInstanceCapacity InsufficientHostCapacity UnfulfillableCapacity ReservationCapacityExceeded
     SpotMaxPriceTooLow`,
    row('capacity'),
  ],
  ['InsufficientVolumeCapacity', row('capacity', { scope: 'location' })],
  ['Unsupported', { ...row('config'), onCreate: NOT_SOLD }],
  ['UnsupportedOperation', row('config')],

  // Quotas.
  ['VcpuLimitExceeded InstanceLimitExceeded MaxSpotInstanceCountExceeded', FAMILY_QUOTA],
  ['VolumeLimitExceeded MaxIOPSLimitExceeded SecurityGroupLimitExceeded', REGION_QUOTA],
  ['InsufficientFreeAddressesInSubnet InsufficientAddressCapacity', SUBNET_FULL],

  // Too many calls.
  [
    `RequestLimitExceeded Throttling ThrottlingException ThrottledException TooManyRequestsException
     EC2ThrottledException`,
    row('throttled'),
  ],

  // Faults on the other side.
  [
    `InternalError InternalFailure InternalErrorException InternalServerError InternalServiceError ServerInternal
     Unavailable ServiceUnavailable RequestTimeout`,
    row('transient'),
  ],

  // Who we are, and what we may do.
  [
    `AuthFailure UnauthorizedOperation InvalidClientTokenId UnrecognizedClientException SignatureDoesNotMatch
     InvalidSignatureException IncompleteSignature MissingAuthenticationToken MissingAuthenticationTokenException
     ExpiredToken ExpiredTokenException RequestExpired AccessDenied AccessDeniedException`,
    row('auth'),
  ],
  ['OptInRequired PendingVerification', REGION_CLOSED],
  // The account has no role for spot machines and the credentials may not make it: it can rent on demand.
  ['AuthFailure.ServiceLinkedRoleCreationNotPermitted', row('auth', { scope: 'market_location', where: 'account' })],
  ['Blocked', row('auth')],

  // A name that was used before. With other parameters a machine may exist under it, which is looked for; one that has ended asks for a new name.
  ['IdempotentParameterMismatch', { ...row('config'), onCreate: row('transient') }],
  ['IdempotentInstanceTerminated', row('not_yet')],

  // What is no more, or not in the state for it.
  [
    `InvalidInstanceID.NotFound InvalidInstanceID.Malformed InvalidVolume.NotFound InvalidVolumeID.Malformed
     InvalidParameterValue.VolumeNotFound`,
    row('gone'),
  ],
  // The provider makes it `not_yet` for a key that was there a moment ago.
  ['InvalidKeyPair.NotFound', { ...row('gone'), onCreate: row('config') }],
  // Made by the preparation a moment ago: it is not visible everywhere yet.
  ['InvalidGroup.NotFound', row('not_yet')],
  ['IncorrectInstanceState IncorrectState VolumeInUse DependencyViolation', row('not_yet')],

  ['ParameterNotFound', row('config')],
]);

/** Codes by the words they begin with, where the table has no row: requests that will be refused each time. */
const WRONG_REQUEST = /^(?:Invalid|Missing|Malformed|Unknown|Validation|OperationNotPermitted)/u;

/**
 * Class of a refusal. An unknown code is `transient`: on a create its outcome is unknown.
 *
 * @param code the service's own code; null when the answer is not the service's
 * @param about a block of a family needs the type, any other the region only
 */
export function classifyRefusal(
  kind: ServiceCallKind,
  status: number,
  code: string | null,
  message: string,
  about: RefusedAbout,
): Classified {
  const known = code === null ? undefined : entryOf(ERROR_TABLE, code);
  const found = (kind === 'create' ? known?.onCreate : undefined) ?? known;
  if (found === undefined) return { errorClass: classOfUnknown(status, code, WRONG_REQUEST) };
  const hints = found.errorClass === 'capacity' ? readHints(message) : [];
  const isMeant = found.blockWords === undefined || found.blockWords.test(message);
  const block = found.block === undefined || !isMeant ? null : blockRule(found.block, about);
  return {
    errorClass: found.errorClass,
    ...(block === null ? {} : { block }),
    ...(hints.length === 0 ? {} : { hints }),
  };
}

/** Null where the call was about no type and the block is one of types. */
function blockRule({ where, ...rule }: BlockRow, { region, instanceType }: RefusedAbout): BlockRule | null {
  if (instanceType === undefined && (rule.scope === 'family' || rule.scope === 'offer')) return null;
  return {
    ...rule,
    ...(rule.scope === 'family' && instanceType !== undefined ? { types: quotaFamily(instanceType) } : {}),
    ...(where === undefined ? {} : { locations: where === 'region' ? `${region}*` : '*' }),
  };
}

/** Quotas count `P` types together, and `G` with `VT`; both are told by the first letter. */
const quotaFamily = (instanceType: string): string => `${instanceType.slice(0, 1)}*`;

const CHOOSING = /\bor choosing ((?:[a-z]{2,}(?:-[a-z0-9]+)+(?:, |,| and )?)+)/iu;

/** Zones that the provider names: `You can currently get … or choosing eu-west-3a, eu-west-3b.` */
export function readHints(message: string): readonly string[] {
  const list = CHOOSING.exec(message)?.[1] ?? '';
  return list.split(/,\s*|\s+and\s+/u).filter((zone) => zone !== '');
}
