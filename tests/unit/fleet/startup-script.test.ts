/** The startup script as text and, where that has no effect on this machine, as a program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTACT_COMMAND, startupScript } from '../../../domain/fleet/startup-script/startup-script.ts';
import { deadManScript } from '../../../domain/fleet/startup-script/dead-man.ts';
import { modelsScript } from '../../../domain/fleet/startup-script/models.ts';
import { forAll } from '../../../testing/property.ts';
import { folderPerFile } from '../../../testing/per-file.ts';
import { KEY, startupOptions } from './startup-options.ts';

const dir = folderPerFile();

/** Every file the script writes, by path. */
function filesOf(script: string): Map<string, string> {
  const found = script.matchAll(
    /install_file (\S+) \d+ <<'DECKHAND_END_OF_FILE'\n([\s\S]*?)\nDECKHAND_END_OF_FILE\n/gu,
  );
  return new Map([...found].map(([, file = '', text = '']) => [file, text]));
}

const VARIANTS: readonly [string, string][] = [
  ['all', startupScript(startupOptions())],
  ['without models', startupScript(startupOptions({ models: [] }))],
  ['another port', startupScript(startupOptions({ sshPort: 2222, parallel: 1, deadManMs: 300_000 }))],
  ['dead-man', deadManScript(3600)],
  ['models', modelsScript(['gemma3:12b', 'hf.co/someone/Model-GGUF:Q4_K_M'])],
];

function fileWith(name: string, text: string): string {
  const file = path.join(dir, `${name.replaceAll(' ', '-')}.sh`);
  writeFileSync(file, text);
  return file;
}

