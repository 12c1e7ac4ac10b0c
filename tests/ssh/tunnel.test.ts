/**
 * The way to a machine through a real sshd, with the built-in reader behind it.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHostActivities } from '../../activities/gateway/host-activities.ts';
import type { HostKeyPin } from '../../activities/gateway/host-key-pin.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { CONTACT_COMMAND } from '../../domain/fleet/startup-script/startup-script.ts';
import { createLogger } from '../../platform/log.ts';
import { SshMachine } from '../../workers/gateway/tunnel/ssh-machine.ts';
import { startReaderProcess } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { makeSshd, type TestSshd } from './sshd.ts';
import { folderPerFile, perFile } from '../../testing/per-file.ts';

const never = new AbortController().signal;
const log = createLogger('ssh-test', { logLevel: 'silent' });
const home = folderPerFile();
const key = installationKey(home, 'fund');

let sshd: TestSshd;
const machines: SshMachine[] = [];

const reader = perFile(startReaderProcess);
beforeEach(async () => {
  sshd = await makeSshd(readerPort());
  sshd.accept(key.publicKey);
  await sshd.start();
});
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.close();
  await sshd.remove();
});

const readerPort = (): number => Number(new URL(reader.host).port);

/** A pin as the database keeps it. */
function pinOf(first: string | null = null): HostKeyPin {
  let pinned = first;
  return {
    known: () => Promise.resolve(pinned),
    pin: (sha256) => Promise.resolve((pinned ??= sha256)),
  };
}

async function machineWith(
  options: { privateKey?: string; pin?: HostKeyPin; modelPort?: number; port?: number } = {},
): Promise<SshMachine> {
  const machine = await SshMachine.create({
    target: {
      host: sshd.host,
      port: options.port ?? sshd.port,
      user: sshd.user,
      privateKey: options.privateKey ?? key.privateKey,
    },
    pin: options.pin ?? pinOf(),
    log,
    modelPort: options.modelPort ?? readerPort(),
  });
  machines.push(machine);
  return machine;
}

const version = async (machine: SshMachine): Promise<unknown> => (await fetch(`${machine.url}/api/version`)).json();

