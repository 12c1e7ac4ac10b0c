/** The reaper on demand: finds resources without an owner at the provider, and removes them. */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../domain/errors.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { makeReapWorkflowId, REAPER_WORKFLOW, type ReapReport, type ReapRoundInput } from '../../contracts/reaper.ts';
import { workflowFailure } from '../http/workflow-failure.ts';
import { group } from '../http/routes.ts';
import { reapReportSchema, reapRoute } from './reap-schemas.ts';

/** A round asks for a few lists; longer means that the provider or the control worker is away. */
const ROUND_LIMIT = '3m';

/** The route of the reaper. */
export const reapRoutes = group(({ temporal, config }, routes) => {
  routes.openapi(reapRoute, async (c) => {
    if (loadFleet(config).provider === 'static') {
      throw new DeckhandError('usage', 'the fleet is static', {
        userMessage: 'This fleet rents no machines, so there is nothing to reap.',
        hint: 'Set "provider" in the fleet file.',
      });
    }
    const input: ReapRoundInput = { dryRun: c.req.valid('query').dryRun === 'true' };
    const report = await temporal.workflow
      .execute<(input: ReapRoundInput) => Promise<ReapReport>>(REAPER_WORKFLOW, {
        workflowId: makeReapWorkflowId(randomUUID()),
        taskQueue: CONTROL_QUEUE,
        workflowExecutionTimeout: ROUND_LIMIT,
        args: [input],
        staticSummary: `A requested round${input.dryRun ? ' (dry run)' : ''}`,
      })
      .catch((error: unknown) => {
        throw workflowFailure(error, {
          what: 'the round of the reaper',
          lateMessage: 'The round of the reaper did not end in time.',
          lateHint:
            'Check with `./deckhand doctor` that the control process runs and with `./deckhand credentials test` that the provider answers.',
        });
      });
    return c.json(reapReportSchema.parse(report), 200);
  });
});
