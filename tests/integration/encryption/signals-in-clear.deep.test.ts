/** Signals that come in clear do nothing, not even when the run is replayed by another process, while encrypted ones do. */
import { Client, Connection } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { PAUSE_SIGNAL, PRIORITY_SIGNAL } from '../../../contracts/decks.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import { perFile } from '../../../testing/per-file.ts';
import { plainDeck } from '../../../testing/plain-deck.ts';
import { startRig } from '../../../testing/rig.ts';
import { until } from '../../../testing/until.ts';

const rig = perFile(startRig);

it('signals in clear do nothing, not even when the run is replayed, and encrypted ones do', async () => {
  const deckId = await rig.upload(await plainDeck('Pulsara'), 'pulsara.pdf');
  const { temporalAddress: address, temporalNamespace: namespace } = rig.runtime;
  // It knows no key: it sends in clear.
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const stranger = new Client({ connection, namespace });
  await rig.reader?.script({ callSeconds: 0.3 });
  const { analysisId, workflowId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  await until(() => rig.analysis(analysisId)).is(({ progress }) => progress.slides.done > 0);
  const run = stranger.workflow.getHandle(workflowId);
  await run.signal(PAUSE_SIGNAL, { by: 'stranger' });
  await run.signal(PRIORITY_SIGNAL, { priority: 5, by: 'stranger' });
  // The marker is in the history once the refusal is.
  await until(async () => (await run.fetchHistory()).events ?? []).is(
    (events) => events.filter((event) => event.markerRecordedEventAttributes).length >= 2,
  );
  expect(await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } })).toMatchObject({ pausedAt: null });
  process.kill(await rig.pidOf('control'), 'SIGKILL');
  await rig.client.POST('/analyses/{id}/priority', { params: { path: { id: analysisId } }, body: { priority: 1 } });
  await rig.reader?.script({});
  await until(() => rig.analysis(analysisId)).is((status) => isFinished(status.status));
  const { priority, status } = await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  expect({ priority, status }).toEqual({ priority: 1, status: 'completed' });
  const { events } = await run.fetchHistory();
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes?.failure)).toEqual([]);
});
