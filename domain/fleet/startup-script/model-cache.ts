/**
 * A shared filesystem as a cache of models: blobs are copied from it before the model server starts, and what is missing there is copied to it
 * after the models have been pulled.
 *
 * The cache is never needed. Everything here may fail or hang: the mount is soft, each step has a time limit, systemd ends the whole after
 * another, and the model server then pulls as usual. Each blob is checked against the SHA-256 in its name before it gets that name, and a model
 * is there only once all its blobs are; its manifest comes last. The gateway compares the digest of each model with its pin as ever. Both
 * directions copy to a file of their own and rename it, so that a machine that dies, and machines that write at the same time, leave no half
 * blob behind.
 */
import { installFile, unitFile } from './shell.ts';
import { MODELS_DIR } from './ollama.ts';

const SCRIPT_PATH = '/usr/local/sbin/deckhand-model-cache';
const UNIT_NAME = 'deckhand-model-cache.service';
/** Run by the unit that pulls the models, once they are there; its failure is none of the pull. */
export const SAVE_TO_CACHE = `ExecStartPost=-${SCRIPT_PATH} save\n`;

/** A machine that starts waits for its cache so long at most. */
const SEED_LIMIT_SECONDS = 300;

/** Where the cache is. */
export interface ModelCache {
  /** What `mount -t nfs` takes, such as `nfs.fin-01.example.org:/ab12`. */
  readonly source: string;
  readonly mountPath: string;
}

const SOURCE = /^[A-Za-z0-9][A-Za-z0-9.-]*:\/[A-Za-z0-9._/-]*$/u;
const MOUNT_PATH = /^\/(?:mnt|srv|media)(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)+$/u;

/** True for a source that can stand in a script. */
export const isNfsSource = (source: string): boolean => SOURCE.test(source);
/** True for a directory below `/mnt`, `/srv` or `/media`. */
export const isMountPath = (path: string): boolean => MOUNT_PATH.test(path);

/** Path of a model's manifest in Ollama's store. @param name as it is pulled, such as `gemma3:12b` or `hf.co/someone/model:Q4` */
export function manifestPath(name: string): string {
  const slash = name.lastIndexOf('/');
  const [base = '', tag = 'latest'] = name.slice(slash + 1).split(':');
  const path = slash === -1 ? [] : name.slice(0, slash).split('/');
  const [host, ...rest] = path.length >= 2 ? path : ['registry.ollama.ai', ...(path.length === 0 ? ['library'] : path)];
  return [host, ...rest, base, tag].join('/');
}

