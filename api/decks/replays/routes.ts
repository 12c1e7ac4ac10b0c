/** Routes of replays: one analysis, or many by filter; each with a dry run. */
import { randomUUID } from 'node:crypto';
import type { z } from '@hono/zod-openapi';
import type { ReplayChoices } from '../../../domain/decks/replay/choices.ts';
import { summaryOf } from '../analyses/status.ts';
import { replayMany } from './bulk.ts';
import { gapItemsOf } from './items.ts';
import { modelsByTask, replayBodySchema, replayRoute, bulkRoute } from './schemas.ts';
import { planReplay, startReplay } from './start.ts';
import { group } from '../../http/routes.ts';

/** What both bodies choose, with the gap items that it is limited to. */
const choicesOf = (
  { kind, from, template, priority, models }: Omit<z.output<typeof replayBodySchema>, 'items' | 'dryRun'>,
  items: readonly string[],
): ReplayChoices => ({ kind, from, template, priority, models: modelsByTask(models), items });

/** The routes of replays. */
export const replayRoutes = group((deps, routes) => {
  const { db } = deps;

  routes.openapi(replayRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id: analysisId } = c.req.valid('param');
    // A body may be left out altogether; then every choice is the default.
    const given: Partial<z.input<typeof replayBodySchema>> | undefined = c.req.valid('json');
    const body = replayBodySchema.parse(given ?? {});
    const choices = choicesOf(body, await gapItemsOf(db, tenantId, analysisId, body.items));
    const request = { tenantId, analysisId, choices };
    if (body.dryRun) return c.json(await planReplay(deps, request, randomUUID()), 200);
    const idempotencyKey = c.req.valid('header')['idempotency-key'];
    const { analysis, created } = await startReplay({ ...deps, log: c.get('log') }, { ...request, idempotencyKey });
    return c.json(summaryOf(analysis), created ? 202 : 200);
  });

  routes.openapi(bulkRoute, async (c) => {
    const { status, since, deck, limit, again, dryRun, ...choices } = c.req.valid('json');
    const batch = await replayMany(
      { ...deps, log: c.get('log') },
      {
        tenantId: c.get('tenantId'),
        filter: { status, since, deck },
        limit,
        again,
        dryRun,
        choices: choicesOf(choices, []),
      },
    );
    return c.json(batch, 200);
  });
});
