/**
 * What functions are given that store one result, or write that it is missing.
 */
import type { QuoteCheck } from '../../domain/evidence/quote-check.ts';
import type { CallSubject } from '../../domain/models/model-tasks.ts';
import type { EvidenceItem } from '../../domain/models/result-schemas.ts';
import type { Transaction } from '../../platform/db.ts';

interface ResultScope {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly analysisId: string;
  readonly subject: CallSubject;
}

/** Where a result is stored. */
export interface StoreScope extends ResultScope {
  readonly modelResultId: string;
}

/** Where it is written that a result is missing. */
export interface MissingScope extends ResultScope {
  readonly status: 'failed' | 'unparseable' | 'skipped';
  /** For people. */
  readonly reason: string;
}

/** A stored result whose quotes are to be checked and stored with it; exactly one id of the owner is set. */
export interface Claim {
  readonly owner:
    | { readonly extractionId: string }
    | { readonly answerId: string }
    | { readonly specialisedId: string };
  readonly evidence: readonly EvidenceItem[];
  /** How a quote is judged; by default it has to stand on its slide. */
  readonly check?: (quote: string, pageText: string) => QuoteCheck;
}
