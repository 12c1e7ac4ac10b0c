/**
 * The model server of machines that run vLLM: a pinned release, the weights of one model at a pinned commit, and a unit that listens on loopback only.
 *
 * All of it is on the disk that is kept. The unit fetches the weights itself before it serves, and goes on where it was cut off, so that a machine
 * which was ended while it downloaded gets ready at its next boot. Weights are those of public repositories: a token would be a secret in the script.
 */
import { installFile, unitFile } from './shell.ts';
import { MODEL_SERVER_PORT } from './ollama.ts';

/**
 * The release machines get. The checksum is that of its wheel for Linux on x86_64; pip with its own checksum comes first, because those of images are
 * too old for a date. The packages that vLLM asks for are the newest of that date.
 */
export const VLLM_RELEASE = {
  version: '0.32.0',
  sha256: '5e2ecdc5b0baf72921c288486417ca82778456a448e4fe60b62ee43c0dfc8611',
  pip: { version: '26.3', sha256: 'f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13' },
  packagesOf: '2026-11-20T00:00:00Z',
} as const;

/** The model that such a machine serves. */
export interface VllmModel {
  /** Name under which it is asked for. */
  readonly name: string;
  /** Repository of its weights, such as `Qwen/Qwen3-VL-8B-Instruct`, and a commit of it. */
  readonly repository: string;
  readonly revision: string;
  readonly windowTokens: number;
  readonly seesPictures: boolean;
}

const REPOSITORY = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/u;
const REVISION = /^[0-9a-f]{40}$/u;

/** True for a model whose repository can stand in a script. */
export const isVllmModel = ({ repository, revision, windowTokens }: VllmModel): boolean =>
  REPOSITORY.test(repository) && REVISION.test(revision) && Number.isSafeInteger(windowTokens) && windowTokens > 0;

const DIR = `/opt/deckhand/vllm-${VLLM_RELEASE.version}`;
const HOME = '/var/lib/vllm';
const SCRIPT_PATH = '/usr/local/sbin/deckhand-vllm';
/** Where weights are. The end of a model's path, `Owner/Name@commit`, is its identity to Deckhand. */
export const WEIGHTS_DIR = `${HOME}/models`;
export const weightsPath = ({ repository, revision }: Pick<VllmModel, 'repository' | 'revision'>): string =>
  `${WEIGHTS_DIR}/${repository}@${revision}`;

/** The machine is ours alone: what weights and windows leave is cache. A pool has taken care that both fit with a tenth to spare. */
const MEMORY_SHARE = 0.9;
/** Answers without any white space: left to itself a model may write blanks to the end of its window. Only this backend was seen to do so. */
const STRUCTURED = JSON.stringify({ backend: 'xgrammar', disable_any_whitespace: true });

/** The script the unit runs: fetches what is missing of the weights, and becomes the server. @param slots parallel calls */
export const vllmScript = (model: VllmModel, slots: number): string => `#!/usr/bin/env bash
# Serves a model by vLLM, once its weights are here.
set -euo pipefail

REPOSITORY=${model.repository}
REVISION=${model.revision}
WEIGHTS=${weightsPath(model)}

if [[ ! -e "$WEIGHTS/.deckhand-complete" ]]; then
  echo "downloading $REPOSITORY at $REVISION"
  mkdir -p "$WEIGHTS"
  hf download "$REPOSITORY" --revision "$REVISION" --local-dir "$WEIGHTS" --quiet
  verified=0
  said=$(hf cache verify "$REPOSITORY" --revision "$REVISION" --local-dir "$WEIGHTS" --fail-on-missing-files 2>&1) || verified=$?
  printf '%s\\n' "$said"
  if [[ $verified -ne 0 ]]; then
    # Only what was compared is thrown away: the comparison asks the hub, which may not answer. A second time, a person has to look.
    if grep -qE 'Checksum verification failed|Missing files' <<<"$said" && [[ ! -e "$WEIGHTS.again" ]]; then
      echo "FAILED: the weights have other checksums than those of the repository; they are downloaded once more" >&2
      touch "$WEIGHTS.again"
      rm -rf "$WEIGHTS"
    else
      echo "FAILED: the weights could not be verified; they are kept, and verified again in a minute" >&2
      sleep 60
    fi
    exit 1
  fi
  rm -f "$WEIGHTS.again"
  touch "$WEIGHTS/.deckhand-complete"
fi

gpus=$(nvidia-smi --list-gpus | wc -l)
echo "starting vLLM on $gpus GPUs"
export HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1
exec vllm serve "$WEIGHTS" --served-model-name ${model.name} \\
  --host 127.0.0.1 --port ${MODEL_SERVER_PORT} \\
  --max-model-len ${model.windowTokens} --max-num-seqs ${slots} \\
  --gpu-memory-utilization ${MEMORY_SHARE} --tensor-parallel-size "$gpus" \\
  --structured-outputs-config '${STRUCTURED}' \\
  --generation-config vllm${model.seesPictures ? ` \\\n  --limit-mm-per-prompt '{"image":1}'` : ''}
`;

