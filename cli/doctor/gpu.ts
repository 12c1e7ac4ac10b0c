/**
 * `deckhand doctor --gpu`: the report on one GPU, of this machine or of an instance. Ends with 1 when something fails.
 */
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import type { Config } from '../../platform/config.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import { createProgress } from '../progress.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { styleOfStdout } from '../terminal-style.ts';
import { renderDiagnosis } from './gpu-report.ts';

/** Where no running Deckhand is needed. */
const LOCAL = 'local';
const FAILED = 1;
const PIPE_WIDTH = 120;

/** See the file's header. @param target `local`, or an instance @throws DeckhandError of the API where an instance cannot be looked into */
export async function examineGpu(
  config: Config,
  target: string,
  options: { readonly json: boolean; readonly generation: boolean },
): Promise<void> {
  const signal = endOnSignal();
  const progress = createProgress();
  let report: GpuDiagnosis;
  try {
    progress.update(`Looking into the GPU of ${target === LOCAL ? 'this machine' : target}`);
    if (target === LOCAL) {
      const { diagnoseLocally } = await import('./gpu-local.ts');
      report = await diagnoseLocally(config, { generation: options.generation, signal });
    } else report = await clientOf(config, runningApiUrl(config)).diagnose(target, signal);
  } finally {
    progress.end();
  }
  console.log(options.json ? JSON.stringify(report, null, 2) : renderDiagnosis(report, styleOfStdout(PIPE_WIDTH)));
  if (report.level === 'fail') process.exitCode = FAILED;
}