/** The script: `seed` copies from the cache, `save` to it. It always succeeds. @param store Ollama's directory of models */
export const modelCacheScript = (
  { source, mountPath }: ModelCache,
  models: readonly string[],
  store = MODELS_DIR,
): string => `#!/usr/bin/env bash
# Copies models from the shared filesystem ("seed") or to it ("save"). Nothing needs it: whatever fails, the models are pulled.
set -uo pipefail

SOURCE=${source}
MOUNT=${mountPath}
CACHE=$MOUNT/deckhand-models
STORE=${store}
MANIFESTS=(${models.map(manifestPath).join(' ')})

log() { echo "model cache: $*"; }

# mounted: mounts the filesystem unless it is. Soft: what does not answer is an error and no wait.
mounted() {
  local try
  if timeout -k 5 10 mountpoint -q "$MOUNT"; then return 0; fi
  if ! command -v mount.nfs >/dev/null; then
    timeout -k 5 120 apt-get -o DPkg::Lock::Timeout=60 install --yes nfs-common >/dev/null || return 1
  fi
  mkdir -p "$MOUNT" || return 1
  # The machine may get its permission a moment after it has started.
  for try in 1 2 3 4; do
    if timeout -k 5 20 mount -t nfs -o soft,timeo=50,retrans=2,retry=0,nconnect=16,nosuid,nodev,noexec "$SOURCE" "$MOUNT"; then return 0; fi
    log "not mounted (try $try of 4)"
    sleep 5
  done
  return 1
}

blobs_of() { timeout -k 5 20 grep -o 'sha256:[0-9a-f]\\{64\\}' "$1" | tr : - | sort -u; }

# copy FROM TO PARTS: whole and with the digest of its name, or not at all.
copy() {
  local part name=\${2##*/}
  if [[ -e "$2" ]]; then return 0; fi
  part=$(mktemp "$3/part.XXXXXXXX") || return 1
  if timeout -k 5 240 cp "$1" "$part" && [[ "$(timeout -k 5 240 sha256sum <"$part")" == "\${name#sha256-}  -" ]] &&
    chmod 0644 "$part" && mv -f "$part" "$2"; then return 0; fi
  rm -f "$part"
  log "$name was not copied"
  return 1
}

seed() {
  local manifest blob part whole
  for manifest in "\${MANIFESTS[@]}"; do
    if [[ -e "$STORE/manifests/$manifest" ]]; then continue; fi
    if ! mounted; then
      log "$SOURCE cannot be mounted; the models are pulled"
      return
    fi
    mkdir -p "$STORE/blobs" "$STORE/parts" "$(dirname "$STORE/manifests/$manifest")"
    part=$STORE/parts/manifest
    if ! timeout -k 5 60 cp "$CACHE/manifests/$manifest" "$part"; then continue; fi
    whole=yes
    for blob in $(blobs_of "$part"); do
      copy "$CACHE/blobs/$blob" "$STORE/blobs/$blob" "$STORE/parts" || { whole=no; break; }
    done
    if [[ $whole == yes && -n "\${blob:-}" ]] && mv -f "$part" "$STORE/manifests/$manifest"; then log "$manifest came from it"; fi
    blob=
  done
  rm -rf "$STORE/parts"
  if id ollama >/dev/null 2>&1; then chown -R ollama:ollama "$STORE"; fi
}

save() {
  local manifest blob part whole
  mounted || return
  mkdir -p "$CACHE/blobs" "$CACHE/parts" || return
  timeout -k 5 60 find "$CACHE/parts" -type f -mmin +1440 -delete
  for manifest in "\${MANIFESTS[@]}"; do
    if [[ ! -e "$STORE/manifests/$manifest" ]]; then continue; fi
    whole=yes
    for blob in $(blobs_of "$STORE/manifests/$manifest"); do
      copy "$STORE/blobs/$blob" "$CACHE/blobs/$blob" "$CACHE/parts" || whole=no
    done
    if [[ $whole == no ]] || timeout -k 5 20 cmp -s "$STORE/manifests/$manifest" "$CACHE/manifests/$manifest"; then continue; fi
    mkdir -p "$(dirname "$CACHE/manifests/$manifest")"
    part=$(mktemp "$CACHE/parts/part.XXXXXXXX") || continue
    if timeout -k 5 60 cp "$STORE/manifests/$manifest" "$part" && mv -f "$part" "$CACHE/manifests/$manifest"; then
      log "$manifest is kept"
    else
      rm -f "$part"
    fi
  done
}

case "\${1:-}" in
  seed) seed ;;
  save) save ;;
esac
exit 0
`;

const UNIT = unitFile(
  UNIT_NAME,
  `[Unit]
Description=Copies models from the shared filesystem
Wants=network-online.target
After=network-online.target
Before=ollama.service

[Service]
Type=oneshot
ExecStart=${SCRIPT_PATH} seed
TimeoutStartSec=${SEED_LIMIT_SECONDS}
TimeoutStopSec=10

[Install]
WantedBy=multi-user.target
`,
);

/** Steps before the model server starts. A machine with its models does not even mount. */
export const modelCacheSteps = (
  cache: ModelCache,
  models: readonly string[],
): string => `# --- Cache of models, on a shared filesystem
${installFile(SCRIPT_PATH, '0755', modelCacheScript(cache, models))}
${installFile(UNIT.path, '0644', UNIT.text)}
systemctl daemon-reload
systemctl enable ${UNIT_NAME}
systemctl start ${UNIT_NAME} || log "no models came from the cache"
`;
