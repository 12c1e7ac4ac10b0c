/** One diagnosis of an instance's GPU, over the queue of the gateway that is attached to it. */
import { proxyActivities } from '@temporalio/workflow';
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import { makeHostQueue } from '../../contracts/queues.ts';
import type { DiagnosisInput, HostDiagnosisActivities } from '../../contracts/diagnosis.ts';

export async function gpuDiagnosis({ instance }: DiagnosisInput): Promise<GpuDiagnosis> {
  // An operator waits for it and can ask again. If the queue is not polled, no gateway is attached and waiting longer does not help.
  const { diagnoseGpu } = proxyActivities<HostDiagnosisActivities>({
    taskQueue: makeHostQueue(instance),
    scheduleToStartTimeout: '20s',
    startToCloseTimeout: '4m',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
  });
  return diagnoseGpu();
}
