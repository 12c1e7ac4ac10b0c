/** Stands in for the workflow of an instance: keeps it attached until told to drain, and collects what gateways report. */
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { GatewayActivities, HostActivities, ServeEnd } from '../../../../activities/gateway/activities.ts';
import type { HealthMeasurement, ProbeReading } from '../../../../domain/health/types.ts';
import type { HostHealthActivities } from '../../../../contracts/health.ts';
import { READINESS_SIGNAL, type ReadinessReport, type ServeInput } from '../../../../contracts/instance.ts';
import { GATEWAY_QUEUE, makeHostQueue } from '../../../../contracts/queues.ts';

export interface StandInState {
  readonly reports: readonly ReadinessReport[];
  /** Why the restart of the model server failed; `done` when it did not. */
  readonly restarts: readonly string[];
}

export async function attachedInstance(input: ServeInput): Promise<ServeEnd> {
  const gateway = proxyActivities<GatewayActivities>({
    taskQueue: GATEWAY_QUEUE,
    startToCloseTimeout: '30d',
    heartbeatTimeout: '5s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '200ms', maximumInterval: '1s' },
  });
  const host = proxyActivities<HostActivities & HostHealthActivities>({
    taskQueue: makeHostQueue(input.instance),
    startToCloseTimeout: '1m',
    scheduleToStartTimeout: '30s',
    retry: { maximumAttempts: 1 },
  });
  const reports: ReadinessReport[] = [];
  const restarts: string[] = [];
  let drain = false;
  setHandler(defineSignal<[ReadinessReport]>(READINESS_SIGNAL), (report) => {
    reports.push(report);
  });
  setHandler(defineSignal('drain'), () => {
    drain = true;
  });
  setHandler(defineSignal('restart'), async () => {
    try {
      await host.restartModelServer();
      restarts.push('done');
    } catch (error) {
      restarts.push(String((error as Error).cause));
    }
  });
  setHandler(defineUpdate<HealthMeasurement>('measure'), () => host.measureHealth());
  setHandler(defineUpdate<ProbeReading, [number]>('probe'), (timeoutMs) => host.probeHealth({ timeoutMs }));
  setHandler(defineQuery<StandInState>('standIn'), () => ({ reports, restarts }));

  const scope = new CancellationScope();
  const serving = scope.run(() => gateway.serveInstance(input));
  await Promise.race([condition(() => drain), serving]);
  scope.cancel();
  return serving;
}
