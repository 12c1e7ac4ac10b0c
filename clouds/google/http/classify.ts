/**
 * Classifies refusals of Google by their code: a table of what each blocks, and where else the provider says there is capacity. Pure.
 *
 * A refusal comes in one of two ways: as the answer to a call (`notFound`), or in the body of an operation that was accepted
 * (`ZONE_RESOURCE_POOL_EXHAUSTED`), whose status is 200. Capacity and quota are refused in the second way.
 */
import type { BlockRule, ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { regionOfZone } from '../settings.ts';
import { entryOf } from '../../mapping.ts';
import { classOfUnknown, errorTable, type Classified, type Refusal } from '../../http/refused.ts';
import type { ServiceCallKind } from '../../http/wire.ts';

/** The offer that a refused call was about. */
export interface RefusedOffer {
  readonly zone: string;
  readonly instanceType: string;
}

/** A refusal with the zones that it names as having capacity. */
export interface ZonedRefusal extends Refusal {
  readonly zones: readonly string[];
}

/** One row. `onCreate` = the same code has another meaning when an instance is being made or started. */
interface ErrorRow {
  readonly errorClass: ProviderErrorClass;
  readonly block?: Omit<BlockRule, 'types' | 'locations'> & { readonly where?: 'region' | 'account' };
  readonly onCreate?: Omit<ErrorRow, 'onCreate'>;
}

const HOUR_MS = 3_600_000;

const row = (errorClass: ProviderErrorClass, block?: ErrorRow['block']): ErrorRow =>
  block === undefined ? { errorClass } : { errorClass, block };

/** Something is being made, changed or removed, or is attached: later it is not. */
const BUSY = row('not_yet');
/** Taken back while it was being made. */
const TAKEN_BACK: ErrorRow = { ...row('not_yet'), onCreate: row('capacity') };
/** There is one of this name, which is looked for: it may be ours, made by a call whose answer was lost. */
const EXISTS: ErrorRow = { ...row('not_yet'), onCreate: row('transient') };
const MISSING: ErrorRow = { ...row('gone'), onCreate: row('config') };
/** Someone has to make room in the subnetwork, which spans a region. */
const SUBNETWORK_FULL = row('quota', { scope: 'location', where: 'region' });

/** Every code that is known: reasons of answers in mixed case, codes of operations in capitals. */
export const ERROR_TABLE = errorTable<ErrorRow>([
  // Out of stock: this type on this market in this zone.
  [
    `ZONE_RESOURCE_POOL_EXHAUSTED ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS RESOURCE_POOL_EXHAUSTED
     resourcePoolExhausted insufficientCapacity stockout`,
    row('capacity'),
  ],
  ['REGION_RESOURCE_POOL_EXHAUSTED', row('capacity', { scope: 'offer', where: 'region' })],
  ['UNSUPPORTED_OPERATION', { ...row('config'), onCreate: row('capacity') }],
  ['RESOURCE_NOT_READY', TAKEN_BACK],

  // Quotas; which one is in the message.
  ['QUOTA_EXCEEDED quotaExceeded limitExceeded LIMIT_EXCEEDED', row('quota')],
  ['IP_SPACE_EXHAUSTED IP_SPACE_EXHAUSTED_WITH_DETAILS', SUBNETWORK_FULL],

  // Too many calls.
  [
    `RESOURCE_OPERATION_RATE_EXCEEDED CONCURRENT_OPERATIONS_QUOTA_EXCEEDED RATE_LIMIT_EXCEEDED rateLimitExceeded
     userRateLimitExceeded dailyLimitExceeded`,
    row('throttled'),
  ],

  // Faults on the other side.
  ['backendError internalError INTERNAL_ERROR SERVICE_UNAVAILABLE serviceUnavailable TIMEOUT', row('transient')],

  // Who pays.
  [
    `billingNotEnabled BILLING_DISABLED UREQ_PROJECT_BILLING_NOT_FOUND UREQ_PROJECT_BILLING_NOT_OPEN accountClosed
     ACCOUNT_STATE_INVALID`,
    row('billing'),
  ],

  // Who we are, and what we may do.
  [
    `authError unauthorized forbidden insufficientPermissions accessNotConfigured SERVICE_DISABLED
     IAM_PERMISSION_DENIED PERMISSIONS_ERROR ACCESS_TOKEN_EXPIRED invalid_grant invalid_client unauthorized_client
     invalid_scope access_denied`,
    row('auth'),
  ],
  ['required', row('config')],

  // Names that are taken, things that are missing or not in the state for it.
  ['alreadyExists conflict duplicate RESOURCE_ALREADY_EXISTS', EXISTS],
  // An instance that was removed while it was being made.
  ['CONFLICT', { ...row('not_yet'), onCreate: row('capacity') }],
  ['notFound RESOURCE_NOT_FOUND', MISSING],
  [
    `resourceNotReady resourceInUseByAnotherResource RESOURCE_IN_USE_BY_ANOTHER_RESOURCE RESOURCE_IN_USE
     resourceInUse fingerprintMismatch`,
    BUSY,
  ],

  // Requests that will be refused each time.
  [
    `invalid badRequest invalidParameter INVALID_FIELD_VALUE INVALID_USAGE invalidUsage conditionNotMet
     CONDITION_NOT_MET VPC_NOT_FOUND VM_EXTERNAL_IP_ACCESS_POLICY_CONSTRAINT ORG_POLICY_CONSTRAINT`,
    row('config'),
  ],
]);

/** The zone has no such type: a fact, not a shortage. It is looked at again once a day. */
const NOT_SOLD = /machine type[^.]* does not exist in zone|accelerator type[^.]* (?:not found|does not exist)/iu;
const NOT_SOLD_BLOCK: ErrorRow['block'] = { scope: 'offer', bothMarkets: true, blockMs: 23 * HOUR_MS };

/** Counted over all regions. */
const GLOBAL_METRIC = /\b[A-Z_]*_ALL_REGIONS\b/u;
/** Counts the GPUs of one kind in one region, per market. */
const GPU_METRIC = /\b(?:PREEMPTIBLE_|COMMITTED_)?NVIDIA_\w+?_GPUS\b|GPUS[-_]PER[-_]GPU[-_]FAMILY/iu;

/** Codes by the words they begin with, where the table has no row: requests that will be refused each time. */
const WRONG_REQUEST = /^(?:invalid|bad|required|missing|malformed|unsupported|parseError|methodNotAllowed)/iu;

/**
 * Class of a refusal. An unknown code is `transient`: on a create its outcome is unknown.
 *
 * @param status of the answer; 200 for an operation that failed
 * @param offer null where the call was about none: a block of types is left out then
 */
export function classifyRefusal(
  kind: ServiceCallKind,
  status: number,
  { code, message, zones }: ZonedRefusal,
  offer: RefusedOffer | null,
): Classified {
  const known = code === null ? undefined : entryOf(ERROR_TABLE, code);
  const found = (kind === 'create' ? known?.onCreate : undefined) ?? known;
  // An operation may fail in words that are new.
  if (found === undefined)
    return { errorClass: status === 200 ? 'transient' : classOfUnknown(status, code, WRONG_REQUEST) };
  const { errorClass } = found;
  const wanted = errorClass === 'quota' && found.block === undefined ? quotaBlock(message) : found.block;
  const row_ = kind === 'create' && errorClass === 'config' && NOT_SOLD.test(message) ? NOT_SOLD_BLOCK : wanted;
  const block = row_ === undefined || offer === null ? null : blockRule(row_, offer);
  const hints = errorClass === 'capacity' ? zones : [];
  return { errorClass, ...(block === null ? {} : { block }), ...(hints.length === 0 ? {} : { hints }) };
}

/** What is full, by the metric that the message names. */
function quotaBlock(message: string): ErrorRow['block'] {
  if (GLOBAL_METRIC.test(message)) return { scope: 'account' };
  return GPU_METRIC.test(message) ? { scope: 'family', where: 'region' } : { scope: 'location', where: 'region' };
}

function blockRule(
  { where, ...rule }: NonNullable<ErrorRow['block']>,
  { zone, instanceType }: RefusedOffer,
): BlockRule {
  return {
    ...rule,
    ...(rule.scope === 'family' ? { types: familyOf(instanceType) } : {}),
    ...(where === undefined ? {} : { locations: where === 'region' ? `${regionOfZone(zone) ?? zone}-*` : '*' }),
  };
}

/** Pattern of the types with the same GPU, which is attached (`n1-standard-8+nvidia-tesla-t4x1`) or built in. */
function familyOf(instanceType: string): string {
  const attached = /\+.*x(?=\d+$)/u.exec(instanceType)?.[0];
  return attached === undefined ? `${seriesOf(instanceType)}-*` : `*${attached}*`;
}

/** Series of a type: `a2-highgpu-1g` is of `a2-highgpu`. */
export const seriesOf = (instanceType: string): string => instanceType.split('-').slice(0, 2).join('-');
