/** Parameters of functions that store one result, or write that it is missing. */
import type { Answering, AnsweringBy } from '../../domain/evidence/answering.ts';
import type { QuoteCheck } from '../../domain/evidence/quote-check.ts';
import type { PageLayout } from '../../domain/pages/page.ts';
import type { CallSubject } from '../../domain/models/model-tasks.ts';
import type { EvidenceItem } from '../../domain/models/result-schemas.ts';
import type { Transaction } from '../../platform/db.ts';

interface ResultScope {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly analysisId: string;
  readonly subject: CallSubject;
}

/** How a quote is judged. */
export type JudgeQuote = (quote: string, layout: PageLayout | null) => QuoteCheck;

/** A quote with the verdict on it, and whether it answers its question; null where that was not judged. */
export type CheckedQuote = Omit<EvidenceItem, 'answering'> &
  Omit<QuoteCheck, 'absent'> & {
    readonly answering: Answering | null;
    readonly answeringBy: AnsweringBy | null;
    /** The slide that the engine named, where the quote was moved to another one. */
    readonly citedSlide: number | null;
  };

/** Where a result is stored. */
export interface StoreScope extends ResultScope {
  readonly modelResultId: string;
  /** True for a result of the built-in reader, which alone judges its own results. */
  readonly isByReader: boolean;
  /** The value that the rules of the built-in reader find, to compare a model's with; null where they find none. */
  readonly byRules: string | null;
  /** Pages on which quotes are checked, by the number of their slide; null for one that was not read. */
  readonly pageOf: ReadonlyMap<number, PageLayout | null>;
  /** Checks quotes against the pages that they name; by default a quote has to stand on its slide. Empty quotes are left out. */
  readonly check: (quotes: readonly EvidenceItem[], judge?: JudgeQuote) => CheckedQuote[];
}

/** Where it is written that a result is missing. */
export interface MissingScope extends ResultScope {
  readonly status: 'failed' | 'unparseable' | 'skipped' | 'unreadable';
  /** For people. */
  readonly reason: string;
}

/** A stored result and its quotes, which are to be stored with it; exactly one id of the owner is set. */
export interface Claim {
  readonly owner:
    | { readonly extractionId: string }
    | { readonly answerId: string }
    | { readonly specialisedId: string }
    | { readonly profileFactId: string };
  readonly evidence: readonly CheckedQuote[];
}
