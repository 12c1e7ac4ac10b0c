/**
 * What the time of a rental was spent on: the kinds of ledger entries.
 */

/** See the glossary for each. `busy` and `load` of a call are always somebody's; `failed`, `orphan` and `suspended` may be nobody's. */
export const LEDGER_KINDS = [
  /** From the start of the bill, or of a wake, until the machine served. */
  'boot',
  /** Bringing a model into the GPU's memory. */
  'load',
  /** A model call had a slot. */
  'busy',
  /** It could have worked and had no call. */
  'idle',
  /** It took no new calls and finished those it had. */
  'drain',
  /** It was paid for and of no use: repairs, machines that never served; what a bill was corrected by. */
  'failed',
  /** Nobody owned it. */
  'orphan',
  /** The disk of a machine that is there. */
  'storage',
  /** A disk that is kept while its machine sleeps, or a stopped machine that costs on. */
  'suspended',
  /** Paid in advance and not used, where the provider does not give it back. */
  'unused',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** ISO 4217 code of the one currency prices are configured, ranked and settled in. */
export const LEDGER_CURRENCY = 'USD';
