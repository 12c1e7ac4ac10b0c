/** The Dockerfiles of model servers by the rules of a linter: pinned, without secrets, not as root, with the health path. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SETUP_CLASSES, setupText, type SetupClass } from '../../../cli/setup/print.ts';
import { WORKER_HEALTH } from '../../../domain/fleet/setup/dockerfile.ts';
import { OLLAMA_RELEASE } from '../../../domain/fleet/startup-script/ollama.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { modelsToSetUp } from '../../../domain/models/catalog/lookup.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../../domain/models/catalog/presets.ts';
import { dockerStages, type DockerInstruction, environmentOf } from '../../../testing/dockerfile.ts';

const IMAGES = path.resolve(import.meta.dirname, '../../../images');
const committed = (name: string): string => readFileSync(path.join(IMAGES, name, 'Dockerfile'), 'utf8');

/** A profile of two models, of which one sees pictures. */
const PAIR = 'ollama';
const printed = (work?: SetupClass): string =>
  setupText({
    engine: 'ollama',
    gpu: 'l40s',
    work,
    format: 'dockerfile',
    parallel: 4,
    catalog: PRESETS,
    profile: PAIR,
  });

const FILES: readonly [string, string][] = [
  ['images/visual', committed('visual')],
  ['images/text', committed('text')],
  ['the one that setup prints', printed()],
];

