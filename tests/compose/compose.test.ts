/** docker-compose.yml as Compose itself understands it, for every profile: what an operator relies on without an engine to try it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/temporal/search-attributes.ts';
import { DEFAULT_LANGUAGE_PROFILE } from '../../domain/models/catalog/presets.ts';
import { MODEL_CONFIGURATIONS } from '../../prisma/seed/model-configurations.ts';
import { composeBinary } from './compose-binary.ts';

const run = promisify(execFile);

const serviceSchema = z.object({
  image: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  restart: z.string(),
  init: z.boolean(),
  cap_drop: z.array(z.string()).optional(),
  command: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  ports: z.array(z.object({ host_ip: z.string().optional(), published: z.string() })).default([]),
  networks: z.record(z.string(), z.object({ aliases: z.array(z.string()).default([]) }).nullable()),
  volumes: z.array(z.object({ type: z.string(), source: z.string().optional(), target: z.string() })).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string(), required: z.boolean() })).default({}),
  deploy: z
    .object({
      resources: z.object({
        limits: z.object({ cpus: z.number(), memory: z.string(), pids: z.number() }).optional(),
        reservations: z
          .object({ devices: z.array(z.object({ driver: z.string(), capabilities: z.array(z.string()) })) })
          .optional(),
      }),
    })
    .optional(),
});
const projectSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
});
type Project = z.infer<typeof projectSchema>;
type Service = z.infer<typeof serviceSchema>;

/** Containers that end when they are done; all others have to say how they are. */
const ONE_SHOT = ['migrate', 'temporal-schema', 'temporal-namespace', 'ollama-pull'];
/** Images whose own entry point gives up root (postgres), whose user is not root (Temporal), or whose GPU runtime wants it (ollama). */
const OFFICIAL_IMAGES = /^(postgres|temporalio\/(server|admin-tools|ui)|ollama\/ollama):/;
const OWN_IMAGE = /^deckhand:/;
const APP_PROCESSES = ['api', 'control', 'convert', 'gateway'];
const PROFILES = ['simulated', 'gpu'] as const;

/** What has to be in `.env`. */
const REQUIRED = { POSTGRES_PASSWORD: 'secret', DECKHAND_PAYLOAD_KEYS: 'k1:payload-secret' } as const;

let binary = '';

/** Runs `compose config`; the variables are all that Compose sees beside PATH. */
async function composeConfig(profile: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const { stdout } = await run(
    'env',
    [
      '-i',
      ...assignments,
      binary,
      '--project-directory',
      REPOSITORY_DIR,
      '--file',
      join(REPOSITORY_DIR, 'docker-compose.yml'),
      '--env-file',
      '/dev/null',
      '--profile',
      profile,
      'config',
      '--format',
      'json',
    ],
    { maxBuffer: 1 << 24 },
  );
  return stdout;
}

const projectOf = async (profile: string, variables: Readonly<Record<string, string>> = {}): Promise<Project> =>
  projectSchema.parse(JSON.parse(await composeConfig(profile, { ...REQUIRED, ...variables })));

function serviceOf(project: Project, name: string): Service {
  const service = project.services[name];
  if (service === undefined) throw new Error(`no service ${name}`);
  return service;
}

const named = (project: Project, fails: (service: Service, name: string) => boolean): string[] =>
  Object.entries(project.services)
    .filter(([name, service]) => fails(service, name))
    .map(([name]) => name);

beforeAll(async () => {
  binary = await composeBinary((line) => process.stderr.write(`${line}\n`));
});

