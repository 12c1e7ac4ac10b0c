/** The startup script of a machine that runs vLLM, and the part that fetches weights as a program. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startupScript } from '../../../domain/fleet/startup-script/startup-script.ts';
import { vllmScript, weightsPath, type VllmModel } from '../../../domain/fleet/startup-script/vllm.ts';
import { folderPerFile } from '../../../testing/per-file.ts';
import { startupOptions } from './startup-options.ts';

const dir = folderPerFile();
const MODEL: VllmModel = {
  name: 'qwen3-vl:8b-instruct',
  repository: 'Qwen/Qwen3-VL-8B-Instruct',
  revision: '0123456789abcdef0123456789abcdef01234567',
  windowTokens: 32_768,
  seesPictures: true,
};
const withVllm = (changes: Partial<VllmModel> = {}): string =>
  startupScript(startupOptions({ vllm: { ...MODEL, ...changes } }));

describe('the startup script of a machine that runs vLLM', () => {
  it('the script is sound shell, with the same access and dead-man, and without Ollama', () => {
    const script = withVllm();
    expect(spawnSync('bash', ['-n'], { encoding: 'utf8', input: script })).toMatchObject({ status: 0, stderr: '' });
    expect(script).not.toMatch(/ollama/iu);
    const [access] = startupScript(startupOptions()).split('# --- Model server');
    expect(script.split('# --- Model server')[0]).toBe(access);
    expect(script).toContain('systemctl enable vllm.service');
  });

  it('the script installs nothing of vLLM or pip that has another checksum, and no package younger than its date', () => {
    const script = withVllm();
    const order = [
      'install --quiet --require-hashes',
      'download --quiet --no-deps --only-binary=:all: --require-hashes',
      '--uploaded-prior-to 20',
      'touch "$VLLM_DIR/complete"',
    ];
    const places = order.map((text) => script.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it.each([
    ['a repository that is a command', { repository: 'a/b; reboot' }],
    ['a repository that leads elsewhere', { repository: '../../etc' }],
    ['a branch instead of a commit', { revision: 'main' }],
    ['a name that is an option', { name: '--trust-remote-code' }],
    ['no window', { windowTokens: 0 }],
  ])('the startup script of vLLM refuses %s', (_what, changes) => {
    expect(() => withVllm(changes)).toThrow(/startup script/u);
  });
});

describe('the script that serves', () => {
  const bin = path.join(dir, 'bin');
  const weights = path.join(dir, 'weights');
  /** Calls of the programs with their arguments, one line each. */
  const log = path.join(dir, 'calls');

  /** Runs it with programs that note their arguments. @param verdict of a comparison of checksums that fails; null = it finds nothing */
  function run(
    model: VllmModel,
    verdict: string | null = null,
  ): { readonly status: number | null; readonly calls: readonly string[] } {
    mkdirSync(bin, { recursive: true });
    rmSync(log, { force: true });
    const program = (name: string, body: string): void => {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${body}\n`);
      chmodSync(path.join(bin, name), 0o755);
    };
    program(
      'hf',
      `echo "hf $*" >>${log}; if [ "$1" = cache ]; then ${verdict === null ? 'exit 0' : `echo '${verdict}'; exit 1`}; fi`,
    );
    program('sleep', 'exit 0');
    program('vllm', `echo "vllm offline=$HF_HUB_OFFLINE $*" >>${log}`);
    program('nvidia-smi', 'printf "GPU 0: L40S\\nGPU 1: L40S\\n"');
    const text = vllmScript(model, 6).replaceAll(weightsPath(model), weights);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const { status } = spawnSync('bash', ['-s'], { input: text, encoding: 'utf8', env });
    return { status, calls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] };
  }

  it('the script fetches the pinned commit once, compares it, and serves from the disk ever after', () => {
    const first = run(MODEL);
    const { repository, revision } = MODEL;
    expect(first.calls.slice(0, 2)).toEqual([
      `hf download ${repository} --revision ${revision} --local-dir ${weights} --quiet`,
      `hf cache verify ${repository} --revision ${revision} --local-dir ${weights} --fail-on-missing-files`,
    ]);
    const again = run(MODEL);
    expect(again.calls).toEqual(first.calls.slice(2));
    expect(again.calls).toHaveLength(1);
  });

  it('the script gives the window, the calls at a time, every GPU, and compact JSON to a server on loopback that makes no request of its own', () => {
    const [call = ''] = run(MODEL).calls.slice(-1);
    expect(call).toMatch(/^vllm offline=1 serve \S+\/weights /u);
    for (const option of [
      '--served-model-name qwen3-vl:8b-instruct',
      '--host 127.0.0.1 --port 11434',
      '--max-model-len 32768 --max-num-seqs 6',
      '--tensor-parallel-size 2',
      '--structured-outputs-config {"backend":"xgrammar","disable_any_whitespace":true}',
      '--limit-mm-per-prompt {"image":1}',
    ])
      expect(call).toContain(option);
    expect(run({ ...MODEL, seesPictures: false }).calls.at(-1)).not.toContain('--limit-mm-per-prompt');
  });

  it('weights with another checksum are not served, and are downloaded once more', () => {
    const otherSum = '[FAIL] Checksum verification failed for the following file(s):';
    rmSync(weights, { recursive: true, force: true });
    const failed = run(MODEL, otherSum);
    expect(failed.status).toBe(1);
    expect(failed.calls.some((call) => call.startsWith('vllm'))).toBe(false);
    expect(existsSync(weights)).toBe(false);
    expect(run(MODEL, otherSum).calls[0]).toMatch(/^hf download/u);
    // The second time they are kept: a person has to look.
    expect(existsSync(weights)).toBe(true);
    expect(run(MODEL).calls.at(-1)).toMatch(/^vllm/u);
  });

  it('weights that could not be verified are kept, because the hub did not answer', () => {
    rmSync(weights, { recursive: true, force: true });
    const failed = run(MODEL, 'Error: 429 Too Many Requests');
    expect(failed.status).toBe(1);
    expect(failed.calls.some((call) => call.startsWith('vllm'))).toBe(false);
    expect(existsSync(weights)).toBe(true);
  });

  it('the unit of vLLM starts it at boot, ends all its processes, and sends no reports', () => {
    const unit =
      /vllm\.service 0644 <<'DECKHAND_END_OF_FILE'\n([\s\S]*?)\nDECKHAND_END_OF_FILE/u.exec(withVllm())?.[1] ?? '';
    for (const line of [
      'ExecStart=/usr/local/sbin/deckhand-vllm',
      'Environment=VLLM_NO_USAGE_STATS=1',
      'Environment=DO_NOT_TRACK=1',
      'KillMode=control-group',
      'Restart=always',
      'StartLimitIntervalSec=0',
      'WantedBy=multi-user.target',
    ])
      expect(unit.split('\n')).toContain(line);
  });
});
