/**
 * The unit of `deckhand watch --systemd`: what it says, and that systemd itself understands it where it is installed.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemdUnit } from '../../../domain/drop-folder/systemd-unit.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const input = {
  dropDir: '/mnt/drop folder 100%',
  roots: ['/srv/decks'],
  command: [process.execPath, '/opt/deckhand/drop-folder/main.ts', '/mnt/drop folder 100%', '--root', '/srv/$HOME "x"'],
  environment: { DECKHAND_API_URL: 'https://deckhand.example:8420' },
  environmentFile: '/etc/deckhand/watch.env',
  user: 'deckhand',
  documentation: 'file:/opt/deckhand/docs/drop-folder.md',
};

it('restarts after failures, waits for the mounts, takes the key from a file, and may write to the drop folder alone', () => {
  const lines = systemdUnit(input).split('\n');
  for (const line of [
    'RequiresMountsFor="/mnt/drop folder 100%%" /srv/decks',
    'ReadWritePaths="/mnt/drop folder 100%%"',
    `ExecStart=${process.execPath} /opt/deckhand/drop-folder/main.ts "/mnt/drop folder 100%%" --root "/srv/$$HOME \\"x\\""`,
    'Environment=DECKHAND_API_URL=https://deckhand.example:8420',
    'EnvironmentFile=-/etc/deckhand/watch.env',
    'Restart=on-failure',
    'StartLimitIntervalSec=0',
    'User=deckhand',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=',
    'WantedBy=multi-user.target',
  ])
    expect(lines).toContain(line);
  // V8 writes code while it runs: with this setting no Node starts.
  expect(lines.filter((line) => line.startsWith('MemoryDenyWriteExecute'))).toEqual([]);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.runIf(hasSystemd)('systemd-analyze finds nothing wrong with it', () => {
  const folder = folderPerTest();
  const unit = path.join(folder, 'deckhand-watch.service');
  writeFileSync(unit, systemdUnit(input));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  // What it says of other units of this machine is not ours.
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('deckhand-watch'));
  expect(ours).toEqual([]);
  expect(status, stderr).toBe(0);
});
