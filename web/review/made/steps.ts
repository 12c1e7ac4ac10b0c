/** The calls of a run, those alike in one line. Pure. */
import { provenancesOf } from '../../../domain/decks/provenance.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';

/** Calls of one task by the same model with the same prompt on the same host. */
export interface Step {
  readonly key: string;
  readonly task: string;
  readonly model: string;
  readonly modelDigest: string;
  readonly promptVersion: number;
  readonly host: string;
  readonly calls: number;
  /** Of all calls together. */
  readonly durationMs: number;
  /** Of the last one. */
  readonly computedAt: string;
}

/** The steps in the order in which their first calls stand in the report. */
export function stepsOf(report: AnalysisReport): Step[] {
  const steps = new Map<string, Step>();
  for (const { task, model, modelDigest, promptVersion, host, durationMs, computedAt } of provenancesOf(report)) {
    const key = [task, model, modelDigest, promptVersion, host].join(' ');
    const before = steps.get(key);
    steps.set(key, {
      key,
      task,
      model,
      modelDigest,
      promptVersion,
      host,
      calls: (before?.calls ?? 0) + 1,
      durationMs: (before?.durationMs ?? 0) + durationMs,
      computedAt: before === undefined || before.computedAt < computedAt ? computedAt : before.computedAt,
    });
  }
  return [...steps.values()];
}