describe.each(FILES)('the Dockerfile %s', (_name, text) => {
  const stages = dockerStages(text);
  const last = stages.at(-1) ?? [];
  const all = stages.flat();
  const valuesOf = (list: readonly DockerInstruction[], name: string): string[] =>
    list.filter((one) => one.name === name).map((one) => one.value);
  const environment = environmentOf(last);

  it('builds on a base that a digest pins, and on nothing that moves', () => {
    const bases = valuesOf(all, 'FROM');
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^debian:trixie-\d{8}-slim@sha256:[0-9a-f]{64}( AS build)?$/u);
    expect(valuesOf(all, 'ADD')).toEqual([]);
  });

  it('downloads the pinned release of Ollama and compares its checksum', () => {
    expect(text).toContain(`/v${OLLAMA_RELEASE.version}/ollama-linux-amd64.tar.zst`);
    expect(text).toContain(`${OLLAMA_RELEASE.sha256} "$archive" | sha256sum --check`);
  });

  it('installs no more packages than it names and leaves no lists of packages', () => {
    for (const run of valuesOf(all, 'RUN').filter((one) => one.includes('apt-get'))) {
      expect(run).toContain('--no-install-recommends');
      expect(run).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('holds no secret, and none of the files that Ollama makes in its home while it is built', () => {
    for (const value of [...valuesOf(all, 'ENV'), ...valuesOf(all, 'ARG')])
      expect(value).not.toMatch(/PASSWORD|SECRET|TOKEN|API_?KEY|PRIVATE/iu);
    expect(valuesOf(all, 'ARG')).toEqual([]);
    expect(text).toContain('HOME=$(mktemp -d)');
  });

  it('copies one program and what the build made, and nothing else of Deckhand', () => {
    const copies = valuesOf(all, 'COPY');
    expect(copies.filter((one) => !one.includes('--from=build'))).toEqual([
      '--chmod=0555 worker.py /opt/deckhand/worker.py',
    ]);
    expect(
      readdirSync(IMAGES)
        .filter((name) => name !== '__pycache__')
        .toSorted(),
    ).toEqual(['README.md', 'text', 'visual', 'worker.py']);
  });

  it('ends as a user that is not root', () => {
    const users = valuesOf(last, 'USER');
    expect(users).toEqual(['10001:10001']);
    const place = (name: string): number => last.findIndex((one) => one.name === name);
    expect(place('USER')).toBeLessThan(place('ENTRYPOINT'));
  });

  it('opens the model server and the health path, and asks the health path itself', () => {
    expect(valuesOf(last, 'EXPOSE')).toEqual([`11434 ${WORKER_HEALTH.port}`]);
    expect(environment.get('WORKER_HEALTH_PATH')).toBe('/api/health');
    expect(environment.get('WORKER_HEALTH_PORT')).toBe(String(WORKER_HEALTH.port));
    expect(environment.get('OLLAMA_HOST')).toBe('0.0.0.0:11434');
    expect(valuesOf(last, 'HEALTHCHECK')[0]).toContain('"--check"');
    const [entry = ''] = valuesOf(last, 'ENTRYPOINT');
    expect(z.array(z.string()).parse(JSON.parse(entry)).slice(0, 2)).toEqual(['python3', '/opt/deckhand/worker.py']);
  });

  it('bakes each model in by its digest and proves it with the window that calls use', () => {
    const models = z
      .array(z.strictObject({ name: z.string(), digest: z.string(), numCtx: z.number(), seesPictures: z.boolean() }))
      .parse(JSON.parse(environment.get('WORKER_MODELS') ?? ''));
    expect(models.length).toBeGreaterThan(0);
    const known = new Map(
      [PAIR, DEFAULT_LANGUAGE_PROFILE]
        .flatMap((profile) => modelsToSetUp(PRESETS, profile, GPU_CLASSES))
        .map((model) => [model.modelName, model]),
    );
    for (const { name, digest, numCtx } of models) {
      expect(known.get(name)).toMatchObject({ digest, numCtx });
      expect(text).toContain(`[${name}]=${digest}\n`);
    }
    expect(environment.get('OLLAMA_MAX_LOADED_MODELS')).toBe(String(models.length));
  });

  it('has scripts of sound shell for steps', () => {
    const scripts = valuesOf(all, 'RUN').filter((one) => one.startsWith('#!'));
    expect(scripts).toHaveLength(2);
    for (const script of scripts)
      expect(spawnSync('bash', ['-n'], { encoding: 'utf8', input: script })).toMatchObject({ status: 0, stderr: '' });
  });
});

it('an image for slides has the models that see pictures, one for text every model; the committed ones are of the default profile', () => {
  const names = (text: string): string[] =>
    [...text.matchAll(/^ {2}\[(\S+)\]=[0-9a-f]{64}$/gmu)].map(([, model = '']) => model);
  expect(names(printed('visual'))).toEqual(['gemma3:12b']);
  expect(names(printed('text'))).toEqual(['gemma3:12b', 'phi4:latest']);
  for (const work of SETUP_CLASSES) {
    const wanted = modelsToSetUp(PRESETS, DEFAULT_LANGUAGE_PROFILE, [`gpu-${work}`]);
    expect(names(committed(work))).toEqual(wanted.map(({ modelName }) => modelName));
  }
});

it('the head of a printed image names the command that prints it again', () =>
  expect(printed('visual')).toContain(
    '`deckhand setup ollama --format dockerfile --models ollama --gpu l40s --class visual`',
  ));

it('every command that runs an image lets Docker wait longer than the worker gives to calls that run', () => {
  const worker = readFileSync(path.join(IMAGES, 'worker.py'), 'utf8');
  const drainSeconds = Number(/"WORKER_DRAIN_SECONDS", "(\d+)"/u.exec(worker)?.[1]);
  const readme: [string, string] = ['README', readFileSync(path.join(IMAGES, 'README.md'), 'utf8')];
  for (const [name, text] of [readme, ...FILES]) {
    const [command = ''] = /^.*docker run .*$/mu.exec(text) ?? [];
    expect(Number(/ --stop-timeout (\d+) /u.exec(command)?.[1]), name).toBeGreaterThanOrEqual(drainSeconds + 10);
  }
});

it('the README of the images says how much memory each needs', () => {
  const readme = readFileSync(path.join(IMAGES, 'README.md'), 'utf8');
  for (const name of ['visual', 'text']) {
    const needed = /needs (\d+\.\d GiB)/u.exec(committed(name))?.[1];
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| ${needed} \\|$`, 'mu'));
  }
});