describe.each(PROFILES)('docker-compose.yml with profile %s', (profile) => {
  let project: Project;
  beforeAll(async () => {
    project = await projectOf(profile);
  });

  it('starts every part of Deckhand and one model host', () => {
    const model = profile === 'gpu' ? ['ollama', 'ollama-pull'] : ['reader'];
    const always = [
      'postgres',
      'migrate',
      'temporal-schema',
      'temporal',
      'temporal-namespace',
      'temporal-ui-server',
      'temporal-ui',
      ...APP_PROCESSES,
    ];
    expect(Object.keys(project.services).toSorted()).toEqual([...always, ...model].toSorted());
  });

  it('pins every image to a full version', () => {
    expect(named(project, ({ image }) => !/:\d+\.\d+(\.\d+)?(-[a-z]+)?$/.test(image))).toEqual([]);
  });

  it('runs our image without root, capabilities or writable files, and others only from their publishers', () => {
    const own = named(project, ({ image }) => OWN_IMAGE.test(image));
    expect(own).toEqual(expect.arrayContaining([...APP_PROCESSES, 'migrate']));
    expect(named(project, ({ image }) => !OWN_IMAGE.test(image) && !OFFICIAL_IMAGES.test(image))).toEqual([]);
    for (const name of own) {
      expect(serviceOf(project, name)).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
    }
  });

  it('asks every long-running container how it is and restarts it', () => {
    expect(named(project, ({ healthcheck }, name) => (healthcheck === undefined) !== ONE_SHOT.includes(name))).toEqual(
      [],
    );
    expect(named(project, ({ restart }, name) => !ONE_SHOT.includes(name) && restart !== 'unless-stopped')).toEqual([]);
    expect(named(project, ({ init }) => !init)).toEqual([]);
  });

  it('publishes nothing but API and Temporal UI, on loopback', () => {
    expect(named(project, ({ ports }) => ports.length > 0)).toEqual(['api', 'temporal-ui']);
    expect(named(project, ({ ports }) => ports.some(({ host_ip }) => host_ip !== '127.0.0.1'))).toEqual([]);
  });

  it('asks for keys, and keeps the key of its own commands on a volume', () => {
    expect(named(project, ({ environment }) => environment['DECKHAND_AUTH'] !== undefined)).toEqual([]);
    const { environment, volumes } = serviceOf(project, 'api');
    expect(environment['DECKHAND_API_URL']).toBe(`http://127.0.0.1:${environment['DECKHAND_API_PORT'] ?? ''}`);
    expect(volumes).toContainEqual(expect.objectContaining({ type: 'volume', target: environment['DECKHAND_HOME'] }));
  });

  it('starts no process before database, schema, Temporal and namespace are ready', () => {
    for (const name of APP_PROCESSES) {
      expect(serviceOf(project, name).depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully', required: true },
        'temporal-namespace': { condition: 'service_completed_successfully', required: true },
        postgres: { condition: 'service_healthy' },
        temporal: { condition: 'service_healthy' },
      });
    }
    expect(serviceOf(project, 'temporal').depends_on['temporal-schema']?.condition).toBe(
      'service_completed_successfully',
    );
  });

  it('bounds the process that opens files of strangers and gives it the internal network only', () => {
    const convert = serviceOf(project, 'convert');
    expect(convert.deploy?.resources.limits).toBeDefined();
    expect(Object.keys(convert.networks)).toEqual(['backend']);
    expect(project.networks['backend']?.internal).toBe(true);
  });

  it('shares one blob volume between the processes that use it', () => {
    for (const name of ['api', 'convert', 'gateway']) {
      expect(serviceOf(project, name).volumes).toContainEqual(
        expect.objectContaining({ type: 'volume', source: 'blobs', target: '/var/lib/deckhand' }),
      );
    }
  });

  it('keeps the fleet file and the keys where everything that needs them finds them', () => {
    for (const name of ['api', 'control', 'gateway']) {
      const { volumes, environment } = serviceOf(project, name);
      const target = environment['DECKHAND_HOME'];
      expect(volumes).toContainEqual(expect.objectContaining({ type: 'volume', source: 'fleet', target }));
    }
  });

  it('gives the provider’s credentials only to the services that call it', () => {
    const holders = APP_PROCESSES.filter((name) => 'DATACRUNCH_CLIENT_SECRET' in serviceOf(project, name).environment);
    expect(holders).toEqual(['api', 'control']);
  });

  it('gives the payload keys only to the services that use Temporal', () => {
    const holders = named(project, ({ environment }) => Object.values(environment).includes('k1:payload-secret'));
    expect(holders.toSorted()).toEqual(APP_PROCESSES.toSorted());
  });

  it('leads the Temporal UI to the codec server, and the codec server to the UI', () => {
    expect(serviceOf(project, 'temporal-ui-server').environment).toMatchObject({
      TEMPORAL_CODEC_ENDPOINT: 'http://127.0.0.1:8420/api/v1/codec',
      TEMPORAL_CODEC_INCLUDE_CREDENTIALS: 'true',
    });
    expect(serviceOf(project, 'api').environment['DECKHAND_TEMPORAL_UI_URL']).toBe('http://127.0.0.1:8233');
  });

  it('publishes the Temporal UI only behind the front that keeps foreign pages out', () => {
    const front = serviceOf(project, 'temporal-ui');
    expect(front.image).toMatch(OWN_IMAGE);
    expect(front.command).toEqual(expect.arrayContaining(['runtime/temporal-ui-main.ts']));
    expect(serviceOf(project, 'temporal-ui-server').ports).toEqual([]);
    expect(Object.keys(serviceOf(project, 'temporal-ui-server').networks)).toEqual(['backend']);
  });

  it('registers the search attributes the workflows set', () => {
    expect(serviceOf(project, 'temporal-namespace').environment['SEARCH_ATTRIBUTES']?.split(' ')).toEqual([
      ...SEARCH_ATTRIBUTES,
    ]);
  });
});

