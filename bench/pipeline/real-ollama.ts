/**
 * A 30-page deck on a real Ollama server with the tiny random-weight vision model: what our pipeline adds around a real server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import { startRealOllama, TINY_MODELS } from '../../tests/ollama/server.ts';
import { startRig } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

/** Window of the tiny models. */
const NUM_CTX = 8192;

/** Seconds from the upload to the last stored finding. */
export async function uploadToLastFindingOnRealOllama(pdf: Uint8Array): Promise<number> {
  const home = await mkdtemp(path.join(tmpdir(), 'deckhand-ollama-'));
  const ollama = await startRealOllama({ home });
  const rig = await startRig({ ollamaHost: ollama.host, models: 'ollama' });
  try {
    for (const task of MODEL_TASK_NAMES) {
      const modelName = MODEL_TASKS[task].gpuClass === 'gpu-visual' ? TINY_MODELS.vision : TINY_MODELS.text;
      await rig.db.modelConfiguration.updateMany({
        where: { profile: 'ollama', task },
        data: { modelName, numCtx: NUM_CTX, numPredict: 1024, pinnedDigest: null },
      });
    }
    // The gateway routes to a host only after it has proved its models; that is not what is measured.
    const unpinned = () => rig.db.modelConfiguration.count({ where: { profile: 'ollama', pinnedDigest: null } });
    await until(unpinned).is(0);
    const startedAtMs = performance.now();
    const deckId = await rig.upload(pdf, 'thirty.pdf');
    const report = await rig.review(deckId, { taskType: 'visual_analysis' });
    if (report.status !== 'completed' && report.status !== 'completed_with_gaps')
      throw new Error(`ended ${report.status}`);
    return (performance.now() - startedAtMs) / 1000;
  } finally {
    await rig.stop();
    await ollama.stop();
    await rm(home, { recursive: true, force: true });
  }
}