it('a tunnel shows the model server on our own loopback, and the host key is pinned', async () => {
  const pin = pinOf();
  const machine = await machineWith({ pin });
  expect(await machine.open(never)).toEqual({ open: true });
  expect(machine.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  expect(await version(machine)).toHaveProperty('version');
  expect(await pin.known()).toBe(sshd.hostKeySha256());
  expect(await machine.open(never)).toEqual({ open: true });
});

it('many requests go through a tunnel at once', async () => {
  const machine = await machineWith();
  await machine.open(never);
  const answers = await Promise.all(Array.from({ length: 40 }, () => version(machine)));
  expect(new Set(answers.map((a) => JSON.stringify(a))).size).toBe(1);
});

it('a request that is dropped here is dropped at the model server', async () => {
  await reader.script({ rules: [{ fault: { wedge: true } }] });
  const machine = await machineWith();
  await machine.open(never);
  const before = (await reader.stats()).cancelled;
  const drop = new AbortController();
  const body = JSON.stringify({ model: 'reader-text:1', messages: [{ role: 'user', content: 'hello' }] });
  const call = fetch(`${machine.url}/api/chat`, { method: 'POST', body, signal: drop.signal });
  await until(() => reader.stats()).is((s) => s.open === 1);
  drop.abort();
  await expect(call).rejects.toThrow();
  await until(() => reader.stats()).is((s) => s.open === 0 && s.cancelled === before + 1);
  await reader.script({});
});

it('a machine known by another key is refused before anything is said to it', async () => {
  const pin = pinOf();
  const first = await machineWith({ pin });
  await first.open(never);
  await first.close();
  await sshd.kill();
  sshd.makeNewHostKey();
  await sshd.start();

  const again = await machineWith({ pin });
  const said = sshd.log().length;
  const result = await again.open(never);
  expect(result).toMatchObject({ open: false, failure: 'host_key_changed' });
  expect(result).toHaveProperty('message', expect.stringContaining(sshd.hostKeySha256()));
  expect(sshd.log().slice(said)).not.toMatch(/Accepted|publickey/u);
  await expect(version(again)).rejects.toThrow();
});

it('the key pinned by another gateway meanwhile counts', async () => {
  const machine = await machineWith({
    pin: { known: () => Promise.resolve(null), pin: () => Promise.resolve('another') },
  });
  expect(await machine.open(never)).toMatchObject({ open: false, failure: 'host_key_changed' });
});

it('a machine that does not accept our key is said to be not reachable, and why', async () => {
  const stranger = installationKey(home, 'stranger');
  const pin = pinOf();
  const machine = await machineWith({ privateKey: stranger.privateKey, pin });
  const result = await machine.open(never);
  expect(result).toMatchObject({ open: false, failure: 'unreachable' });
  expect(result).toHaveProperty('message', expect.stringContaining('does not accept the key'));
  // Such a machine is not set up yet, or is none of ours: its host key is not to be trusted later.
  expect(await pin.known()).toBeNull();
});

it('a machine that is not there yet is reached once it is', async () => {
  await sshd.kill();
  const machine = await machineWith();
  expect(await machine.open(never)).toMatchObject({ open: false, failure: 'unreachable' });
  await sshd.start();
  expect(await machine.open(never)).toEqual({ open: true });
  expect(await version(machine)).toHaveProperty('version');
});

it('an attempt to connect can be given up', async () => {
  const stop = new AbortController();
  const machine = await machineWith();
  stop.abort(new Error('given up'));
  await expect(machine.open(stop.signal)).rejects.toThrow('given up');
});

it('an sshd that is killed is noticed, cuts what went through it, and is reached again under the same URL', async () => {
  await reader.script({ rules: [{ match: { nth: 1 }, fault: { wedge: true } }] });
  const machine = await machineWith();
  await machine.open(never);
  const { url } = machine;
  const lost = new Promise<void>((resolve) => void machine.onLost(resolve));
  const body = JSON.stringify({ model: 'reader-text:1', messages: [{ role: 'user', content: 'hello' }] });
  const call = fetch(`${url}/api/chat`, { method: 'POST', body });
  const ended = call.then(
    () => 'answered',
    () => 'cut',
  );
  await until(() => reader.stats()).is((s) => s.open === 1);
  await sshd.kill();
  await lost;
  expect(await ended).toBe('cut');
  await expect(version(machine)).rejects.toThrow();

  await sshd.start();
  expect(await machine.open(never)).toEqual({ open: true });
  expect(machine.url).toBe(url);
  expect(await version(machine)).toHaveProperty('version');
  await reader.script({});
});

it('a tunnel needs of the machine one forward and nothing else', async () => {
  await sshd.remove();
  sshd = await makeSshd(readerPort(), [
    'PermitTTY no',
    'AllowAgentForwarding no',
    'X11Forwarding no',
    'PermitTunnel no',
  ]);
  sshd.accept(`restrict,port-forwarding,permitopen="127.0.0.1:${readerPort()}" ${key.publicKey}`);
  await sshd.start();
  const machine = await machineWith();
  expect(await machine.open(never)).toEqual({ open: true });
  expect(await version(machine)).toHaveProperty('version');
});

it('what the machine does not permit to be reached looks like a server that hangs up', async () => {
  const machine = await machineWith({ modelPort: sshd.port });
  expect(await machine.open(never)).toEqual({ open: true });
  await expect(version(machine)).rejects.toThrow();
  await expect(version(machine)).rejects.toThrow();
});

it('a tunnel is in touch with the machine from the first moment', async () => {
  const machine = await machineWith();
  await machine.open(never);
  expect(await until(() => sshd.commands()).is((c) => c.length > 0)).toEqual([CONTACT_COMMAND]);
});

it('a tunnel runs commands and brings their result back', async () => {
  const machine = await machineWith();
  await expect(machine.shell.run('nvidia-smi -L', never)).rejects.toThrow('no connection');
  await machine.open(never);
  expect(await machine.shell.run('nvidia-smi -L', never)).toEqual({ exitCode: 0, output: 'said\n' });
  sshd.endCommandsWith(9);
  expect(await machine.shell.run('nvidia-smi -L', never)).toMatchObject({ exitCode: 9 });
});

it('host activities restart the model server and reboot the machine', async () => {
  const machine = await machineWith();
  await machine.open(never);
  let touched = 0;
  const activities = createHostActivities({
    instance: 'gpu-1',
    machine,
    cutCalls: () => Promise.resolve(),
    onTouched: () => (touched += 1),
  });
  const restart = (): Promise<void> => new MockActivityEnvironment().run(() => activities.restartModelServer());
  await restart();
  expect(sshd.commands()).toContain('systemctl restart ollama');
  await new MockActivityEnvironment().run(() => activities.rebootMachine());
  expect(sshd.commands().some((command) => command.includes('systemctl reboot'))).toBe(true);
  expect(touched).toBe(2);

  sshd.endCommandsWith(5);
  await expect(restart()).rejects.toThrow('ended with 5');
  expect(touched).toBe(2);
});
