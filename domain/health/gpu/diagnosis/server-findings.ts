/**
 * The model server: does it answer, does it use the GPU, is it set up for the way Deckhand calls it?
 */
import type { DiagnosisFacts } from './facts.ts';
import { serverWords, type ServerWords } from './server-words.ts';
import { findingsIn, gib, type GpuFinding } from './finding.ts';

const { ok, warn, fail, skipped } = findingsIn('model server');
const inSettings = findingsIn('settings');

export function serverFindings(facts: DiagnosisFacts): GpuFinding[] {
  const { server } = facts;
  const words = serverWords(facts);
  if (server.message !== null) {
    return [fail(words.title, `${server.url} does not answer: ${server.message}`, words.start)];
  }
  return [
    version(facts, words),
    device(facts),
    ...inMemory(facts),
    generation(facts, words),
    ...restarts(facts, words),
    ...settingFindings(facts),
  ];
}

function version({ server }: DiagnosisFacts, { title }: ServerWords): GpuFinding {
  const found = `${server.version ?? 'no version'} at ${server.url}`;
  if (server.isReader) return ok(title, `built-in reader ${found}: rules, not a language model`);
  const range = server.supportedVersions;
  switch (server.support) {
    case 'supported':
      return ok(title, found);
    case 'newer':
      return warn(
        title,
        `${found}: newer than what Deckhand is tested with (${range})`,
        'It is used; should answers go wrong, install a tested release.',
      );
    case 'older':
      return fail(title, `${found}: too old (${range})`, 'Install a newer release: https://ollama.com/download');
    case 'unknown':
    case null:
      return warn(title, `${found}: a build without a version`, `Install a release of ${range}.`);
  }
}

/** What its log says it computes on. */
function device({ machine, server }: DiagnosisFacts): GpuFinding {
  const name = 'computes on';
  if (server.isReader) return ok(name, 'nothing: rules need no GPU');
  if (machine === null) return skipped(name, 'its log cannot be read from here');
  if (server.kind !== 'ollama') return skipped(name, 'a server of this protocol does not say');
  if (machine.devices.length === 0)
    return skipped(name, 'its log does not say (no service `ollama`, or no right to read its journal)');
  const words = machine.devices
    .map((d) => `${d.library}${d.description === null ? '' : ` (${d.description})`}`)
    .join(', ');
  if (machine.devices.every((d) => d.library.toLowerCase() === 'cpu'))
    return fail(
      name,
      `the CPU alone (${words})`,
      'It saw no GPU when it started: put the driver right first, then `systemctl restart ollama`.',
    );
  return ok(name, words);
}

/** Models in memory and where they are. What others run on purpose on the CPU is listed, and only configured models are judged. */
function inMemory({ loaded, models, server }: DiagnosisFacts): GpuFinding[] {
  // Others do not say where their models are.
  if (server.isReader || server.kind !== 'ollama') return [];
  const name = 'models in memory';
  const words = loaded.map(({ name: model, sizeBytes, vramBytes }) => {
    const where = vramBytes === 0 ? ' on the CPU' : vramBytes < sizeBytes ? `, ${gib(vramBytes)} of it on the GPU` : '';
    return `${model} ${gib(sizeBytes)}${where}`;
  });
  const found = words.length === 0 ? 'none' : words.join('; ');
  const ours = loaded.filter((one) => models.some((model) => [model.name, `${model.name}:latest`].includes(one.name)));
  if (ours.some(({ sizeBytes, vramBytes }) => vramBytes === 0 && sizeBytes > 0))
    return [fail(name, found, 'Restart the model server; if it stays so, put the driver right (see above) or reboot.')];
  if (ours.some(({ sizeBytes, vramBytes }) => vramBytes < sizeBytes))
    return [
      warn(
        name,
        found,
        'The rest runs on the CPU, much slower: fewer parallel calls, a smaller window, or a larger GPU.',
      ),
    ];
  return [ok(name, found)];
}

