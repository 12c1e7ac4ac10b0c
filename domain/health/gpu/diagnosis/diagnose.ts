/**
 * What a diagnosis makes of its facts: one finding per thing looked at, with what to do where something is to be done.
 */
import { driverFindings } from './driver-findings.ts';
import { engineFits } from './engine-fit.ts';
import type { DiagnosisFacts } from './facts.ts';
import { FINDING_AREAS, type GpuDiagnosis } from './finding.ts';
import { gpuFindings } from './gpu-findings.ts';
import { modelFindings } from './model-findings.ts';
import { serverFindings } from './server-findings.ts';

/** The report, in the order of its areas. */
export function diagnose(facts: DiagnosisFacts): GpuDiagnosis {
  const findings = [
    ...driverFindings(facts),
    ...gpuFindings(facts),
    ...serverFindings(facts),
    ...modelFindings(facts),
  ].toSorted((a, b) => FINDING_AREAS.indexOf(a.area) - FINDING_AREAS.indexOf(b.area));
  const level = (['fail', 'warn'] as const).find((one) => findings.some((finding) => finding.level === one)) ?? 'ok';
  return { target: facts.target, atMs: facts.atMs, level, findings, engines: engineFits(facts) };
}
