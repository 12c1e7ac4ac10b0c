/**
 * The compatibility layer: the endpoints of the container document over the routes of analyses. Each stores the deck where one comes with the
 * request, starts one task type as `POST /decks/{id}/tasks/{type}` does, and waits a while for its result.
 *
 * The work takes the way of every analysis: a workflow, the class queues, the pools. Nothing here asks a model server.
 */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isFinished } from '../../domain/decks/report.ts';
import { DeckhandError, ERROR_KINDS, type ErrorCode } from '../../domain/errors.ts';
import { MODEL_TASKS, TASK_TYPES, taskOfSpecialised, type TaskType } from '../../domain/models/model-tasks.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import { COMPAT_PREFIX, type ApiEnv } from '../context.ts';
import { idempotencyHeader } from '../decks/analyses/schemas.ts';
import { startAnalysis } from '../decks/analyses/start.ts';
import { findAnalysis, noAnalysis } from '../decks/analyses/status.ts';
import { tooLarge } from '../decks/receive.ts';
import { loadReport } from '../decks/report/load.ts';
import { limitBody } from '../http/body-limit.ts';
import { serviceHealth } from '../http/liveness-routes.ts';
import { idParam, json, problems, route } from '../http/definition.ts';
import { group } from '../http/routes.ts';
import { EXAMPLES } from './examples.ts';
import { modelsAndQueue } from './health.ts';
import { taskAnswer } from './result.ts';
import {
  compatibleHealthSchema,
  EXTRACTION_NAMES,
  EXTRACTIONS,
  specialisedBodySchema,
  taskAnswerSchema,
  taskBodySchema,
  templateBodySchema,
  waitQuery,
  type TaskAnswer,
  type TaskBody,
} from './schemas.ts';
import { deckOfBody, inlineLimit } from './source.ts';

/** A client that polls asks again after this time. */
const ASK_AGAIN_SEC = 5;
/** Room for the other fields of a request, beyond the file in base64. */
const OTHER_FIELDS_BYTES = 64 * 1024;

const EXPLAINED =
  'For clients of the container API. New clients use `POST /api/v1/decks` and `POST /api/v1/decks/{id}/tasks/{type}`.';

const answers = (example: TaskAnswer) => ({
  200: {
    description: 'The result. A failed task is a problem with the code of its failure.',
    content: { 'application/json': { schema: taskAnswerSchema, example } },
  },
  202: json(taskAnswerSchema, 'It is not finished. `url` and the header Location say where the result will be.'),
  ...problems(400, 404, 409, 413, 415, 422, 500, 502, 503, 504, 507),
});

const taskRequest = <B extends z.ZodType>(schema: B, example: object) => ({
  headers: idempotencyHeader,
  query: waitQuery,
  body: { required: true as const, content: { 'application/json': { schema, example } } },
});

const taskRoute = <const P extends string, B extends z.ZodType>(
  path: P,
  summary: string,
  schema: B,
  { request, answer }: { readonly request: object; readonly answer: TaskAnswer },
) =>
  route('post', path, {
    summary,
    description: EXPLAINED,
    request: taskRequest(schema, request),
    responses: answers(answer),
  });

const visualRoute = taskRoute(
  '/visual-analysis',
  'Describe one slide, or every slide of a deck.',
  taskBodySchema,
  EXAMPLES.visual,
);
const feedbackRoute = taskRoute(
  '/slide-feedback',
  'Give feedback on one slide, or on every slide of a deck.',
  taskBodySchema,
  EXAMPLES.feedback,
);
const templateRoute = taskRoute(
  '/template-analysis',
  'Answer and score the questions of a template.',
  templateBodySchema,
  EXAMPLES.template,
);
const specialisedRoute = taskRoute(
  '/specialized-analysis',
  'Make one specialised reading.',
  specialisedBodySchema,
  EXAMPLES.specialised,
);
const extractionRoute = route('post', '/extraction/{type}', {
  summary: 'Look for one fact in a deck.',
  description: EXPLAINED,
  request: {
    params: z.object({ type: z.enum(EXTRACTION_NAMES) }),
    ...taskRequest(taskBodySchema, EXAMPLES.extraction.request),
  },
  responses: answers(EXAMPLES.extraction.answer),
});

const resultRoute = route('get', '/tasks/{id}', {
  summary: 'The result of a task that one of the endpoints started.',
  description: EXPLAINED,
  request: { params: idParam, query: waitQuery },
  responses: answers(EXAMPLES.extraction.answer),
});

const healthRoute = route('get', '/health', {
  summary: 'Services, models that are served, and calls that wait.',
  description:
    'For clients of the container API. `GET /api/v1/health` needs no key, and `GET /api/v1/fleet` says more.',
  responses: {
    200: json(compatibleHealthSchema, 'Every service answers.'),
    503: json(compatibleHealthSchema, 'A service does not answer.'),
  },
});

