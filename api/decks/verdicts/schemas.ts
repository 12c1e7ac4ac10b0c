/** Documents of what people say about decks. */
import { z } from '@hono/zod-openapi';
import {
  type HumanVerdict,
  humanVerdictSchema,
  newVerdictSchema,
} from '../../../domain/decks/verdicts/human-verdict.ts';
import { isWithdrawal } from '../../../domain/decks/verdicts/saying.ts';
import { VERDICT_KINDS } from '../../../domain/decks/verdicts/kinds.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { HumanVerdict as VerdictRow } from '../../../generated/prisma/client.ts';
import { documentOf, idParam, json, jsonBody, named, problems, route } from '../../http/definition.ts';

export const verdictSchema = named(humanVerdictSchema, 'HumanVerdict');
export const verdictListSchema = z.object({ items: z.array(verdictSchema) }).openapi('HumanVerdictList');
export const newVerdictBody = z
  .discriminatedUnion('kind', newVerdictSchema.options)
  .openapi('NewHumanVerdict', { description: 'Null or an empty text withdraws what was said.' });

/** The document of a row. */
export const verdictDocument = (row: VerdictRow): HumanVerdict =>
  documentOf(verdictSchema, {
    ...row,
    // Rows are written with one of the kinds only.
    kind: memberOf(VERDICT_KINDS, row.kind) ?? 'note',
    amount: row.amount?.toNumber() ?? null,
    withdrawn: isWithdrawal(row),
    machine: { text: row.machineText, score: row.machineScore },
    author: row.authorName,
  });

export const historyRoute = route('get', '/decks/{id}/verdicts', {
  summary: 'What people said about a deck: corrected values, judgements, scores, notes, tags, assignee, decision.',
  description:
    'The whole history, oldest first. The newest verdict of each kind, subject and item holds, unless it is withdrawn. What the machine said stays in the report.',
  request: { params: idParam },
  responses: { 200: json(verdictListSchema, 'The history.'), ...problems(404) },
});

export const addRoute = route('post', '/decks/{id}/verdicts', {
  summary: 'Say something about a deck. Nothing is overwritten: a change or a withdrawal is one more verdict.',
  description: 'What holds already is not said twice: the answer is then the verdict that says it, with 200.',
  request: { params: idParam, body: jsonBody(newVerdictBody) },
  responses: {
    200: json(verdictSchema, 'It holds already.'),
    201: json(verdictSchema, 'It is stored.'),
    ...problems(400, 404, 409),
  },
});
