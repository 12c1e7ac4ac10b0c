/** Routes of analyses: start, list, status, cancel. Events and reports are in files of their own. */
import { countAnalysisEnd } from '../../../activities/metrics/counting.ts';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { parseDeadline } from '../../../domain/decks/deadline.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { TaskType } from '../../../domain/models/model-tasks.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import type { ApiEnv } from '../../context.ts';
import { afterCursor, newestFirst, pageOf } from '../../http/paging.ts';
import {
  type idempotencyHeader,
  startBodySchema,
  startRoute,
  taskRoute,
  listRoute,
  statusRoute,
  cancelRoute,
} from './schemas.ts';
import { startAnalysis } from './start.ts';
import { findAnalysis, loadStatus, summaryOf } from './status.ts';
import { withDeck, cancelWorkflow } from '../../../activities/decks/deck-runs.ts';
import { group } from '../../http/routes.ts';

type StartBody = z.infer<typeof startBodySchema>;

/** The routes of analyses. */
export const analysisRoutes = group((deps, routes) => {
  const { db, temporal } = deps;

  /** Starts a review or one task type with what the body says. */
  const start = async (
    c: Context<ApiEnv>,
    target: { readonly deckId: string; readonly taskType: TaskType | null },
    body: Partial<StartBody> | undefined,
    headers: z.infer<typeof idempotencyHeader>,
  ) => {
    // A body may be left out altogether; then every choice is the default.
    const { models, deadline, ...choices } = startBodySchema.parse(body ?? {});
    const { analysis, created } = await startAnalysis(
      { ...deps, log: c.get('log') },
      {
        tenantId: c.get('tenantId'),
        ...target,
        models,
        ...choices,
        deadlineAt: deadline === null ? null : parseDeadline(deadline, Date.now()),
        idempotencyKey: headers['idempotency-key'],
      },
    );
    return c.json(summaryOf(analysis), created ? 202 : 200);
  };

  routes.openapi(startRoute, (c) =>
    start(c, { deckId: c.req.valid('param').id, taskType: null }, c.req.valid('json'), c.req.valid('header')),
  );

  routes.openapi(taskRoute, (c) => {
    const { id, type } = c.req.valid('param');
    return start(c, { deckId: id, taskType: type }, c.req.valid('json'), c.req.valid('header'));
  });

  routes.openapi(listRoute, async (c) => {
    const { limit, cursor, status, deck, since, ids } = c.req.valid('query');
    const where = {
      tenantId: c.get('tenantId'),
      ...(ids === undefined ? {} : { id: { in: ids } }),
      ...(status === undefined ? {} : { status }),
      ...(deck === undefined ? {} : { deckId: deck }),
      ...(since === undefined ? {} : { createdAt: { gte: since } }),
      deck: { deletingAt: null },
      ...afterCursor(cursor),
    };
    const rows = await db.analysis.findMany({ where, orderBy: newestFirst, take: limit + 1, include: withDeck });
    const page = pageOf(rows, limit);
    return c.json({ items: page.items.map(summaryOf), nextCursor: page.nextCursor }, 200);
  });

  routes.openapi(statusRoute, async (c) =>
    c.json(await loadStatus({ ...deps, log: c.get('log') }, c.get('tenantId'), c.req.valid('param').id), 200),
  );

  routes.openapi(cancelRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const row = await findAnalysis(db, tenantId, c.req.valid('param').id);
    if (row.status === 'cancelled') return c.json(summaryOf(row), 200);
    if (isFinished(row.status)) {
      throw new DeckhandError('conflict', `analysis ${row.id} is ${row.status}`, {
        userMessage: `This analysis is over (${row.status}).`,
      });
    }
    const reached = await cancelWorkflow(temporal, row.workflowId);
    if (!reached) {
      // There is no run: it was never started, or the server lost it.
      const finishedAt = new Date();
      const { count } = await db.analysis.updateMany({
        where: { id: row.id, status: { in: ['queued', 'running'] } },
        data: { status: 'cancelled', finishedAt, pausedAt: null },
      });
      if (count > 0) await countAnalysisEnd(db, row, 'cancelled', finishedAt);
      await db.modelCall.updateMany({
        where: { analysisId: row.id, state: 'planned' },
        data: { state: 'cancelled', finishedAt: new Date() },
      });
    }
    return c.json(summaryOf(await findAnalysis(db, tenantId, row.id)), 202);
  });
});
