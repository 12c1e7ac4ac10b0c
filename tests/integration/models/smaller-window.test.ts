/** A server that gives a model a smaller window than is asked for. */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { startReader } from '../../../simulators/ollama/server.ts';

const MODEL = 'reader-text:1';
const context = { signal: new AbortController().signal };

it('a model with a smaller window than was asked for counts as loaded, so that it is not loaded again', async () => {
  const reader = await startReader({ loadMs: 0, script: { windowTokens: 4096 } });
  try {
    const asked = { numCtx: 16_384, loadTimeoutMs: 20_000 };
    expect(
      await openModelServer({ kind: 'ollama', url: reader.host }).findLoaded(MODEL, asked.numCtx, context),
    ).toBeNull();
    await openModelServer({ kind: 'ollama', url: reader.host }).load(MODEL, asked, context);
    expect(
      await openModelServer({ kind: 'ollama', url: reader.host }).findLoaded(MODEL, asked.numCtx, context),
    ).toMatchObject({
      windowTokens: 4096,
    });
    expect(await openModelServer({ kind: 'ollama', url: reader.host }).findLoaded(MODEL, 8192, context)).toBeNull();
    expect(reader.control.stats().loads).toBe(1);

    // It gives what is asked for again: the window of before does not count any more.
    reader.control.setScript({});
    await openModelServer({ kind: 'ollama', url: reader.host }).load(MODEL, { ...asked, numCtx: 8192 }, context);
    await openModelServer({ kind: 'ollama', url: reader.host }).load(MODEL, asked, context);
    expect(
      await openModelServer({ kind: 'ollama', url: reader.host }).findLoaded(MODEL, asked.numCtx, context),
    ).toMatchObject({
      windowTokens: 16_384,
    });
    await openModelServer({ kind: 'ollama', url: reader.host }).load(MODEL, { ...asked, numCtx: 4096 }, context);
    expect(
      await openModelServer({ kind: 'ollama', url: reader.host }).findLoaded(MODEL, asked.numCtx, context),
    ).toBeNull();
  } finally {
    await reader.stop();
  }
});
