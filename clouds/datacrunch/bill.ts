/**
 * Start and end of a bill, from DataCrunch's journal. Pure.
 */
import type { BillingCapability, BillPause, ProviderBill } from '../../domain/fleet/provider/billing.ts';
import type { JournalEventData } from './calls/journal.ts';

/** Codes that end the bill of a machine. */
const MACHINE_ENDS: ReadonlySet<string> = new Set(['delete', 'deleting', 'delete:complete']);
/** Codes of a machine that will never run; the bill of one that did goes on. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'installation:failed']);
/** Codes that end the bill of a disk: in the trash it costs nothing. */
const DISK_ENDS: ReadonlySet<string> = new Set(['trash', 'trash:complete', 'delete', 'deleting', 'delete:complete']);

interface Event {
  readonly atMs: number;
  readonly code: string;
}

/** A machine's bill; null if its start is not in the journal. A stop does not end it; if `billsStopped` is false, it pauses the bill. */
export function billOfMachine(
  journal: readonly JournalEventData[],
  from: NonNullable<BillingCapability['from']>,
  billsStopped = true,
): ProviderBill | null {
  const events = inOrder(journal);
  const created = firstAt(events, (code) => code === 'create');
  const runs = firstAt(events, (code) => code === 'running');
  const ended = firstAt(events, (code) => MACHINE_ENDS.has(code));
  const failed = firstAt(events, (code) => FAILURES.has(code));
  if (created === null) return null;
  if (failed !== null && (runs === null || failed < runs) && (ended === null || failed <= ended))
    return { state: 'void' };
  const fromMs = from === 'created' ? created : runs;
  if (fromMs === null || (ended !== null && ended < fromMs)) return { state: ended === null ? 'not_begun' : 'void' };
  const pauses = billsStopped ? [] : pausesIn(events);
  return { state: 'billed', fromMs, untilMs: ended, ...(pauses.length === 0 ? {} : { pauses }) };
}

/** The times during which a machine was stopped. */
function pausesIn(events: readonly Event[]): readonly BillPause[] {
  const pauses: BillPause[] = [];
  let fromMs: number | null = null;
  for (const { atMs, code } of events) {
    if (code === 'shutdown:complete') fromMs ??= atMs;
    else if (code === 'running' && fromMs !== null) {
      pauses.push({ fromMs, untilMs: atMs });
      fromMs = null;
    }
  }
  return fromMs === null ? pauses : [...pauses, { fromMs, untilMs: null }];
}

/** A disk's bill; null if its start is not in the journal. A disk that is restored from the trash is billed for its time there, too. */
export function billOfVolume(journal: readonly JournalEventData[]): ProviderBill | null {
  const events = inOrder(journal);
  const fromMs = firstAt(events, (code) => code === 'create');
  if (fromMs === null) return null;
  let untilMs: number | null = null;
  for (const { atMs, code } of events) {
    if (DISK_ENDS.has(code)) untilMs ??= atMs;
    else if (code === 'restore') untilMs = null;
  }
  return { state: 'billed', fromMs, untilMs };
}

const inOrder = (journal: readonly JournalEventData[]): readonly Event[] =>
  journal
    .flatMap(({ timestamp, action_code: code }) => (timestamp === null ? [] : [{ atMs: timestamp, code }]))
    .toSorted((a, b) => a.atMs - b.atMs);

const firstAt = (events: readonly Event[], is: (code: string) => boolean): number | null =>
  events.find(({ code }) => is(code))?.atMs ?? null;
