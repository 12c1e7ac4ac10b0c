/**
 * The model server: a pinned release of Ollama with its checksum, as a unit that listens on loopback only.
 */
import { installFile, unitFile } from './shell.ts';

/** What Ollama listens on, on the machine's own loopback. */
export const MODEL_SERVER_PORT = 11_434;

/** A release by version and checksum. */
export interface OllamaRelease {
  readonly version: string;
  /** SHA-256 (hex) of `ollama-linux-amd64.tar.zst`. */
  readonly sha256: string;
}

/** The release machines get. Version and checksum change together; the checksum is the one its release publishes. */
export const OLLAMA_RELEASE: OllamaRelease = {
  version: '0.32.7',
  sha256: 'ed1e39fe8fea90bd7f4c723bd949a2cea3153e111220ec0a183ea5b8dc8b2cae',
};

/** Requests that may wait for a model to load; beyond it Ollama refuses. Ours never come to that. */
const MAX_QUEUE = 512;

/** Where a release is. Its libraries are found beside its executable. */
export const ollamaDir = (release: OllamaRelease): string => `/opt/deckhand/ollama-${release.version}`;

const downloadUrl = ({ version }: OllamaRelease): string =>
  `https://github.com/ollama/ollama/releases/download/v${version}/ollama-linux-amd64.tar.zst`;

/** How Ollama is to serve. */
export interface OllamaOptions {
  readonly parallel: number;
  readonly loadTimeoutMs: number;
  readonly models: readonly string[];
}

/** Where Ollama keeps its models. */
export const MODELS_DIR = '/var/lib/ollama/models';

/** Variables of the server. @param address to listen on: of the machine loopback only */
export const ollamaEnvironment = (options: OllamaOptions, address: string): Readonly<Record<string, string>> => ({
  HOME: '/var/lib/ollama',
  OLLAMA_HOST: `${address}:${MODEL_SERVER_PORT}`,
  OLLAMA_MODELS: MODELS_DIR,
  OLLAMA_NUM_PARALLEL: String(options.parallel),
  OLLAMA_MAX_LOADED_MODELS: String(Math.max(1, options.models.length)),
  OLLAMA_KEEP_ALIVE: '-1',
  OLLAMA_LOAD_TIMEOUT: `${Math.ceil(options.loadTimeoutMs / 1000)}s`,
  OLLAMA_MAX_QUEUE: String(MAX_QUEUE),
  OLLAMA_NO_CLOUD: '1',
});

const unit = (release: OllamaRelease, options: OllamaOptions): string => `[Unit]
Description=Ollama for Deckhand
Wants=network-online.target
After=network-online.target

[Service]
User=ollama
Group=ollama
ExecStart=${ollamaDir(release)}/bin/ollama serve
${Object.entries(ollamaEnvironment(options, '127.0.0.1'))
  .map(([name, value]) => `Environment=${name}=${value}`)
  .join('\n')}
Restart=always
RestartSec=3
NoNewPrivileges=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=full

[Install]
WantedBy=multi-user.target
`;

/** Shell that defines `fetch_ollama`, which puts the release where {@link ollamaDir} says. Needs a function `log`. */
export const ollamaDownload = (release: OllamaRelease): string => `OLLAMA_DIR=${ollamaDir(release)}
fetch_ollama() {
  local archive
  archive=$(mktemp /var/tmp/ollama.XXXXXX)
  curl --fail --silent --show-error --location --retry 8 --retry-delay 5 --retry-all-errors --connect-timeout 20 \\
    --output "$archive" ${downloadUrl(release)}
  if ! printf '%s  %s\\n' ${release.sha256} "$archive" | sha256sum --check --status; then
    rm -f "$archive"
    log "FAILED: the download of Ollama has another checksum than the pinned one"
    return 1
  fi
  rm -rf "$OLLAMA_DIR" "$OLLAMA_DIR.part"
  mkdir -p "$OLLAMA_DIR.part"
  tar --zstd --extract --no-same-owner --file "$archive" --directory "$OLLAMA_DIR.part"
  mv "$OLLAMA_DIR.part" "$OLLAMA_DIR"
  rm -f "$archive"
}
`;

/** Steps that install and start the server. */
export function ollamaSteps(options: OllamaOptions & { readonly ollama?: OllamaRelease }): string {
  const release = options.ollama ?? OLLAMA_RELEASE;
  const service = unitFile('ollama.service', unit(release, options));
  return `# --- Model server: Ollama ${release.version}
${ollamaDownload(release)}if [[ ! -x "$OLLAMA_DIR/bin/ollama" ]]; then
  if ! command -v zstd >/dev/null || ! command -v curl >/dev/null; then
    apt-get -o DPkg::Lock::Timeout=600 update
    apt-get -o DPkg::Lock::Timeout=600 install --yes zstd curl
  fi
  fetch_ollama
fi
if ! id ollama >/dev/null 2>&1; then
  useradd --system --user-group --home-dir /var/lib/ollama --shell /usr/sbin/nologin ollama
fi
for group in video render; do
  if getent group "$group" >/dev/null; then usermod --append --groups "$group" ollama; fi
done
mkdir -p /var/lib/ollama/models
chown -R ollama:ollama /var/lib/ollama
${installFile(service.path, '0644', service.text)}
systemctl daemon-reload
systemctl enable ollama.service
systemctl restart ollama.service
`;
}
