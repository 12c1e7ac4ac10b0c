/**
 * Two versions side by side: a deck ends on the version it began with, a new one begins on the current version, and pools move over.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { serviceEnvironment } from '../../../runtime/services.ts';
import { DEPLOYMENT_NAME } from '../../../workers/support/worker-version.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import { makePoolWorkflowId } from '../../../contracts/pool.ts';
import { plainDeck } from '../../../testing/plain-deck.ts';
import { rigPerFile } from '../../../testing/rig.ts';
import { until } from '../../../testing/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const POOL = 'static';

let second: ChildProcess | undefined;
const rig = rigPerFile({ environment: { DECKHAND_BUILD_ID: 'v1' } });
afterAll(async () => {
  if (second !== undefined && second.exitCode === null && second.signalCode === null) {
    second.kill('SIGTERM');
    await once(second, 'exit');
  }
});

/** Makes a version current as soon as its worker has shown itself. */
async function makeCurrent(buildId: string): Promise<void> {
  await until(async () => {
    try {
      await rig.temporal.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: rig.runtime.temporalNamespace,
        deploymentName: DEPLOYMENT_NAME,
        buildId,
        identity: 'test',
      });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }).is(null);
}

/** Version that took the last task of a workflow. */
async function versionOf(workflowId: string): Promise<string | null> {
  const { raw } = await rig.temporal.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? null;
}

it('a deck ends on its version, the next begins on the current one, the pool moves over', async () => {
  await makeCurrent('v1');
  const first = await rig.client.startAnalysis(await rig.upload(await plainDeck('Before'), 'before.pdf'));
  // Held, so that it is under way for as long as the rest takes.
  await rig.client.POST('/analyses/{id}/pause', { params: { path: { id: first.analysisId } } });
  await until(() => rig.client.GET('/analyses/{id}', { params: { path: { id: first.analysisId } } })).is(
    ({ pausedAt }) => pausedAt !== null,
  );
  expect(await versionOf(makeDeckWorkflowId(first.analysisId))).toBe('v1');

  const { databaseUrl, temporalAddress, modelHost } = rig.runtime;
  const environment = serviceEnvironment(rig.config, 'reader', { databaseUrl, temporalAddress, modelHost });
  second = spawn(process.execPath, [path.join(ROOT, 'workers/control.ts')], {
    cwd: ROOT,
    env: { ...environment, DECKHAND_BUILD_ID: 'v2' },
    stdio: 'ignore',
  });
  await makeCurrent('v2');
  await until(() => versionOf(makePoolWorkflowId(POOL))).is('v2');

  const next = await rig.review(await rig.upload(await plainDeck('After'), 'after.pdf'));
  expect(next.status).toBe('completed');
  expect(await versionOf(makeDeckWorkflowId(next.analysisId))).toBe('v2');

  await rig.client.POST('/analyses/{id}/resume', { params: { path: { id: first.analysisId } } });
  await until(() => rig.client.GET('/analyses/{id}', { params: { path: { id: first.analysisId } } })).is(
    ({ status }) => status === 'completed',
  );
  expect(await versionOf(makeDeckWorkflowId(first.analysisId))).toBe('v1');
});
