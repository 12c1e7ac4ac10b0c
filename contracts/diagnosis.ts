/** Contract to have the GPU of an instance diagnosed: names, ids, input. No workflow code. */
import type { GpuDiagnosis } from '../domain/health/gpu/diagnosis/finding.ts';

/** Workflow type of one diagnosis. */
export const DIAGNOSIS_WORKFLOW = 'gpuDiagnosis';
/** Workflow id of a requested diagnosis. */
export const makeDiagnosisWorkflowId = (instance: string, id: string): string => `diagnosis/${instance}/${id}`;

/** Input of {@link DIAGNOSIS_WORKFLOW}; it answers a {@link GpuDiagnosis}. */
export interface DiagnosisInput {
  readonly instance: string;
}

/** Activity on queue `host-<instance>` (makeHostQueue) that looks at everything there is; run by the gateway that is attached to it. */
export interface HostDiagnosisActivities {
  /** Asks driver, kernel, service and model server, and has a model generate where a slot is free. Changes nothing. */
  diagnoseGpu(): Promise<GpuDiagnosis>;
}
