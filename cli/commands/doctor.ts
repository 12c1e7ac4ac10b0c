/**
 * `deckhand doctor`: what was found, in which version, what is missing and how to get it. Ends with 3 when something required is missing.
 * With `--gpu` it looks into the GPU of this machine or of an instance instead, and ends with 1 when something fails.
 */
import type { Command } from 'commander';
import { clientOf } from '../../api/client/home-client.ts';
import { DeckhandError, ERROR_KINDS } from '../../domain/errors.ts';
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import { endOnSignal } from '../../platform/signals.ts';
import type { Check } from '../doctor/check.ts';
import { renderDiagnosis } from '../doctor/gpu-report.ts';
import { createProgress } from '../terminal/progress.ts';
import { styleOfStdout } from '../terminal/style.ts';

const SIGN: Record<Check['status'], string> = { ok: '✓', note: '!', missing: '✗' };

async function examine(config: Config): Promise<Check[]> {
  const { checkProgram } = await import('../doctor/check.ts');
  const { GO, OPTIONAL_PROGRAMS, REQUIRED_PROGRAMS } = await import('../doctor/programs.ts');
  const services = await import('../doctor/services.ts');
  const { checkAlerts, checkApiKeys } = await import('../doctor/running-api.ts');
  const go = await checkProgram(GO, config.environment);
  const [required, optional, postgres, temporal, ollama] = await Promise.all([
    Promise.all(REQUIRED_PROGRAMS.map((program) => checkProgram(program, config.environment))),
    Promise.all(OPTIONAL_PROGRAMS.map((program) => checkProgram(program, config.environment))),
    services.checkPostgres(config),
    services.checkTemporal(config, go.status === 'ok'),
    services.checkOllama(config),
  ]);
  const local = [
    services.checkDataDirectory(config),
    services.checkEncryption(config),
    services.checkRuntime(config),
    await checkApiKeys(config),
    ...(await checkAlerts(config)),
  ];
  return [services.checkNode(), ...required, postgres, temporal, ...local, go, ollama, ...optional];
}

function lines(check: Check): string[] {
  const { name, status, required, found, neededFor, hint } = check;
  const lack = required ? 'missing (required)' : 'not found';
  const first = `${SIGN[status]} ${name.padEnd(15)}${found ?? (status === 'missing' ? lack : 'not there yet')}`;
  const purpose = status === 'missing' ? [`${' '.repeat(17)}for ${neededFor}`] : [];
  return [first, ...purpose, ...(hint === undefined ? [] : [`${' '.repeat(17)}→ ${hint}`])];
}

interface DoctorOptions {
  readonly json?: boolean;
  readonly gpu?: string | true;
  readonly generation: boolean;
}

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check what is installed, what is missing and how to get it')
    .option(
      '--gpu [target]',
      'check a GPU, its driver, its model server and whether the models fit: `local` (the default), or an instance of the fleet',
    )
    .option('--no-generation', 'with --gpu local: run no generation')
    .option('--json', 'print one JSON document')
    .action(async (options: DoctorOptions) => {
      if (options.gpu !== undefined) {
        const target = options.gpu === true ? 'local' : options.gpu.trim();
        if (target === '') {
          throw new DeckhandError('usage', '--gpu names nothing', {
            hint: '`local` for this machine, or an instance as `./deckhand fleet` lists it.',
          });
        }
        await examineGpu(loadConfig(), target, { json: options.json === true, generation: options.generation });
        return;
      }
      const checks = await examine(loadConfig());
      const healthy = checks.every((check) => !check.required || check.status !== 'missing');
      if (options.json === true) console.log(JSON.stringify({ ok: healthy, checks }, null, 2));
      else {
        console.log(checks.flatMap(lines).join('\n'));
        console.log(
          healthy ? '\nEverything that is required is there.' : '\nSomething required is missing: see ✗ above.',
        );
      }
      if (!healthy) process.exitCode = ERROR_KINDS.dependency_missing.exitCode;
    });
}

/** Where no running Deckhand is needed. */
const LOCAL = 'local';
const FAILED = 1;
const PIPE_WIDTH = 120;

/** Prints the report on one GPU. @param target `local`, or an instance @throws DeckhandError of the API where an instance cannot be looked into */
async function examineGpu(
  config: Config,
  target: string,
  options: { readonly json: boolean; readonly generation: boolean },
): Promise<void> {
  const signal = endOnSignal();
  const progress = createProgress();
  let report: GpuDiagnosis;
  try {
    progress.update(`Looking into the GPU of ${target === LOCAL ? 'this machine' : target}`);
    if (target === LOCAL) {
      const { diagnoseLocally } = await import('../doctor/gpu-local.ts');
      report = await diagnoseLocally(config, { generation: options.generation, signal });
    } else
      report = await clientOf(config, runningApiUrl(config)).POST('/fleet/instances/{name}/diagnosis', {
        params: { path: { name: target } },
        signal,
      });
  } finally {
    progress.end();
  }
  console.log(options.json ? JSON.stringify(report, null, 2) : renderDiagnosis(report, styleOfStdout(PIPE_WIDTH)));
  if (report.level === 'fail') process.exitCode = FAILED;
}
