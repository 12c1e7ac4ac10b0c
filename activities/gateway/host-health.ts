/**
 * Measures the health of one machine: driver, kernel log, disk, model server, the gateway's own counts, and a real generation.
 *
 * Measuring changes nothing and decides nothing. A machine that does not answer is a failure, so that silence does not count as health.
 */
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { MEASURE_COMMAND, MEASURE_LIMIT_MS, MEASURE_OUTPUT_CHARS } from '../../domain/health/gpu/commands.ts';
import { readMachine, type MachineReading } from '../../domain/health/gpu/measurement.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { LONGEST_LOAD_MS } from '../../domain/health/rules.ts';
import type { CallsReading, MeasuredModel, ProbeReading } from '../../domain/health/types.ts';
import type { HostHealthActivities } from '../../contracts/health.ts';
import type { MemoryEntry } from '../models/client/model-server.ts';
import type { CallTally } from '../models/host/call-tally.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import { probeGeneration } from '../models/probes/generation.ts';
import { requiredModels, type RequiredModel } from '../models/host/required-models.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import type { AttachedMachine, Machine } from './machine.ts';

/** Time limit for a list from the model server. A slow server shows in its generation and its calls. */
const LIST_LIMIT_MS = 5000;
/** Limits of a plausible list of models. */
const MOST_MODELS = 32;
const NAME_CHARS = 200;
const MOST_BYTES = 2 ** 45;
/** Longest stored error of a generation. */
const MESSAGE_CHARS = 300;

export function createHostHealthActivities(attached: AttachedMachine, tally: CallTally): HostHealthActivities {
  const { instance, machine, ending } = attached;
  /** When each model was last tried, so that all are tried in turn. */
  const probedAtMs = new Map<string, number>();
  const hostNow = (): ModelHost => {
    const host = attached.host();
    if (host !== null) return host;
    throw new DeckhandError('host_not_ready', `${instance} is not attached yet`);
  };
  return {
    measureHealth: () =>
      withHeartbeat({ what: 'measurement' }, async ({ signal }) => {
        const host = hostNow();
        const [reading, models] = await Promise.all([readOver(machine, signal), loadedModels(host, signal)]);
        return {
          atMs: Date.now(),
          gpus: reading?.gpus ?? null,
          gpuMessage: reading === null ? null : reading.gpuMessage,
          withoutShell: reading === null,
          models,
          calls: callsOf(tally),
          diskFreeBytes: reading?.disk?.freeBytes ?? null,
          diskTotalBytes: reading?.disk?.totalBytes ?? null,
        };
      }),
    probeHealth: ({ timeoutMs, model: wanted }) =>
      withHeartbeat({ what: 'probe' }, async ({ signal }) => {
        const host = hostNow();
        const either = AbortSignal.any([signal, ending]);
        const probe = await host.trial(either, async (own) => {
          const model = await modelToProbe(attached, host, { probedAtMs, wanted }, own);
          probedAtMs.set(model.name, Date.now());
          return generate(host, model, timeoutMs, own);
        });
        return probe ?? { kind: 'busy', atMs: Date.now() };
      }),
  };
}

/** Null when there is no way to run commands on the machine. */
async function readOver(machine: Machine, signal: AbortSignal): Promise<MachineReading | null> {
  if (machine.shell === null) return null;
  const limits = { outputChars: MEASURE_OUTPUT_CHARS, timeoutMs: MEASURE_LIMIT_MS };
  const { output } = await machine.shell.run(MEASURE_COMMAND, signal, limits);
  return readMachine(output);
}

/** Empty when the server does not answer, because the GPU's figures are useful without it; its availability is watched elsewhere. */
async function loadedModels(host: ModelHost, signal: AbortSignal): Promise<MeasuredModel[]> {
  let loaded: readonly MemoryEntry[];
  try {
    loaded = await host.server.running({ signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_LIMIT_MS)]) });
  } catch {
    signal.throwIfAborted();
    return [];
  }
  return loaded
    .filter(isModel)
    .slice(0, MOST_MODELS)
    .map(({ name, sizeBytes, vramBytes }) => ({ name: plainText(name, NAME_CHARS), sizeBytes, vramBytes }));
}

/** The answer of the server is not trusted to match the client's types. */
const isModel = ({ name, sizeBytes, vramBytes }: MeasuredModel): boolean =>
  typeof name === 'string' &&
  [sizeBytes, vramBytes ?? 0].every((size) => Number.isInteger(size) && size >= 0 && size <= MOST_BYTES);

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

const callsOf = (tally: CallTally): CallsReading => ({
  inFlight: tally.inSlot,
  oldestCallAtMs: msOf(tally.oldestCallAt),
  lastCallAtMs: msOf(tally.lastCallAt),
  lastProgressAtMs: msOf(tally.lastProgressAt),
  overdueAtMs: msOf(tally.overdueAt),
  stalledInARow: tally.stalledInARow,
  unusableInARow: tally.unusableInARow,
});

/**
 * Selects the model for the generation: the requested one, else the loaded model that was tried least recently (each has its own runner,
 * which may hang), else the first. The check never unloads a model that calls are using.
 */
async function modelToProbe(
  { db, profile, classes, instance }: AttachedMachine,
  host: ModelHost,
  { probedAtMs, wanted }: { readonly probedAtMs: ReadonlyMap<string, number>; readonly wanted: string | undefined },
  signal: AbortSignal,
): Promise<RequiredModel> {
  const models = await requiredModels(db, profile, classes);
  const named = models.find(({ name }) => name === wanted);
  if (named !== undefined) return named;
  const loaded = await loadedModels(host, signal);
  const inMemory = models.filter((model) => loaded.some(({ name }) => host.server.isSameModel(name, model.name)));
  const [first] = (inMemory.length > 0 ? inMemory : models).toSorted(
    (a, b) => (probedAtMs.get(a.name) ?? 0) - (probedAtMs.get(b.name) ?? 0),
  );
  if (first !== undefined) return first;
  throw new DeckhandError('model_not_configured', `${instance} serves no model of profile ${profile}`);
}

/** Returns faults of the machine in the result; throws when the attachment ends or the activity is cancelled. */
async function generate(
  host: ModelHost,
  model: RequiredModel,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProbeReading> {
  const startedMs = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const loadTimeoutMs = Math.min(model.loadTimeoutMs, LONGEST_LOAD_MS);
    const { generationMs, vramBytes } = await probeGeneration(
      host.server,
      { ...model, loadTimeoutMs, attemptTimeoutMs: timeoutMs },
      { signal },
    );
    return { kind: 'answered', atMs: Date.now(), durationMs: generationMs, vramBytes, model: model.name };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message: text } = asDeckhandError(error);
    // It serves others: that is no fault of it.
    if (code === 'model_busy') return { kind: 'busy', atMs: Date.now() };
    const message = plainText(text, MESSAGE_CHARS);
    return { kind: 'failed', atMs: Date.now(), durationMs: durationMs(), message, model: model.name };
  }
}
