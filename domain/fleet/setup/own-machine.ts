/**
 * The script that sets up a GPU machine of one's own: the same server, release and models as on rented machines, and nothing else of them.
 *
 * It changes neither SSH nor the firewall of the machine, installs no driver and shuts nothing down. It stops with what to do before it writes
 * anything when the machine cannot run the models.
 */
import { installDriver } from '../../health/gpu/diagnosis/compatibility.ts';
import { pinnedModelSteps } from '../startup-script/models.ts';
import { MODEL_SERVER_PORT, OLLAMA_RELEASE, ollamaSteps } from '../startup-script/ollama.ts';
import { prelude } from '../startup-script/shell.ts';
import { pinsOf, type SetupPlan } from './setup.ts';

/** See the file's header. The same plan gives the same text. */
export function ownMachineScript(plan: SetupPlan): string {
  const names = plan.models.map((model) => model.modelName);
  return [
    prelude(commentOf(plan, names), `${guardText(plan)}\ncheck_machine\ncheck_tools\ncheck_port\ncheck_gpu\n`),
    ollamaSteps({ parallel: plan.parallel, loadTimeoutMs: plan.loadTimeoutMs, models: names }),
    pinnedModelSteps(pinsOf(plan.models)),
    `log "ready: Ollama ${OLLAMA_RELEASE.version} at http://127.0.0.1:${MODEL_SERVER_PORT}. Check it with: ./deckhand doctor --gpu"`,
    '',
  ].join('\n');
}

const commentOf = ({ gpu, parallel, notes }: SetupPlan, names: readonly string[]): string[] => [
  `Sets up Ollama ${OLLAMA_RELEASE.version} for Deckhand on ${gpu === null ? 'a GPU machine' : `an NVIDIA ${gpu.name}`}: ${names.join(' and ')}, parallel calls: ${parallel}.`,
  'Running it again repairs and changes nothing else.',
  ...notes,
  '',
  'Linux on x86_64 with systemd and an NVIDIA driver, as root: sudo bash FILE',
  'Windows: inside WSL2, with the driver of Windows (never one inside WSL) and systemd switched on in /etc/wsl.conf.',
  '',
  'The server listens on loopback only. Deckhand on another machine reaches it through SSH:',
  `  ssh -N -L ${MODEL_SERVER_PORT}:127.0.0.1:${MODEL_SERVER_PORT} USER@THIS_MACHINE`,
];

/**
 * Shell that defines `check_machine`, `check_tools`, `check_port` and `check_gpu`. They only look, and end the script with what to do. They are
 * functions, so that they can be tried anywhere.
 */
export function guardText({ neededMib, leastDriver, olderGpus, leastCapability }: SetupPlan): string {
  return `# What an interactive shell finds and sudo does not.
PATH="$PATH:/usr/lib/wsl/lib"
NEEDED_MIB=${neededMib}
UNIT=/etc/systemd/system/ollama.service

stop() {
  printf 'This machine cannot be set up: %s\\n' "$1" >&2
  exit 1
}

check_machine() {
  if [[ $EUID -ne 0 ]]; then stop "run this as root: sudo bash FILE"; fi
  if [[ "$(uname -sm)" != "Linux x86_64" ]]; then stop "it is $(uname -sm); the pinned release is for Linux on x86_64"; fi
  if [[ ! -d /run/systemd/system ]]; then
    stop "systemd does not run here. WSL2: write [boot] and systemd=true into /etc/wsl.conf, run 'wsl --shutdown' on Windows and open it again"
  fi
  if [[ -e "$UNIT" ]] && ! grep -q "Ollama for Deckhand" "$UNIT"; then
    stop "a service ollama is here already. Use it as it is (./deckhand doctor --gpu), or remove it first"
  fi
}

# What the steps download and unpack with. They install it with apt-get where that is here.
check_tools() {
  local tool
  if command -v apt-get >/dev/null; then return 0; fi
  for tool in curl zstd; do
    if ! command -v "$tool" >/dev/null; then
      stop "it has neither $tool nor apt-get to install it: install curl and zstd with the package manager of this system first"
    fi
  done
}

# The port of the server is free, or the service of an earlier run has it.
check_port() {
  if [[ -e "$UNIT" ]] && systemctl is-active --quiet ollama.service; then return 0; fi
  if ! (exec 3<>/dev/tcp/127.0.0.1/${MODEL_SERVER_PORT}) 2>/dev/null; then return 0; fi
  stop "another program answers on port ${MODEL_SERVER_PORT}; ss -ltnp shows which (in WSL2 it may be Ollama of Windows). If it is an Ollama, use it as it is (./deckhand doctor --gpu); otherwise end it first"
}

# at_least A B: whether the decimal A is B or more.
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 >= b + 0) }'; }

# smallest FIELD: the smallest value of a field over all GPUs.
smallest() { nvidia-smi --query-gpu="$1" --format=csv,noheader,nounits 2>/dev/null | sort -n | awk 'NR == 1' || true; }

check_gpu() {
  local driver capability memory_mib least_driver=${leastDriver}
  if ! command -v nvidia-smi >/dev/null; then stop "it has no NVIDIA driver. ${INSTALL_DRIVER}"; fi
  if ! nvidia-smi --list-gpus >/dev/null; then stop "its driver does not answer or shows no GPU: see dmesg | grep NVRM, and reboot"; fi
  capability=$(smallest compute_cap)
  # Old drivers do not say it.
  if [[ "$capability" =~ ^[0-9]+\\.[0-9]+$ ]]; then
    if ! at_least "$capability" ${leastCapability}; then
      stop "its GPU has compute capability $capability; Ollama needs ${leastCapability.toFixed(1)}: take a newer GPU"
    fi
${olderGpus === null ? '' : `    if at_least ${olderGpus.upToCapability} "$capability"; then least_driver=${olderGpus.leastDriver}; fi\n`}  fi
  driver=$(smallest driver_version)
  if ! at_least "\${driver%%.*}" "$least_driver"; then
    stop "its driver $driver is older than $least_driver. ${INSTALL_DRIVER}"
  fi
  memory_mib=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | awk '{ sum += $1 } END { print sum + 0 }')
  if ! at_least "$memory_mib" "$NEEDED_MIB"; then
    stop "its GPUs have $memory_mib MiB; the models with their caches need $NEEDED_MIB. Name the GPU: ./deckhand setup ollama --gpu GPU"
  fi
}
`;
}

/** Inside double quotes of the shell. */
const INSTALL_DRIVER = installDriver('$least_driver').replaceAll('`', '');
