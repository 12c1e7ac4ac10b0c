/**
 * Runs the built-in reader as a process of its own: `node simulators/ollama/main.ts --port 11434`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes, so that it
 * never outlives the process that started it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canonicalName, DEFAULT_MODELS, type ReaderModel } from './catalog.ts';
import { startReader, type ReaderOptions } from './server.ts';
import { readerScriptSchema } from './script.ts';

const READER_USAGE = `usage: node simulators/ollama/main.ts [options]
  --port N             port (default: a free one)
  --bind ADDRESS       address to listen on (default 127.0.0.1)
  --parallel N         slots per model, as OLLAMA_NUM_PARALLEL (default 4)
  --max-queue N        calls that may wait for a model load (default 512)
  --load-ms N          milliseconds a model load takes (default 30)
  --pull-ms N          milliseconds a pull takes (default 50)
  --models LIST        models on the disk at the start: none, or names with commas between (default: both); others must be pulled
  --also LIST          models under other names as well, such as llava:7b=vision,mistral:7b=text; -pull behind one: it must be pulled
  --serve NAME=PATH    started as vLLM with this one model, whose files are at PATH
  --window N           window of every model in OpenAI's protocol, tokens (default 32768)
  --start-ms N         milliseconds until it answers (default 0)
  --call-seconds S     every call takes exactly S seconds (for benchmarks)
  --script FILE        JSON script of faults
  --journal FILE       note each call in this file as it comes and goes
  --exit-with-parent   end when stdin closes
  --help`;

/** What the command line says. */
export interface ReaderArguments {
  readonly options: ReaderOptions;
  readonly scriptFile: string | null;
  readonly callSeconds: number | null;
  readonly exitWithParent: boolean;
  readonly help: boolean;
}

/** Parses the arguments. Throws an Error with one readable line on unknown options and on values that are no numbers. */
export function parseReaderArguments(argv: readonly string[]): ReaderArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      bind: { type: 'string' },
      parallel: { type: 'string' },
      'max-queue': { type: 'string' },
      'load-ms': { type: 'string' },
      'pull-ms': { type: 'string' },
      models: { type: 'string' },
      also: { type: 'string' },
      serve: { type: 'string' },
      window: { type: 'string' },
      'start-ms': { type: 'string' },
      'call-seconds': { type: 'string' },
      script: { type: 'string' },
      journal: { type: 'string' },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name: string, value: string | undefined): number | undefined => {
    if (value === undefined) return undefined;
    const parsed = Number(value);
    if (value.trim() === '' || !Number.isFinite(parsed) || parsed < 0)
      throw new Error(`--${name} must be a number, not ${JSON.stringify(value)}`);
    return parsed;
  };
  const numbers = {
    port: number('port', values.port),
    parallel: number('parallel', values.parallel),
    maxQueue: number('max-queue', values['max-queue']),
    loadMs: number('load-ms', values['load-ms']),
    pullMs: number('pull-ms', values['pull-ms']),
    windowTokens: number('window', values.window),
    startMs: number('start-ms', values['start-ms']),
  };
  const models = [...modelsNamed(values.models), ...otherModels(values.also)];
  return {
    options: {
      ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
      ...(values.bind === undefined ? {} : { bind: values.bind }),
      ...(values.journal === undefined ? {} : { journalFile: values.journal }),
      ...(values.models === undefined && values.also === undefined ? {} : { models }),
      ...(values.serve === undefined ? {} : servedModel(values.serve, models)),
    },
    scriptFile: values.script ?? null,
    callSeconds: number('call-seconds', values['call-seconds']) ?? null,
    exitWithParent: values['exit-with-parent'],
    help: values.help,
  };
}

/** One model with the path of its files: `reader-vision:1=/var/lib/vllm/models/…`. One that is not known takes pictures. */
function servedModel(text: string, known: readonly ReaderModel[]): Pick<ReaderOptions, 'models' | 'roots'> {
  const [, name, root] = /^([^=]+)=(.+)$/u.exec(text) ?? [];
  if (name === undefined || root === undefined) throw new Error(`--serve: ${JSON.stringify(text)} is not NAME=PATH`);
  const found = known.find((model) => canonicalName(model.name) === canonicalName(name));
  const model = found ?? otherModels(`${name}=vision`)[0];
  return model === undefined ? {} : { models: [{ ...model, name, installed: true }], roots: { [name]: root } };
}

/** Models under names that are not the reader's: `llava:7b=vision`, `mistral:7b=text-pull`. */
function otherModels(list: string | undefined): ReaderModel[] {
  return (list ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', kind, toPull] = /^(.+)=(vision|text)(-pull)?$/u.exec(part) ?? [];
      if (kind === undefined) throw new Error(`--also: ${JSON.stringify(part)} is not NAME=vision or NAME=text`);
      return {
        name: canonicalName(name),
        capabilities: kind === 'vision' ? ['completion', 'vision'] : ['completion'],
        sizeBytes: 5_000_000_000,
        installed: toPull === undefined,
        family: 'scripted',
      };
    });
}

/** All models of the reader, with only the listed ones installed. */
function modelsNamed(list: string | undefined): ReaderModel[] {
  if (list === undefined) return [...DEFAULT_MODELS];
  const names = list === 'none' ? [] : list.split(',').map((name) => canonicalName(name));
  for (const name of names)
    if (!DEFAULT_MODELS.some((model) => canonicalName(model.name) === name))
      throw new Error(
        `--models: the reader has no ${JSON.stringify(name)}, only ${DEFAULT_MODELS.map((m) => m.name).join(', ')}`,
      );
  return DEFAULT_MODELS.map((model) => ({ ...model, installed: names.includes(canonicalName(model.name)) }));
}

async function main(): Promise<void> {
  const settings = parseReaderArguments(process.argv.slice(2));
  if (settings.help) {
    process.stdout.write(`${READER_USAGE}\n`);
    return;
  }
  const script =
    settings.scriptFile === null ? {} : readerScriptSchema.parse(JSON.parse(readFileSync(settings.scriptFile, 'utf8')));
  const reader = await startReader({
    ...settings.options,
    script: settings.callSeconds === null ? script : { ...script, callSeconds: settings.callSeconds },
  });
  process.stdout.write(`${JSON.stringify({ listening: reader.port })}\n`);
  const end = (): void => {
    void reader.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (settings.exitWithParent) {
    process.stdin.on('end', end).on('close', end).resume();
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