it.each(['POSTGRES_PASSWORD', 'DECKHAND_PAYLOAD_KEYS'] as const)(
  'docker-compose.yml refuses to start without %s',
  async (name) => {
    const others = Object.fromEntries(Object.entries(REQUIRED).filter(([other]) => other !== name));
    await expect(composeConfig('simulated', others)).rejects.toThrow(name);
  },
);

it.each([
  ['simulated', 'reader'],
  ['gpu', 'ollama'],
])(
  'docker-compose.yml with profile %s leads the pool, which control starts, to %s whatever models are named, or where DECKHAND_STATIC_HOSTS says',
  async (profile, host) => {
    const projectWith = (variables: Record<string, string>): Promise<Project> => projectOf(profile, variables);
    const hostsIn = (project: Project): unknown => serviceOf(project, 'control').environment['DECKHAND_STATIC_HOSTS'];
    for (const variables of [{}, { DECKHAND_MODELS: 'ollama' }, { DECKHAND_MODELS: 'qwen3-vl' }]) {
      const project = await projectWith(variables);
      expect(hostsIn(project)).toBe('http://models:11434');
      const called = named(project, ({ networks }) => networks['backend']?.aliases.includes('models') ?? false);
      expect(called).toEqual([host]);
    }
    expect(hostsIn(await projectWith({ DECKHAND_STATIC_HOSTS: 'http://gpu-1:11434' }))).toBe('http://gpu-1:11434');
  },
);

it('docker-compose.yml reserves a GPU for Ollama and pulls the models of the default language profile, or those that OLLAMA_PULL names', async () => {
  const project = await projectOf('gpu');
  expect(serviceOf(project, 'ollama').deploy?.resources.reservations?.devices).toEqual([
    expect.objectContaining({ driver: 'nvidia', capabilities: ['gpu'] }),
  ]);
  const pulledBy = ({ services }: Project): string[] | undefined =>
    services['ollama-pull']?.environment['MODELS']?.split(' ').toSorted();
  const modelsOf = (profile: string): string[] => {
    const wanted = MODEL_CONFIGURATIONS.filter((c) => c.profile === profile).map((c) => c.modelName);
    return [...new Set(wanted)].toSorted();
  };
  expect(pulledBy(project)).toEqual(modelsOf(DEFAULT_LANGUAGE_PROFILE));
  const guide = readFileSync(join(REPOSITORY_DIR, 'docs/deployment.md'), 'utf8');
  const [, profile = '', names = ''] = /`DECKHAND_MODELS=(\S+)` with\n`OLLAMA_PULL=([^`]+)`/u.exec(guide) ?? [];
  expect(pulledBy(await projectOf('gpu', { OLLAMA_PULL: names }))).toEqual(modelsOf(profile));
});

it('docker-compose.yml starts from the Node version that everything else runs under', () => {
  const { dependencies } = z
    .object({ dependencies: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync(join(REPOSITORY_DIR, 'package.json'), 'utf8')));
  const bases = [...readFileSync(join(REPOSITORY_DIR, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
    (m) => m[1],
  );
  expect(bases.length).toBeGreaterThan(0);
  expect(new Set(bases)).toEqual(new Set([`node:${dependencies.node}-trixie-slim`]));
});
