/**
 * An instance served through a real sshd, with real Temporal and Postgres: lost and found again, known by its host key, repaired.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServeEndpoint } from '../../contracts/instance.ts';
import { startGatewayRig, type GatewayProcess } from '../integration/gateway/support.ts';
import { startReaderProcess, type ReaderProcess } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { makeSshd, type TestSshd } from './sshd.ts';
import { perFile } from '../../testing/per-file.ts';

let gateway: GatewayProcess;
let reader: ReaderProcess;
let sshd: TestSshd;
let endpoint: ServeEndpoint;

const rig = perFile(startGatewayRig);
beforeEach(async () => {
  reader = await startReaderProcess(['--parallel', '16', '--call-seconds', '0.3']);
  const modelPort = Number(new URL(reader.host).port);
  sshd = await makeSshd(modelPort);
  sshd.accept(rig.publicKey);
  await sshd.start();
  endpoint = { kind: 'ssh', host: sshd.host, port: sshd.port, user: sshd.user, modelPort };
  gateway = rig.startGateway();
});
afterEach(async () => {
  await rig.detachAll();
  await gateway.kill('SIGKILL');
  await sshd.remove();
  await reader.stop();
});

const pinned = async (name: string): Promise<string | null> =>
  (await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } })).hostKeySha256;

it('a gateway serves a deck over SSH, also when the connection breaks meanwhile', async () => {
  const instance = await rig.attach('tunnelled', { endpoint });
  await instance.serving((r) => r.state === 'serving');
  expect(await pinned('tunnelled')).toBe(sshd.hostKeySha256());

  const review = rig.review(await rig.deck('Tunnel', 8), { taskType: 'visual_analysis' });
  await until(() => reader.stats()).is((s) => (s.callsByTask['describe_slide'] ?? 0) >= 2);
  await sshd.kill();
  await instance.serving((r) => r.state === 'connecting');
  await sshd.start();
  expect(await review).toMatchObject({ status: 'completed', gaps: [] });
  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: 0 });
  expect(sshd.log()).toContain('Accepted publickey');
});

it('a machine that wakes under another host key is refused and reported', async () => {
  const first = await rig.attach('woken', { endpoint });
  await first.serving((r) => r.state === 'serving');
  await first.drain();
  const known = sshd.hostKeySha256();
  await sshd.kill();
  sshd.makeNewHostKey();
  await sshd.start();

  const again = await rig.attach('woken', { endpoint, attachment: 8 });
  expect(await again.report((r) => r.kind === 'failed')).toMatchObject({ failure: 'host_key_changed', attachment: 8 });
  expect((await again.row())?.state).toBe('connecting');
  expect(await pinned('woken')).toBe(known);
});

it('a model on the CPU is told apart from a missing GPU, and a restart of the model server is tried at once', async () => {
  await reader.script({ rules: [{ match: { task: 'plain' }, fault: { cpuFallback: true, tokensPerSecond: 1000 } }] });
  const instance = await rig.attach('repaired', { endpoint });
  await instance.report((r) => r.kind === 'failed' && r.failure === 'cpu_only');
  expect(sshd.commands()).toContain('nvidia-smi -L');

  await instance.handle.signal('restart');
  const { restarts } = await until(() => instance.standIn()).is(
    (seen) => seen.reports.filter((r) => r.kind === 'failed').length === 2 && seen.restarts.length > 0,
  );
  expect(restarts).toEqual(['done']);
  expect(sshd.commands()).toContain('systemctl restart ollama');
  sshd.endCommandsWith(9);
  await instance.report((r) => r.kind === 'failed' && r.failure === 'no_gpu');

  sshd.endCommandsWith(0);
  await fetch(`${reader.host}/_control/script`, { method: 'POST', body: '{}' });
  for (const model of ['reader-text:1', 'reader-vision:1']) {
    // What runs on the CPU stays there until it is loaded anew, as after a restart.
    await fetch(`${reader.host}/api/generate`, { method: 'POST', body: JSON.stringify({ model, keep_alive: 0 }) });
  }
  await instance.report((r) => r.kind === 'proved');
  await instance.drain();
});