function generation({ generation: tried, server }: DiagnosisFacts, { restart, readLog }: ServerWords): GpuFinding {
  const name = 'generation';
  switch (tried.kind) {
    case 'not_tried':
      return skipped(name, tried.reason);
    case 'failed':
      return fail(name, `${tried.model}: ${tried.message}`, `${restart}. ${readLog}`);
    case 'answered': {
      const took = `${tried.model} answered in ${seconds(tried.generationMs)}${tried.loadMs === 0 ? '' : `, loaded in ${seconds(tried.loadMs)}`}`;
      if (server.isReader || tried.vramBytes === null) return ok(name, took);
      if (tried.vramBytes === 0)
        return fail(
          name,
          `${took}, on the CPU: nothing of it is in the GPU’s memory`,
          'Restart the model server; if it stays so, put the driver right (see above) or reboot.',
        );
      if (tried.vramBytes < tried.sizeBytes)
        return warn(
          name,
          `${took}, with ${gib(tried.vramBytes)} of ${gib(tried.sizeBytes)} on the GPU`,
          'The rest runs on the CPU, much slower: fewer parallel calls, a smaller window, or a larger GPU.',
        );
      return ok(name, `${took}, all ${gib(tried.sizeBytes)} on the GPU`);
    }
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const restarts = ({ machine }: DiagnosisFacts, { readLog }: ServerWords): GpuFinding[] =>
  machine?.restarts !== undefined && machine.restarts !== null && machine.restarts > 0
    ? [warn('crashes', `its service was started again ${machine.restarts} times after it ended`, readLog)]
    : [];

/** Settings that Deckhand's way of calling depends on. */
function settingFindings({ machine, models, parallel, server }: DiagnosisFacts): GpuFinding[] {
  // Others take theirs as arguments when they start.
  if (server.isReader || server.kind !== 'ollama') return [];
  if (machine === null || machine.settings === null)
    return [inSettings.skipped('settings', 'the settings of its service cannot be read from here')];
  const { settings } = machine;
  const set = (name: string): string | null => {
    const value = settings[name];
    return value === undefined || value === '' ? null : value;
  };
  return [
    parallelCalls(set('OLLAMA_NUM_PARALLEL'), parallel),
    loadedModels(set('OLLAMA_MAX_LOADED_MODELS'), models.length),
    keepAlive(set('OLLAMA_KEEP_ALIVE')),
    flashAttention(set('OLLAMA_FLASH_ATTENTION')),
    ...forcedOffGpu(set('OLLAMA_LLM_LIBRARY'), settings['CUDA_VISIBLE_DEVICES']),
  ];
}

function parallelCalls(value: string | null, parallel: number): GpuFinding {
  const name = 'OLLAMA_NUM_PARALLEL';
  const fix = `Set it to ${parallel}, the same as DECKHAND_MODEL_CONCURRENCY.`;
  if (value === null) return inSettings.warn(name, `not set; Deckhand makes ${parallel} calls at a time`, fix);
  const slots = Number(value);
  if (slots === 0 || Number.isNaN(slots))
    return inSettings.warn(name, `${value}; Deckhand makes ${parallel} calls at a time`, fix);
  if (slots < parallel)
    return inSettings.warn(
      name,
      `${slots}, while Deckhand makes ${parallel} calls at a time: the others wait in the server`,
      fix,
    );
  if (slots > parallel)
    return inSettings.warn(
      name,
      `${slots}, while Deckhand makes ${parallel} calls at a time: graphics memory is kept for calls that never come`,
      fix,
    );
  return inSettings.ok(name, value);
}

function loadedModels(value: string | null, count: number): GpuFinding {
  const name = 'OLLAMA_MAX_LOADED_MODELS';
  // Unset or 0: three for each GPU.
  if (value === null || Number(value) === 0) return inSettings.ok(name, 'not set: three for each GPU');
  if (Number(value) < count)
    return inSettings.warn(
      name,
      `${value}, while ${count} models are used: they push each other out`,
      `Set it to ${count}.`,
    );
  return inSettings.ok(name, value);
}

/** Each of our requests says so itself; what others ask for counts by the setting. */
const keepAlive = (value: string | null): GpuFinding =>
  inSettings.ok('OLLAMA_KEEP_ALIVE', `${value ?? 'not set'}; Deckhand asks for -1 with every call`);

function flashAttention(value: string | null): GpuFinding {
  const name = 'OLLAMA_FLASH_ATTENTION';
  if (value !== null && /^(?:0|f|false)$/iu.test(value))
    return inSettings.warn(name, `${value}: long windows take more memory and time`, 'Unset it, or set it to 1.');
  return inSettings.ok(name, value ?? 'not set: the server decides by model');
}

function forcedOffGpu(library: string | null, visible: string | undefined): GpuFinding[] {
  const found: GpuFinding[] = [];
  if (library !== null && /^cpu/iu.test(library))
    found.push(inSettings.fail('OLLAMA_LLM_LIBRARY', `${library}: the GPU is switched off by it`, 'Unset it.'));
  if (visible !== undefined && /^(?:-1|none|nodevfiles)$/iu.test(visible))
    found.push(inSettings.fail('CUDA_VISIBLE_DEVICES', `${visible}: the GPU is hidden by it`, 'Unset it.'));
  return found;
}
