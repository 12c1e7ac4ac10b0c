/**
 * Reads quotes again in pictures of their pages, in processes of their own.
 *
 * A process that breaks down loses the quote that it had under way; the others are read by the next one.
 */
import { recognitionLimits, type RenderLimits } from '../../../domain/decks/pdf.ts';
import { judgeReadings, notRead, type RereadJudgement } from '../../../domain/evidence/reread-judgement.ts';
import type { ChildMessage } from './child-message.ts';
import type { QuoteInPicture } from './messages.ts';
import type { Ending } from './render-process.ts';
import type { RendererName } from './renderer.ts';
import { takeProcess } from './spares.ts';

export interface RereadOptions {
  readonly signal: AbortSignal;
  readonly limits: RenderLimits;
  /** Processes are made ready for a renderer; none is used here. */
  readonly renderer: RendererName;
  /** Time for all quotes together, in milliseconds. */
  readonly timeMs: number;
  /** Called once for each quote, by its index, as soon as its outcome is known. */
  readonly onOutcome: (index: number, outcome: RereadJudgement) => void;
}

/** The pictures of a call: one file with JPEGs one after the other. */
export interface PictureFile {
  readonly path: string;
  /** Bytes of each picture, in order. */
  readonly lengths: readonly number[];
}

/** Processes of one call that somebody else ended and that are replaced. */
const MOST_LOST = 2;

/**
 * Reads quotes again. Every one of them has an outcome in the end, whatever becomes of the processes.
 *
 * @throws DeckhandError `internal` when no process can be started; the reason of the signal when that aborts
 */
export async function rereadQuotes(
  pictures: PictureFile,
  quotes: readonly QuoteInPicture[],
  { signal, limits, renderer, timeMs, onOutcome }: RereadOptions,
): Promise<void> {
  const deadlineMs = performance.now() + timeMs;
  const open = new Set(quotes.keys());
  const settle = (index: number, outcome: RereadJudgement): void => {
    if (open.delete(index)) onOutcome(index, outcome);
  };
  let lost = 0;
  while (open.size > 0) {
    const given = [...open];
    let underWay: number | undefined;
    const onMessage = (message: ChildMessage): void => {
      if (message.type === 'quote-started') underWay = given[message.index];
      if (message.type !== 'quote-read') return;
      const index = given[message.index];
      const { quote } = quotes[index ?? -1] ?? {};
      if (index !== undefined && quote !== undefined) settle(index, judged(quote, message));
    };
    const job = {
      type: 'reread',
      pictures: pictures.lengths,
      quotes: given.flatMap((index) => quotes[index] ?? []),
      recognition: recognitionLimits(limits, deadlineMs - performance.now()),
    } as const;
    const options = { pdfPath: pictures.path, signal, limits, deadlineMs, onMessage };
    const ending = await takeProcess(renderer).run(job, options);
    const reason = notReadBecause(ending);
    if (ending.kind === 'lost' && lost++ < MOST_LOST) continue;
    // A process that has begun with none will not begin with any.
    const blamed = endsAll(ending) || underWay === undefined || !open.has(underWay) ? [...open] : [underWay];
    for (const index of blamed) settle(index, notRead(reason));
  }
}

type QuoteRead = ChildMessage & { readonly type: 'quote-read' };

function judged(quote: string, { readings, blank, fault }: QuoteRead): RereadJudgement {
  if (fault !== null) return notRead(`it could not be read again: ${fault}`);
  if (blank) return { state: 'withdrawn', reason: 'read again, the picture of the slide shows nothing in its place' };
  return judgeReadings(quote, readings);
}

/** True for an ending after which no other process is to be started. */
function endsAll({ kind }: Ending): boolean {
  return kind === 'deadline' || kind === 'failed' || kind === 'finished' || kind === 'lost';
}

function notReadBecause(ending: Ending): string {
  switch (ending.kind) {
    case 'finished':
      return 'the process that reads again left it out';
    case 'failed':
      return `its picture could not be read: ${ending.error.userMessage}`;
    case 'timeout':
      return 'reading it again took longer than allowed';
    case 'deadline':
      return 'the time for reading quotes again was over';
    case 'memory':
      return 'reading it again needed more memory than allowed';
    case 'crashed':
    case 'lost':
      return 'the process that reads again broke down';
  }
}
