/**
 * The script that prepares a rented machine at its first boot: a pure function of what the machine is to hold.
 *
 * It contains no secret: everyone with access to the provider's account can read it. Everything it sets up is on the disk and enabled at boot,
 * because a machine that wakes from its disk gets no script and no key. It goes from what must hold in any case to what may fail: the key
 * and the dead-man first, then who may come in, then the driver, the model server and its models.
 */
import { DeckhandError } from '../../errors.ts';
import { DEAD_MAN_SCRIPT_PATH, deadManScript, deadManUnits } from './dead-man.ts';
import { accessSteps } from './access.ts';
import { isMountPath, isNfsSource, modelCacheSteps, SAVE_TO_CACHE, type ModelCache } from './model-cache.ts';
import { isModelName, modelSteps } from './models.ts';
import { ollamaSteps, type OllamaRelease } from './ollama.ts';
import { installFile, prelude } from './shell.ts';
import { isVllmModel, vllmSteps, type VllmModel } from './vllm.ts';

export { CONTACT_COMMAND } from './dead-man.ts';
export { MODEL_SERVER_PORT, type OllamaRelease } from './ollama.ts';

/** What a machine is to hold. */
export interface StartupScriptOptions {
  /** OpenSSH public key of the installation, one line. */
  readonly publicKey: string;
  /** Port of the machine's SSH server. */
  readonly sshPort?: number;
  /** Names of the models that Ollama pulls, in this order. */
  readonly models: readonly string[];
  /** The model that vLLM serves instead; absent = Ollama with the models above. */
  readonly vllm?: VllmModel;
  /** Parallel calls. */
  readonly parallel: number;
  /** Longest time a model may take to load. */
  readonly loadTimeoutMs: number;
  /** The machine shuts itself down when no gateway has been in touch for this long. */
  readonly deadManMs: number;
  /** Defaults to the pinned release. */
  readonly ollama?: OllamaRelease;
  /** A shared filesystem that models are copied from and to; absent = none. */
  readonly cache?: ModelCache;
}

const PUBLIC_KEY = /^ssh-ed25519 [A-Za-z0-9+/]{40,}={0,2}(?: [A-Za-z0-9@._-]+)?$/u;
/** The machine hears of us every minute; a limit near that would end machines that are in use. */
const SHORTEST_DEAD_MAN_MS = 300_000;

/**
 * The script. The same options give the same text.
 *
 * @throws DeckhandError `usage` for a key, name or path that does not belong into a script, or a dead-man time below five minutes
 */
export function startupScript(options: StartupScriptOptions): string {
  check(options);
  const deadManSeconds = Math.round(options.deadManMs / 1000);
  return [
    prelude(COMMENT),
    accessSteps(options.publicKey, options.sshPort ?? 22),
    '# --- Dead-man: ends the machine when nobody has been in touch',
    installFile(DEAD_MAN_SCRIPT_PATH, '0755', deadManScript(deadManSeconds)),
    ...deadManUnits().map((unit) => installFile(unit.path, '0644', unit.text)),
    'systemctl daemon-reload',
    'systemctl enable --now deckhand-dead-man.timer',
    '',
    DRIVER_CHECK,
    ...(options.vllm === undefined ? ollamaParts(options) : [vllmSteps(options.vllm, options.parallel)]),
    'touch "$STATE_DIR/prepared"',
    'log "the machine is prepared"',
    '',
  ].join('\n');
}

function ollamaParts(options: StartupScriptOptions): string[] {
  const cache = options.models.length === 0 ? undefined : options.cache;
  return [
    ...(cache === undefined ? [] : [modelCacheSteps(cache, options.models)]),
    ollamaSteps(options),
    modelSteps(options.models, cache === undefined ? '' : SAVE_TO_CACHE),
  ];
}

const COMMENT = [
  'Prepares this machine for Deckhand. Runs as root at the first boot; running it again repairs and changes nothing else.',
];

function check(options: StartupScriptOptions): void {
  const wrong = (what: string): never => {
    throw new DeckhandError('usage', `startup script: ${what}`);
  };
  if (!PUBLIC_KEY.test(options.publicKey)) wrong('the public key is not one line of OpenSSH ed25519');
  for (const model of options.models) if (!isModelName(model)) wrong(`${JSON.stringify(model)} is no model name`);
  if (options.vllm !== undefined && !(isModelName(options.vllm.name) && isVllmModel(options.vllm)))
    wrong(`${JSON.stringify(options.vllm)} is no model that vLLM serves`);
  if (options.cache !== undefined) {
    const { source, mountPath } = options.cache;
    if (!isNfsSource(source)) wrong(`${JSON.stringify(source)} is no source of an NFS mount`);
    if (!isMountPath(mountPath)) wrong(`${JSON.stringify(mountPath)} is no directory below /mnt, /srv or /media`);
  }
  if (options.deadManMs < SHORTEST_DEAD_MAN_MS) wrong(`the dead-man time is below ${SHORTEST_DEAD_MAN_MS / 1000} s`);
}

/** A machine without its GPU goes on: the gateway reaches it, finds no GPU and says so, which an unreachable machine could not. */
const DRIVER_CHECK = `# --- Driver: may load a while after boot
driver_ready() {
  local try
  for ((try = 1; try <= 30; try++)); do
    if nvidia-smi -L; then return 0; fi
    log "no GPU yet (look $try of 30)"
    sleep 10
  done
  return 1
}
if driver_ready; then
  rm -f "$STATE_DIR/driver-failed"
else
  log "FAILED: nvidia-smi shows no GPU; is this an image with a driver?"
  { nvidia-smi 2>&1 || true; } >"$STATE_DIR/driver-failed"
fi
`;
