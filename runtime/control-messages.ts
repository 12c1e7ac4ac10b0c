/**
 * The messages that commands and the supervisor of a runtime exchange.
 *
 * A command finds the supervisor through `<home>/run/control.json` and talks to it in JSON lines over a loopback socket. An open
 * connection is a hold: when the last one closes, also because the command was killed, the runtime ends, unless it was asked to stay.
 */
import { z } from 'zod';
import { isErrorCode } from '../domain/errors.ts';
import { runtimeInfoSchema } from '../platform/runtime-info.ts';

const childStatusSchema = z.object({
  name: z.string(),
  pid: z.number().optional(),
  ready: z.boolean(),
  restarts: z.number(),
});

/** From a command to the supervisor. The first message must carry the token. */
export const requestSchema = z.object({
  token: z.string().optional(),
  /** hold: keep the runtime while this connection lives. release: end the hold. keep: keep the runtime without holds. stop: end now. */
  op: z.enum(['hold', 'release', 'keep', 'stop', 'status']),
});
export type ControlRequest = z.infer<typeof requestSchema>;

/** From the supervisor to a command. */
export const replySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), message: z.string() }),
  z.object({ type: z.literal('ready'), runtime: runtimeInfoSchema }),
  z.object({
    type: z.literal('failed'),
    code: z.string().refine(isErrorCode),
    message: z.string(),
    userMessage: z.string(),
    hint: z.string().optional(),
  }),
  /** A child ended and will be started again. */
  z.object({
    type: z.literal('restart'),
    name: z.string(),
    reason: z.string(),
    restarts: z.number(),
    nextStartInMs: z.number(),
  }),
  z.object({ type: z.literal('status'), children: z.array(childStatusSchema), kept: z.boolean(), holds: z.number() }),
  /** The answer to release and keep: whether the runtime ends now. */
  z.object({ type: z.literal('released'), stopping: z.boolean() }),
  z.object({ type: z.literal('stopping') }),
]);
export type ControlReply = z.infer<typeof replySchema>;
