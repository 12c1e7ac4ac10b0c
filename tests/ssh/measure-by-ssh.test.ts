/**
 * A machine measured over a real sshd: the command runs in a real shell, with programs that answer as a driver, a journal and a kernel do.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startGatewayRig, type AttachedInstance, type GatewayProcess } from '../integration/gateway/support.ts';
import { startReaderProcess, type ReaderProcess } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { makeSshd, type TestSshd } from './sshd.ts';
import { perFile } from '../../testing/per-file.ts';

const L4 = path.resolve(import.meta.dirname, '../fixtures/nvidia-smi/l4-555.xml');
const GPUS = 8;
/** As long as the list of clocks of a real GPU. */
const CLOCKS = 2000;

let gateway: GatewayProcess;
let reader: ReaderProcess;
let sshd: TestSshd;

const rig = perFile(startGatewayRig);
beforeEach(async () => {
  gateway = rig.startGateway();
  reader = await startReaderProcess(['--parallel', '16']);
  const modelPort = Number(new URL(reader.host).port);
  sshd = await makeSshd(modelPort);
  sshd.accept(rig.publicKey);
  sshd.install('journalctl', '#!/bin/sh\nexit 1\n');
  sshd.install('dmesg', '#!/bin/sh\necho "[    1.0] Linux version 6.8"\n');
  sshd.install('systemctl', '#!/bin/sh\nexit 0\n');
  sshd.install('nvidia-smi', `#!/bin/sh\ncat ${L4}\n`);
  await sshd.start();
});
afterEach(async () => {
  await rig.detachAll();
  await gateway.kill('SIGKILL');
  await sshd.remove();
  await reader.stop();
});

async function serving(name: string): Promise<AttachedInstance> {
  const modelPort = Number(new URL(reader.host).port);
  const endpoint = { kind: 'ssh', host: sshd.host, port: sshd.port, user: sshd.user, modelPort } as const;
  const instance = await rig.attach(name, { endpoint });
  await instance.serving((r) => r.state === 'serving');
  return instance;
}

it('a measurement over SSH reads driver, kernel log, disk and models of a machine in health', async () => {
  const instance = await serving('measured');
  const measured = await instance.measure();
  expect(measured).toMatchObject({
    gpus: [{ index: 0, name: 'NVIDIA L4', temperatureC: 45, slowdownMarginC: 41, xids: [], xidEvents: 0 }],
    gpuMessage: null,
    withoutShell: false,
  });
  expect(measured.models).toHaveLength(2);
  expect(measured.diskTotalBytes).toBeGreaterThan(measured.diskFreeBytes ?? Number.POSITIVE_INFINITY);
  expect(await instance.probe(20_000)).toMatchObject({ kind: 'answered' });

  const report = await rig.client.POST('/fleet/instances/{name}/diagnosis', { params: { path: { name: 'measured' } } });
  const found = new Map(report.findings.map((finding) => [finding.name, finding]));
  expect(found.get('driver')).toMatchObject({ level: 'ok', found: expect.stringContaining('555.42.06') as string });
  expect(found.get('GPU 0')?.found).toContain('NVIDIA L4, 22 GiB, compute capability 8.9');
  expect(found.get('GPU 0 persistence')).toMatchObject({ level: 'warn' });
  expect(found.get('generation')).toMatchObject({ level: 'ok' });
});

it('eight GPUs with all their clocks come through whole, and errors of the journal are joined to them', async () => {
  const gpu = /<gpu id=[\s\S]*<\/gpu>/u.exec(readFileSync(L4, 'utf8'))?.[0] ?? '';
  sshd.install(
    'nvidia-smi',
    `#!/bin/sh
echo '<nvidia_smi_log><driver_version>555.42.06</driver_version>'
for n in 0 1 2 3 4 5 6 7; do
  sed -e "s/00000000:01:00.0/00000000:0$n:00.0/g" -e 's/<.gpu>//' <<'END'
${gpu}
END
  yes '<supported_graphics_clock>2040 MHz</supported_graphics_clock>' | head -n ${CLOCKS}
  echo '</gpu>'
done
echo '</nvidia_smi_log>'
`,
  );
  sshd.install(
    'journalctl',
    `#!/bin/sh
echo 'NVRM: Xid (PCI:0000:03:00): 94, pid=12, name=ollama'
echo 'NVRM: Xid (PCI:0000:03:00): 94, pid=13, name=ollama'
echo 'NVRM: Xid (PCI:0000:07:00): 63, pid=14'
echo 'something else'
`,
  );
  const { gpus } = await (await serving('eight')).measure();
  expect(gpus).toHaveLength(GPUS);
  expect(gpus?.map((g) => g.xids)).toEqual([[], [], [], [94], [], [], [], [63]]);
  expect(gpus?.[3]?.xidEvents).toBe(2);
});

it('a lost GPU, a driver that fails and a machine that is away are three different things', async () => {
  const instance = await serving('failing');
  sshd.install(
    'nvidia-smi',
    "#!/bin/sh\necho 'Unable to determine the device handle for GPU0000:01:00.0: Unknown Error'\nexit 15\n",
  );
  expect(await instance.measure()).toMatchObject({ gpus: [{ xids: [79], temperatureC: null }], withoutShell: false });

  sshd.install(
    'nvidia-smi',
    "#!/bin/sh\necho 'Failed to initialize NVML: Driver/library version mismatch' >&2\nexit 18\n",
  );
  expect(await instance.measure()).toMatchObject({
    gpus: null,
    gpuMessage: 'Failed to initialize NVML: Driver/library version mismatch',
  });

  await sshd.kill();
  await instance.serving((r) => r.state === 'connecting');
  await expect(instance.measure()).rejects.toThrow();
  sshd.install('nvidia-smi', `#!/bin/sh\ncat ${L4}\n`);
  await sshd.start();
  const back = await until(() => instance.measure().catch((error: unknown) => String(error))).is(
    (measured) => typeof measured !== 'string',
  );
  expect(typeof back === 'string' ? back : back.gpus).toHaveLength(1);
});
