/**
 * Counts the requests of one call on its row, before each goes out: a gateway that is killed cannot lose the count. See
 * domain/models/send-bounds.ts for what counts and how often a call is sent.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { asDeckhandError, DeckhandError, type ErrorCode, ERROR_KINDS } from '../../domain/errors.ts';
import {
  afterSend,
  MOST_CRASHES,
  MOST_SENDS,
  reachedBound,
  type SendBound,
  type SendCounts,
} from '../../domain/models/send-bounds.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { counted } from '../../domain/text/words.ts';
import { retryStore } from './retry-store.ts';

const REASON_CHARS = 300;
const LOST_WITH_GATEWAY = 'The gateway that had sent it ended.';

/** Columns of a call's row that count its requests. */
export type SentCall = Pick<ModelCall, 'id' | 'slideNumber' | 'openSend' | 'sendFailure' | keyof SendCounts>;

/** The requests of one call, while one activity runs it. */
export class Sends {
  readonly #db: PrismaClient;
  readonly #call: SentCall;
  readonly #signal: AbortSignal;
  #counts: SendCounts;
  #lastFailure: string | null;
  #openSend: string | null = null;

  constructor(db: PrismaClient, call: SentCall, signal: AbortSignal) {
    this.#db = db;
    this.#call = call;
    this.#signal = signal;
    const { sends, lostSends, crashes, openSend, sendFailure } = call;
    this.#counts = { sends, lostSends: lostSends + (openSend === null ? 0 : 1), crashes };
    this.#lastFailure = openSend === null ? sendFailure : LOST_WITH_GATEWAY;
  }

  /** How often it may still be answered, fail or be cut. */
  get left(): number {
    return MOST_SENDS - this.#counts.sends;
  }

  /** A runner ended while this call was on it, perhaps because of a call beside it. */
  get hasCrashed(): boolean {
    return this.#counts.crashes > 0;
  }

  /** @throws DeckhandError when the call may not be sent again */
  throwIfExhausted(): void {
    const bound = reachedBound(this.#counts);
    if (bound !== null) throw this.#exhausted(bound);
  }

  /** Before a request goes out. @throws DeckhandError when the call may not be sent again */
  async begin(): Promise<void> {
    this.throwIfExhausted();
    const { id } = this.#call;
    const openSend = randomUUID();
    await retryStore(this.#signal, async () => {
      // The row counts, not what was read before: another gateway may have had the call in the meantime. A page on which another call ended
      // the runner alone is not sent again.
      const [row] = await this.#db.$queryRaw<Omit<SentCall, 'id' | 'slideNumber'>[]>`
        UPDATE "ModelCall"
           SET "lostSends" = "lostSends" + (CASE WHEN "openSend" IS NULL OR "openSend" = ${openSend} THEN 0 ELSE 1 END),
               "openSend" = ${openSend}
         WHERE "id" = ${id}
        RETURNING "sends", "lostSends", "openSend", "sendFailure",
                  "crashes" + (
                    SELECT coalesce(max(o."crashes") FILTER (WHERE o."crashes" >= ${MOST_CRASHES}), 0)
                    FROM "ModelCall" o
                    WHERE o."analysisId" = "ModelCall"."analysisId" AND o."slideNumber" = "ModelCall"."slideNumber"
                      AND o."gpuClass" = "ModelCall"."gpuClass" AND o."id" <> "ModelCall"."id"
                  ) AS "crashes"`;
      if (row === undefined) throw new DeckhandError('not_found', `model call ${id} does not exist any more`);
      const { sends, lostSends, crashes } = row;
      this.#counts = { sends, lostSends, crashes };
    });
    this.#openSend = openSend;
    if (reachedBound(this.#counts) === null) return;
    await this.#close({}, null);
    this.throwIfExhausted();
  }

  /** After it. @param error what it failed with; absent = it was answered, with a usable answer or not */
  async end(error?: unknown): Promise<void> {
    const code = error === undefined ? null : asDeckhandError(error).code;
    const before = this.#counts;
    this.#counts = afterSend(before, code);
    if (error !== undefined) this.#lastFailure = plainText(asDeckhandError(error).userMessage, REASON_CHARS);
    await this.#close(
      {
        sends: { increment: this.#counts.sends - before.sends },
        lostSends: { increment: this.#counts.lostSends - before.lostSends },
        crashes: { increment: this.#counts.crashes - before.crashes },
      },
      error === undefined ? null : this.#lastFailure,
    );
  }

  /** Takes a request back that a person ended: it does not count. */
  async withdraw(): Promise<void> {
    await this.#close({}, null);
  }

  /** The error that ends the call where another request is not allowed; else the error itself. */
  finalError(error: unknown): unknown {
    if (!(error instanceof DeckhandError) || ERROR_KINDS[error.code].permanent) return error;
    const bound = reachedBound(this.#counts);
    return bound === null ? error : this.#exhausted(bound, error);
  }

  async #close(
    counts: Partial<Record<keyof SendCounts, { increment: number }>>,
    sendFailure: string | null,
  ): Promise<void> {
    const openSend = this.#openSend;
    if (openSend === null) return;
    this.#openSend = null;
    const where = { id: this.#call.id, openSend };
    const data = { ...counts, openSend: null, ...(sendFailure === null ? {} : { sendFailure }) };
    // Where another request was counted meanwhile, this one was counted as lost.
    await retryStore(this.#signal, () => this.#db.modelCall.updateMany({ where, data }));
  }

  #exhausted(bound: SendBound, cause?: unknown): DeckhandError {
    const { sends, lostSends, crashes } = this.#counts;
    const why = this.#lastFailure ?? 'No reason is known.';
    const lost = lostSends === 0 ? '' : `, and lost ${counted(lostSends, 'time')} with its machine, gateway or network`;
    const about = this.#call.slideNumber === null ? 'text' : 'page';
    const words: Readonly<Record<SendBound, string>> = {
      crashes: `The model cannot take this ${about}: its runner ended ${counted(crashes, 'time')} while it had it.`,
      sends: `Sent ${counted(sends, 'time')}${lost}: ${why}`,
      lost: `Lost ${counted(lostSends, 'time')} with its machine, gateway or network${sends === 0 ? '' : `, sent ${counted(sends, 'time')} besides`}: ${why}`,
    };
    const code: ErrorCode = bound === 'crashes' ? 'model_input_rejected' : 'model_sends_exhausted';
    return new DeckhandError(code, `call ${this.#call.id}: ${words[bound]}`, { userMessage: words[bound], cause });
  }
}
