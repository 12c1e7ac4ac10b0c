/**
 * The command line as a process: what stands on stdout and stderr, and how it ends.
 */
import { expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { runCommand, type CommandRun } from '../../../testing/command.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const home = folderPerFile();

const deckhand = (args: readonly string[], extra: Record<string, string> = {}): Promise<CommandRun> =>
  runCommand(args, { ...loadConfig().environment, DECKHAND_HOME: home, ...extra });

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

it('the command line explains itself on stdout', async () => {
  const help = await deckhand(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const command of ['up', 'down', 'doctor']) expect(help.stdout).toContain(`  ${command} `);
  expect(help.stdout).not.toContain('supervise');
});

it('the command line prints the saved queries, with links where it is known where the Temporal UI is', async () => {
  const plain = await deckhand(['queries', '--json']);
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  const { items } = JSON.parse(plain.stdout) as { items: { name: string; query: string; url: string | null }[] };
  expect(items.map((item) => item.name)).toContain('waiting');
  expect(items.every((item) => item.url === null)).toBe(true);
  const linked = await deckhand(['queries', '--pool', 'gpu'], { DECKHAND_TEMPORAL_UI_URL: 'https://ui.example' });
  expect(linked.stdout).toContain("WorkflowType = 'instanceLife' AND Pool = 'gpu'");
  expect(linked.stdout).toContain('https://ui.example/namespaces/default/workflows?query=');
});

it('the command line ends with 2 on a command or an option that it does not know', async () => {
  const command = await deckhand(['doktor']);
  expect(command).toMatchObject({ code: 2, stdout: '' });
  expect(command.stderr).toContain('Did you mean doctor?');
  expect((await deckhand(['doctor', '--jsno'])).code).toBe(2);
});

it('the command line does not start with a model profile that does not exist, and names those that do', async () => {
  const command = await deckhand(['up', '--models', 'oracle']);
  expect(command).toMatchObject({ code: 5, stdout: '' });
  expect(command.stderr).toContain('There is no model profile "oracle".');
});

it('the command line tells of a bad setting in one line with a hint, and shows a stack only under --debug', async () => {
  const short = await deckhand(['doctor'], { DECKHAND_API_PORT: 'http' });
  expect(short).toMatchObject({ code: 2, stdout: '' });
  expect(lines(short.stderr)).toEqual([
    expect.stringMatching(/^deckhand: DECKHAND_API_PORT=http: /),
    'hint: Correct or unset the environment variable DECKHAND_API_PORT.',
  ]);
  const long = await deckhand(['--debug', 'doctor'], { DECKHAND_API_PORT: 'http' });
  expect(long.code).toBe(2);
  expect(long.stderr).toContain('    at ');
});

it('the command line has nothing to end where nothing runs', async () => {
  expect(await deckhand(['down'])).toEqual({ code: 0, stdout: '', stderr: `Nothing runs on ${home}.\n` });
});

it('doctor prints one JSON document that names what was found', async () => {
  const { code, stdout } = await deckhand(['doctor', '--json']);
  const report = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string; found: string }[] };
  expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
  const found = Object.fromEntries(report.checks.map((check) => [check.name, check.found]));
  expect(found['node']).toContain(process.versions.node);
  expect(found['postgres']).toMatch(/^18\..*embedded/);
  expect(found['temporal']).toContain('server 1.');
  expect(found['data directory']).toContain('GiB free');
  expect(found['runtime']).toBe('not running');
});

it('doctor ends with 3 and says what to do when something required is missing', async () => {
  const outcome = await deckhand(['doctor'], {
    DATABASE_URL: 'postgresql://none:s3cret@127.0.0.1:1/none',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  });
  expect(outcome.code).toBe(3);
  expect(outcome.stdout).toContain('✗ postgres');
  expect(outcome.stdout).toContain('✗ temporal');
  expect(outcome.stdout).toContain('unset TEMPORAL_ADDRESS');
  expect(outcome.stdout).not.toContain('s3cret');
});
