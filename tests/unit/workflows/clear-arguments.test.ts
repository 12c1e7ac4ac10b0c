/** Arguments in clear and the histories that hold them: what began before encryption was switched on replays, what began later is refused. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLEAR_MARK, clearMark, refusesClear } from '../../../domain/temporal/clear-payload.ts';
import { loadConfig, REPOSITORY_DIR } from '../../../platform/config.ts';
import { workflowDataConverter } from '../../../platform/temporal/data-converter.ts';
import { encryptedSinceMs, encryptedSincePath } from '../../../platform/temporal/encrypted-since.ts';
import { workflowBundle } from '../../../workers/support/workflow-bundle.ts';
import { readHistory } from '../../histories/files.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const quiet = { warn: () => undefined };
const directory = folderPerFile();
let bundle: { readonly codePath: string };
beforeAll(async () => {
  bundle = await workflowBundle(REPOSITORY_DIR, loadConfig().cacheDir, {});
});

/** Whether a recorded run, whose payloads and signals are in clear, replays on a worker that takes nothing in clear since then. */
async function replays(sinceMs: number | null): Promise<boolean> {
  const config = { home: directory, encryption: 'off', payloadKeys: undefined } as const;
  const options = { workflowBundle: bundle, dataConverter: workflowDataConverter(config, sinceMs) };
  const histories = [{ workflowId: 'steered', history: readHistory('deck-steered') }];
  for await (const { error } of Worker.runReplayHistories(options, histories)) return error === undefined;
  throw new Error('nothing was replayed');
}

describe('a run whose arguments and signals are in clear', () => {
  it('replays when it began before encryption was switched on, or where that is off', async () => {
    expect(await replays(Date.now())).toBe(true);
    expect(await replays(null)).toBe(true);
  });

  it('is refused when it began later', async () => expect(await replays(0)).toBe(false));
});

describe('the mark of a payload in clear', () => {
  it('refuses runs from its time on, and none where encryption is off', () => {
    expect(refusesClear(clearMark(1000), 1000)).toBe(true);
    expect(refusesClear(clearMark(1000), 999)).toBe(false);
    expect(refusesClear(clearMark(null), 1000)).toBe(false);
  });

  it('is put on what came in clear and on nothing that was encrypted', async () => {
    const config = { home: directory, encryption: 'on', payloadKeys: undefined } as const;
    const [codec] = workflowDataConverter(config, 7).payloadCodecs ?? [];
    const clear = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') };
    const [encrypted = clear] = (await codec?.encode([clear])) ?? [];
    const [back] = (await codec?.decode([encrypted])) ?? [];
    expect(Object.keys(back?.metadata ?? {})).toEqual(['encoding']);
    const [passed] = (await codec?.decode([clear])) ?? [];
    expect(Buffer.from(passed?.metadata?.[CLEAR_MARK] ?? []).toString()).toBe('7');
  });
});

describe('the record since when nothing comes in clear', () => {
  it('is made once, kept over starts, and made anew when encryption was off meanwhile', () => {
    const home = path.join(directory, 'recorded');
    const since = (encryption: 'on' | 'off', atMs: number): number | null =>
      encryptedSinceMs({ home, encryption }, quiet, new Date(atMs));
    expect(since('on', 1000)).toBe(1000);
    expect(since('on', 2000)).toBe(1000);
    expect(JSON.parse(readFileSync(encryptedSincePath(home), 'utf8'))).toEqual({
      encryptedSince: '1970-01-01T00:00:01.000Z',
    });
    expect(since('off', 3000)).toBeNull();
    expect(since('on', 4000)).toBe(4000);
  });
});