const ERROR_CODES = Object.keys(ERROR_KINDS) as ErrorCode[];

/** The routes, below {@link COMPAT_PREFIX}. */
export const compatRoutes = group((deps, routes) => {
  const { db, config, feeds, temporal } = deps;
  const maxBytes = inlineLimit(config);
  const maxBodyBytes = Math.ceil(maxBytes / 3) * 4 + OTHER_FIELDS_BYTES;
  // By path: a limit of all paths below the prefix would hold for the API proper, too.
  const limit = limitBody(maxBodyBytes, () => tooLarge(maxBytes));
  for (const { path } of [visualRoute, feedbackRoute, templateRoute, specialisedRoute]) routes.use(path, limit);
  routes.use('/extraction/*', limit);

  /** The answer to a task, after a wait for its end. @throws DeckhandError as the task failed */
  const answerOf = async (c: Context<ApiEnv>, id: string, waitSec: number) => {
    const tenantId = c.get('tenantId');
    const task = memberOf(TASK_TYPES, (await findAnalysis(db, tenantId, id)).taskType);
    if (task === null) throw noAnalysis(id);
    if (waitSec > 0) {
      const signal = AbortSignal.any([AbortSignal.timeout(waitSec * 1000), c.req.raw.signal]);
      for await (const event of feeds.listen(tenantId, id, signal)) if (event.type === 'finished') break;
    }
    const report = await loadReport(db, tenantId, id, config.answering);
    const ended = isFinished(report.status);
    if (report.status === 'failed' || report.status === 'cancelled') throw failureOf(report);
    const url = `${COMPAT_PREFIX}/tasks/${id}`;
    const answer = taskAnswer(task, report, { isFinished: ended, url });
    return ended ? c.json(answer, 200) : c.json(answer, 202, { location: url, 'retry-after': String(ASK_AGAIN_SEC) });
  };

  const run = async (
    c: Context<ApiEnv>,
    taskType: TaskType,
    body: TaskBody & { readonly template?: string | null },
    { waitSec }: z.infer<typeof waitQuery>,
    headers: z.infer<typeof idempotencyHeader>,
  ) => {
    const { tenantId, via, name } = c.get('identity');
    const deck = await deckOfBody(deps, { tenantId, uploadedBy: via === 'open' ? null : name }, body);
    const { analysis } = await startAnalysis(
      { ...deps, log: c.get('log') },
      {
        tenantId,
        deckId: deck.id,
        taskType,
        language: body.language,
        template: body.template ?? null,
        models: body.models,
        priority: body.priority,
        deadlineAt: null,
        idempotencyKey: headers['idempotency-key'],
      },
    );
    return answerOf(c, analysis.id, waitSec);
  };

  routes.openapi(visualRoute, (c) =>
    run(c, 'visual_analysis', c.req.valid('json'), c.req.valid('query'), c.req.valid('header')),
  );
  routes.openapi(feedbackRoute, (c) =>
    run(c, 'slide_feedback', c.req.valid('json'), c.req.valid('query'), c.req.valid('header')),
  );
  routes.openapi(extractionRoute, (c) =>
    run(c, EXTRACTIONS[c.req.valid('param').type], c.req.valid('json'), c.req.valid('query'), c.req.valid('header')),
  );
  routes.openapi(templateRoute, (c) =>
    run(c, 'template_analysis', c.req.valid('json'), c.req.valid('query'), c.req.valid('header')),
  );
  routes.openapi(specialisedRoute, (c) => {
    const { type, ...body } = c.req.valid('json');
    const kind = MODEL_TASKS[taskOfSpecialised(type)].taskType;
    return run(c, kind, body, c.req.valid('query'), c.req.valid('header'));
  });
  routes.openapi(resultRoute, (c) => answerOf(c, c.req.valid('param').id, c.req.valid('query').waitSec));
  routes.openapi(healthRoute, async (c) => {
    const services = await serviceHealth({ db, temporal }, c.get('log'));
    const facts = await modelsAndQueue(db, c.get('tenantId'), new Date());
    return c.json({ ...services, ...facts }, services.status === 'ok' ? 200 : 503);
  });
});

/** The error of a task that ended without a result. */
function failureOf({ status, failure }: Awaited<ReturnType<typeof loadReport>>): DeckhandError {
  if (status === 'cancelled') {
    return new DeckhandError('cancelled', 'the task was cancelled', { userMessage: 'This task was cancelled.' });
  }
  const code = memberOf(ERROR_CODES, failure?.code ?? null) ?? 'internal';
  return new DeckhandError(code, `the task failed: ${code}`, {
    userMessage: failure?.message ?? 'This task failed.',
    ...(ERROR_KINDS[code].permanent ? {} : { hint: 'Send the request again; what is stored is not computed again.' }),
  });
}
