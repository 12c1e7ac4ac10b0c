/**
 * A real sshd on a loopback port: own configuration, host key, accepted keys; its commands go to a stand-in for the machine's shell.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import { until } from '../../testing/until.ts';

const SSHD = '/usr/sbin/sshd';

/** An SSH server as a machine's own. */
export interface TestSshd {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Base64 SHA-256 of its host key, without padding. */
  hostKeySha256(): string;
  /** Accepts these keys only. */
  accept(...publicKeys: string[]): void;
  /** Commands that were run on the machine, one line each. */
  commands(): string[];
  /** Has every later command end with this status. */
  endCommandsWith(exitCode: number): void;
  /** Puts a program on the machine. From then on commands are really run, with the machine's own programs found first. */
  install(name: string, script: string): void;
  /** What it wrote to its log. */
  log(): string;
  start(): Promise<void>;
  /** Ends it and every session at once. */
  kill(): Promise<void>;
  /** As after a disk was lost: it will be known by another key. */
  makeNewHostKey(): void;
  remove(): Promise<void>;
}

/** @param permitOpen port of this machine's loopback that may be reached through it */
export async function makeSshd(permitOpen: number, extra: readonly string[] = []): Promise<TestSshd> {
  const dir = mkdtempSync(path.join(tmpdir(), 'deckhand-sshd-'));
  const file = (name: string): string => path.join(dir, name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  const port = await getPort({ host: '127.0.0.1' });
  const { username, uid } = userInfo();
  // As root it gives up its rights into this directory, which a machine without a running sshd does not have.
  if (uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const makeNewHostKey = (): void => {
    rmSync(file('host_key'), { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('host_key')]);
  };
  makeNewHostKey();
  writeFileSync(file('accepted_keys'), '');
  writeFileSync(file('commands'), '');
  writeFileSync(file('status'), '0');
  writeFileSync(file('log'), '');
  writeFileSync(
    file('shell'),
    `#!/bin/sh
printf '%s\\n' "$SSH_ORIGINAL_COMMAND" >>${file('commands')}
if [ -d ${file('bin')} ]; then PATH=${file('bin')}:/usr/bin:/bin exec sh -c "$SSH_ORIGINAL_COMMAND"; fi
echo said
exit "$(cat ${file('status')})"
`,
    { mode: 0o755 },
  );
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host_key')}`,
    `PidFile ${file('pid')}`,
    `AuthorizedKeysFile ${file('accepted_keys')}`,
    `ForceCommand ${file('shell')}`,
    // A shell that is not the outermost one leaves the developer's own start-up files alone.
    'SetEnv SHLVL=5',
    // The directory is in /tmp, which every user may write to.
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'AllowTcpForwarding local',
    `PermitOpen 127.0.0.1:${permitOpen}`,
    'LogLevel VERBOSE',
    ...extra,
  ];
  writeFileSync(file('config'), `${lines.join('\n')}\n`);

  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running?.pid === undefined) return;
    // Sessions are processes of their own that outlive their server.
    for (const pid of [...descendants(running.pid), running.pid]) end(pid);
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  };
  return {
    host: '127.0.0.1',
    port,
    user: username,
    hostKeySha256: () => {
      const line = execFileSync('ssh-keygen', ['-l', '-E', 'sha256', '-f', file('host_key.pub')], { encoding: 'utf8' });
      return /SHA256:(\S+)/u.exec(line)?.[1] ?? '';
    },
    accept: (...publicKeys) => writeFileSync(file('accepted_keys'), `${publicKeys.join('\n')}\n`),
    commands: () =>
      read('commands')
        .split('\n')
        .filter((line) => line !== ''),
    endCommandsWith: (exitCode) => writeFileSync(file('status'), String(exitCode)),
    install: (name, script) => {
      mkdirSync(file('bin'), { recursive: true });
      writeFileSync(path.join(file('bin'), name), script, { mode: 0o755 });
    },
    log: () => read('log'),
    start: async () => {
      server = spawn(SSHD, ['-D', '-f', file('config'), '-E', file('log')], { stdio: 'ignore' });
      await until(() => answers(port)).is(Boolean);
    },
    kill,
    makeNewHostKey,
    remove: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A session may end by itself between being seen and being killed. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Processes below this one. */
function descendants(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const children = text
    .split(' ')
    .filter((part) => part !== '')
    .map(Number);
  return children.flatMap((child) => [...descendants(child), child]);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const answer = (there: boolean): void => {
      socket.destroy();
      resolve(there);
    };
    socket.once('data', () => answer(true));
    socket.once('error', () => answer(false));
  });
}
