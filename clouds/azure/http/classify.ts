/**
 * Classifies refusals of Azure by their code, and where one code stands for many things by its words: a table of what each blocks. Pure.
 *
 * The classes and times of what is out of stock or over a quota are those of Karpenter's provider for Azure.
 */
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import type { BlockRule, ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { familyPattern } from '../gpus.ts';
import { classOfUnknown, codesIn, type Classified } from '../../http/refused.ts';
import type { ServiceCallKind } from '../../http/wire.ts';

/** The offer that a refused call was about. */
export interface RefusedOffer {
  readonly instanceType: string;
  readonly market: Market;
  /** Types of its family with at least as many virtual CPUs, itself included; empty where the catalogue was not read yet. */
  readonly notSmaller: readonly string[];
}

/** A block as the table writes it: `family` = all types of the quota that the type counts against, or only those that are not smaller. */
interface BlockRow extends Omit<BlockRule, 'types' | 'locations' | 'blockMs'> {
  readonly sizes?: 'all' | 'not_smaller';
  readonly blockMs?: number | Readonly<Record<Market, number>>;
}

/** One row. `words` = it counts only where the message has them; `on` = only for these kinds of calls. The first row that fits counts. */
interface ErrorRow {
  readonly codes: readonly string[];
  readonly words?: RegExp;
  readonly on?: ServiceCallKind;
  readonly errorClass: ProviderErrorClass;
  readonly block?: BlockRow;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Restrictions of a subscription change by the day, the spot market by the hour. */
const RESTRICTED_MS = { ondemand: 23 * HOUR_MS, spot: HOUR_MS };

const row = (codes: string, errorClass: ProviderErrorClass, block?: BlockRow): ErrorRow => ({
  codes: codesIn(codes),
  errorClass,
  ...(block === undefined ? {} : { block }),
});

/** Codes of every quota: the words say of which. */
const QUOTA_CODES = 'OperationNotAllowed QuotaExceeded';
/** The type is not to be had with this subscription: a fact, not a shortage. As `config` it would end the instance instead of taking the next offer. */
const NOT_SOLD: BlockRow = { scope: 'offer', bothMarkets: true, blockMs: 23 * HOUR_MS };

/** Every code that is known. */
export const ERROR_TABLE: readonly ErrorRow[] = [
  // Out of stock.
  row('SkuNotAvailable', 'capacity', { scope: 'offer', blockMs: RESTRICTED_MS }),
  row('ZonalAllocationFailed', 'capacity', {
    scope: 'family',
    sizes: 'not_smaller',
    bothMarkets: true,
    blockMs: HOUR_MS,
  }),
  row('AllocationFailed', 'capacity', { scope: 'offer', bothMarkets: true, blockMs: HOUR_MS }),
  row('OverconstrainedAllocationRequest OverconstrainedZonalAllocationRequest', 'capacity', {
    scope: 'offer',
    blockMs: HOUR_MS,
  }),
  row('VMSizeNotSupported', 'capacity', NOT_SOLD),
  { ...row('BadRequest', 'capacity', NOT_SOLD), words: /not supported for subscription/iu },

  // Quotas, in virtual CPUs: of all spot machines of a location, of all machines there, of one family.
  {
    ...row(QUOTA_CODES, 'quota', { scope: 'market_location', blockMs: HOUR_MS }),
    words: /LowPriorityCores|Low Priority|Spot vCPUs/iu,
  },
  {
    ...row(QUOTA_CODES, 'quota', { scope: 'location', blockMs: HOUR_MS }),
    words: /Total Regional (?:v?CPUs?|Cores)/iu,
  },
  {
    ...row(QUOTA_CODES, 'quota', { scope: 'family', sizes: 'all', blockMs: HOUR_MS }),
    words: /quota[\s\S]*Current Limit: 0\b/iu,
  },
  { ...row(QUOTA_CODES, 'quota', { scope: 'family', sizes: 'all', blockMs: 10 * MINUTE_MS }), words: /quota/iu },
  row('PublicIPCountLimitReached NetworkInterfaceCountLimitReached DiskQuotaExceeded', 'quota', {
    scope: 'location',
  }),

  // Something is on its way, or hangs on something else.
  {
    ...row('OperationNotAllowed', 'not_yet'),
    words: /attached|in progress|being (?:created|updated|deleted)|marked for deletion|deallocat/iu,
  },
  // A machine of that name may be on its way.
  { ...row('Conflict AnotherOperationInProgress OperationPreempted', 'transient'), on: 'create' },
  row(
    `Conflict AnotherOperationInProgress RetryableError OperationPreempted ConflictingConcurrentWriteNotAllowed
     ReferencedResourceNotProvisioned ResourceGroupBeingDeleted NicReservedForAnotherVm NicInUse
     PublicIPAddressInUse PublicIPAddressCannotBeDeleted AttachDiskWhileBeingDetached DiskInUse`,
    'not_yet',
  ),
  row('OperationNotAllowed', 'config'),

  // Too many calls.
  row(
    `TooManyRequests SubscriptionRequestsThrottled ResourceCollectionRequestsThrottled ResourceRequestsThrottled
     TenantRequestsThrottled HighVolumeClientThrottled`,
    'throttled',
  ),

  // Faults on the other side.
  row(
    `InternalServerError InternalExecutionError InternalOperationError InternalDiskManagementError
     NetworkingInternalOperationError ServerTimeout ServerError ServiceUnavailable GatewayTimeout RequestTimeout
     OperationTimedOut temporarily_unavailable`,
    'transient',
  ),

  // Who we are, and what we may do.
  row('ReadOnlyDisabledSubscription DisabledSubscription', 'billing'),
  row(
    `ClientAuthenticationError AuthenticationFailed InvalidAuthenticationToken InvalidAuthenticationTokenTenant
     ExpiredAuthenticationToken AuthorizationFailed LinkedAuthorizationFailed InvalidSubscriptionId
     SubscriptionNotFound SubscriptionNotRegistered MissingSubscriptionRegistration invalid_client invalid_request
     invalid_grant unauthorized_client`,
    'auth',
  ),

  // A name that was used before: a machine may exist under it, which is looked for.
  { ...row('PreconditionFailed PropertyChangeNotAllowed ResourceAlreadyExists', 'transient'), on: 'create' },

  // What is no more. A create that names it is wrong.
  {
    ...row('ResourceNotFound NotFound ResourceGroupNotFound ParentResourceNotFound', 'config'),
    on: 'create',
  },
  row('ResourceNotFound NotFound ResourceGroupNotFound ParentResourceNotFound', 'gone'),
];

/** Codes by the words they begin with, where the table has no row: requests that will be refused each time. */
const WRONG_REQUEST =
  /^(?:Invalid|Bad|Missing|Malformed|Unsupported|PlatformImageNotFound|ImageNotFound|Conflicting|Request|PropertyChange|Marketplace|ResizeDisk|LocationNotAvailable|NoRegistered|VMMarketplace)/u;

/**
 * Class of a refusal. An unknown code is `transient`: on a create its outcome is unknown.
 *
 * @param code the service's own code; null when the answer is not the service's
 * @param offer what the call was about; without it, blocks of types do not hold
 */
export function classifyRefusal(
  kind: ServiceCallKind,
  status: number,
  code: string | null,
  message: string,
  offer?: RefusedOffer,
): Classified {
  // Azure's codes stand in any case: `AuthorizationFailed`, `authorizationfailed`.
  const wanted = code?.toLowerCase();
  const found = ERROR_TABLE.find(
    ({ codes, words, on }) =>
      codes.some((one) => one.toLowerCase() === wanted) &&
      (on === undefined || on === kind) &&
      (words === undefined || words.test(message)),
  );
  if (found === undefined)
    return { errorClass: status === 412 ? 'transient' : classOfUnknown(status, code, WRONG_REQUEST) };
  const block = found.block === undefined ? null : blockRule(found.block, offer);
  return { errorClass: found.errorClass, ...(block === null ? {} : { block }) };
}

/** Null where the call was about no offer and the block is one of types. */
function blockRule({ sizes, blockMs, ...rule }: BlockRow, offer: RefusedOffer | undefined): BlockRule | null {
  if (offer === undefined && (rule.scope === 'family' || rule.scope === 'offer')) return null;
  const forMs = typeof blockMs === 'object' ? blockMs[offer?.market ?? 'ondemand'] : blockMs;
  return {
    ...rule,
    ...(sizes === undefined || offer === undefined ? {} : { types: typesOf(sizes, offer) }),
    ...(forMs === undefined ? {} : { blockMs: forMs }),
  };
}

const typesOf = (sizes: NonNullable<BlockRow['sizes']>, { instanceType, notSmaller }: RefusedOffer): string =>
  sizes === 'all' || notSmaller.length === 0 ? familyPattern(instanceType) : notSmaller.join('|');