/** Its engine and its workers are processes of their own, which a server that is killed leaves behind with all their memory. */
const UNIT = unitFile(
  'vllm.service',
  `[Unit]
Description=vLLM for Deckhand
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
User=vllm
Group=vllm
WorkingDirectory=${HOME}
ExecStart=${SCRIPT_PATH}
Environment=HOME=${HOME}
Environment=PATH=${DIR}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
Environment=VLLM_NO_USAGE_STATS=1
Environment=DO_NOT_TRACK=1
Environment=HF_HUB_DISABLE_TELEMETRY=1
KillMode=control-group
TimeoutStopSec=20
Restart=always
RestartSec=10
NoNewPrivileges=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=full

[Install]
WantedBy=multi-user.target
`,
);

/** Steps that install and start the server; nothing waits for its weights. @param slots parallel calls */
export function vllmSteps(model: VllmModel, slots: number): string {
  const { version, sha256, pip, packagesOf } = VLLM_RELEASE;
  return `# --- Model server: vLLM ${version}
VLLM_DIR=${DIR}
# fetch_vllm PYTHON: installs the release. It is there once its mark is; what an earlier try left is removed.
fetch_vllm() {
  local wheels pip
  wheels=$(mktemp -d /var/tmp/vllm.XXXXXX)
  pip=("$VLLM_DIR/bin/python" -m pip --disable-pip-version-check --no-input --retries 10)
  rm -rf "$VLLM_DIR"
  "$1" -m venv "$VLLM_DIR"
  printf 'pip==%s --hash=sha256:%s\\n' ${pip.version} ${pip.sha256} >"$wheels/pip.txt"
  "\${pip[@]}" install --quiet --require-hashes --requirement "$wheels/pip.txt"
  printf 'vllm==%s --hash=sha256:%s\\n' ${version} ${sha256} >"$wheels/vllm.txt"
  "\${pip[@]}" download --quiet --no-deps --only-binary=:all: --require-hashes --requirement "$wheels/vllm.txt" --dest "$wheels"
  "\${pip[@]}" install --quiet --no-cache-dir --only-binary=:all: --uploaded-prior-to ${packagesOf} "$wheels"/vllm-*.whl
  rm -rf "$wheels"
  touch "$VLLM_DIR/complete"
}
if [[ ! -e "$VLLM_DIR/complete" ]]; then
  apt-get -o DPkg::Lock::Timeout=600 update
  # A compiler and the headers of Python: kernels are compiled on the machine.
  apt-get -o DPkg::Lock::Timeout=600 install --yes gcc python3-venv python3-dev
  if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    fetch_vllm python3
  else
    apt-get -o DPkg::Lock::Timeout=600 install --yes python3.11-venv python3.11-dev
    fetch_vllm python3.11
  fi
fi
if ! id vllm >/dev/null 2>&1; then
  useradd --system --user-group --home-dir ${HOME} --shell /usr/sbin/nologin vllm
fi
for group in video render; do
  if getent group "$group" >/dev/null; then usermod --append --groups "$group" vllm; fi
done
mkdir -p ${WEIGHTS_DIR}
chown -R vllm:vllm ${HOME}
${installFile(SCRIPT_PATH, '0755', vllmScript(model, slots))}
${installFile(UNIT.path, '0644', UNIT.text)}
systemctl daemon-reload
systemctl enable vllm.service
systemctl restart --no-block vllm.service
`;
}