describe('the startup script', () => {
  it.each(VARIANTS)('the startup script is sound shell: %s', (name, text) => {
    const expected = { status: 0, stderr: '' };
    expect(spawnSync('bash', ['-n', fileWith(name, text)], { encoding: 'utf8' })).toMatchObject(expected);
  });

  it('is the same for the same machine, and carries no private key', () => {
    expect(startupScript(startupOptions())).toBe(startupScript(startupOptions()));
    expect(startupScript(startupOptions())).not.toMatch(/PRIVATE|SECRET|TOKEN|PASSWORD=/u);
  });

  it('has the model server listen on loopback only, with slots and limits as configured', () => {
    const unit = filesOf(startupScript(startupOptions())).get('/etc/systemd/system/ollama.service') ?? '';
    expect(unit).toContain('Environment=OLLAMA_HOST=127.0.0.1:11434\n');
    expect(unit).toContain('Environment=OLLAMA_NUM_PARALLEL=4\n');
    expect(unit).toContain('Environment=OLLAMA_KEEP_ALIVE=-1\n');
    expect(unit).toContain('Environment=OLLAMA_LOAD_TIMEOUT=1200s\n');
    expect(unit).toContain('Environment=OLLAMA_MAX_LOADED_MODELS=2\n');
  });

  it('enables at boot whatever a wake needs, and keeps the host keys', () => {
    const script = startupScript(startupOptions());
    for (const unit of [
      'ollama.service',
      'deckhand-dead-man.timer',
      'deckhand-models.service',
      'deckhand-firewall.service',
    ]) {
      expect(script).toMatch(new RegExp(`systemctl enable (?:--now )?${unit.replaceAll('.', '\\.')}`, 'u'));
      expect(filesOf(script).get(`/etc/systemd/system/${unit}`)).toContain('[Install]');
    }
    expect(filesOf(script).get('/etc/cloud/cloud.cfg.d/99-deckhand.cfg')).toContain('ssh_deletekeys: false');
  });

  it.each([
    ['an empty file', ''],
    ['another key, without a line end', 'ssh-ed25519 AAAAOTHER other'],
    ['the key itself', `${KEY}\n`],
    [
      'the key behind a command that turns root away, as in images of EC2',
      `no-port-forwarding,command="echo 'Please login as the user \\"ubuntu\\" rather than the user \\"root\\".';exit 142" ${KEY}\n`,
    ],
    ['both, and another key', `command="false" ${KEY}\nssh-ed25519 AAAAOTHER other\n${KEY} again\n`],
  ])('admits the key into %s by one line of its own, and leaves other keys', (_what, before) => {
    const [admit = ''] = /^admit_key\(\) \{[\s\S]*?^\}$/mu.exec(startupScript(startupOptions())) ?? [];
    const file = fileWith('authorized_keys', before);
    for (let run = 0; run < 2; run += 1)
      execFileSync('bash', ['-euo', 'pipefail', '-c', `${admit}\nadmit_key "$1" "$2"`, 'bash', KEY, file]);
    const others = before.split('\n').filter((line) => line !== '' && !line.includes('sdflJp'));
    expect(readFileSync(file, 'utf8')).toBe([...others, KEY, ''].join('\n'));
  });

  it('lets the key in and sets the dead-man before anything that may fail', () => {
    const script = startupScript(startupOptions());
    const order = ['authorized_keys', 'deckhand-dead-man.timer', 'driver_ready()', 'fetch_ollama()'];
    const places = order.map((text) => script.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('checks the download against the pinned checksum before it is unpacked', () => {
    const script = startupScript(startupOptions({ ollama: { version: '9.9.9', sha256: 'f'.repeat(64) } }));
    expect(script).toContain('/releases/download/v9.9.9/ollama-linux-amd64.tar.zst');
    expect(script.indexOf('f'.repeat(64))).toBeLessThan(script.indexOf('tar --zstd'));
  });

  it.each([
    ['a key of two lines', { publicKey: `${KEY}\nssh-ed25519 AAAA` }],
    ['a key with a quote', { publicKey: `${KEY}'; reboot; '` }],
    ['a model that is a command', { models: ['phi4; reboot'] }],
    ['a model that is an option', { models: ['--insecure'] }],
    ['a dead-man that ends machines in use', { deadManMs: 60_000 }],
  ])('the startup script refuses %s', (_what, changes) => {
    expect(() => startupScript(startupOptions(changes))).toThrow(/startup script/u);
  });
});

describe('the dead-man', () => {
  const script = fileWith('decide', deadManScript(3600));
  /** What the script decides for these files; null = there is no mark. */
  const decide = (uptime: string, contact: string | null, limit: number): string => {
    const up = fileWith('uptime', uptime);
    const mark = path.join(dir, 'contact');
    rmSync(mark, { force: true });
    if (contact !== null) writeFileSync(mark, contact);
    const command = 'source "$1"; decide "$2" "$3" "$4"';
    return execFileSync('bash', ['-c', command, 'bash', script, up, mark, String(limit)], { encoding: 'utf8' }).trim();
  };

  it('ends a machine that no gateway has been in touch with since it booted, not a moment earlier', () => {
    expect(decide('3599.99 100.0\n', null, 3600)).toBe('stay');
    expect(decide('3600.00 100.0\n', null, 3600)).toBe('end');
  });

  it('counts from the last contact', () => {
    expect(decide('90000.5 1.0\n', '86500.11 1.0\n', 3600)).toBe('stay');
    expect(decide('90101.5 1.0\n', '86500.11 1.0\n', 3600)).toBe('end');
  });

  it.each([
    ['empty', ''],
    ['no number', 'now\n'],
    ['from the future', '99999.0 1.0\n'],
    ['with leading zeros', '0008.5 1.0\n'],
  ])('the dead-man takes a mark that is %s for no contact worth the name', (_what, contact) => {
    expect(decide('5000.0 1.0\n', contact, 3600)).toBe('end');
    expect(decide('60.0 1.0\n', contact, 3600)).toBe('stay');
  });

  it('ends exactly when the silence reaches the limit', async () => {
    const seconds = fc.integer({ min: 0, max: 10_000_000 });
    await forAll([seconds, seconds, fc.integer({ min: 300, max: 100_000 })], { runs: 60 }, (a, b, limit) => {
      const [contact, up] = a < b ? [a, b] : [b, a];
      expect(decide(`${up}.25 0.0\n`, `${contact}.75 0.0\n`, limit)).toBe(up - contact >= limit ? 'end' : 'stay');
    });
  });

  it('reads the mark that the gateway sets', () => {
    const mark = path.join(dir, 'mark');
    const command = CONTACT_COMMAND.replace('mkdir -p /run/deckhand', 'true').replace('/run/deckhand/contact', mark);
    execFileSync('bash', ['-c', command]);
    const read = 'source "$1"; decide /proc/uptime "$2" 300';
    expect(execFileSync('bash', ['-c', read, 'bash', script, mark], { encoding: 'utf8' }).trim()).toBe('stay');
  });
});
