/**
 * The Dockerfile of a model server: Ollama at the pinned release with its models inside, and a process that proves them before it says so.
 *
 * A platform that runs it starts it anywhere and may read all of it, so it holds no key and nothing of Deckhand but `worker.py`. The models are in
 * the image because a container that downloads them first is ended by its platform's time limit.
 */
import { modelsScript } from '../startup-script/models.ts';
import {
  MODEL_SERVER_PORT,
  MODELS_DIR,
  OLLAMA_RELEASE,
  ollamaDir,
  ollamaDownload,
  ollamaEnvironment,
} from '../startup-script/ollama.ts';
import { pinsOf, type SetupPlan } from './setup.ts';

/** Where the proof is answered; the model server itself answers at {@link MODEL_SERVER_PORT}. */
export const WORKER_HEALTH = { port: 8080, path: '/api/health' } as const;

/** Debian 13 of 2026-09-18, by digest: a tag may move. */
const BASE = 'debian:trixie-20260918-slim@sha256:a99cfc517144bc59b1978475ec53b46ecabec7e43635402ee5b77cc54cd1b20a';
const USER = '10001:10001';
const WORKER_PATH = '/opt/deckhand/worker.py';
/** Between SIGTERM and the kill: the time that `worker.py` gives to calls that run, and some for Ollama to end. Docker's own is 10. */
const STOP_SECONDS = 40;
/** Marks the end of a script; none of ours contains it. */
const END_OF_STEP = 'DECKHAND_END_OF_STEP';

/** How the file is named and built, for its head. */
export interface ModelImageNames {
  /** One line that says what the image is for. */
  readonly title: string;
  /** What makes this file. */
  readonly writtenBy: string;
  /** `docker build` with its arguments, run where Deckhand is. */
  readonly build: string;
  /** Name of the image. */
  readonly tag: string;
}

/** See the file's header. Its build context is the folder `images/`. */
export function modelDockerfile(plan: SetupPlan, { title, writtenBy, build, tag }: ModelImageNames): string {
  const models = plan.models.map((model) => model.modelName);
  const served = { parallel: plan.parallel, loadTimeoutMs: plan.loadTimeoutMs, models };
  const environment = {
    ...ollamaEnvironment(served, '0.0.0.0'),
    NVIDIA_VISIBLE_DEVICES: 'all',
    NVIDIA_DRIVER_CAPABILITIES: 'compute,utility',
    WORKER_MODELS: JSON.stringify(
      plan.models.map(({ modelName: name, digest, numCtx, seesPictures }) => ({ name, digest, numCtx, seesPictures })),
    ),
    WORKER_HEALTH_PORT: String(WORKER_HEALTH.port),
    WORKER_HEALTH_PATH: WORKER_HEALTH.path,
  };
  return `# ${title}
# Ollama ${OLLAMA_RELEASE.version} with ${models.join(' and ')}; needs ${(plan.neededMib / 1024).toFixed(1)} GiB of graphics memory for ${plan.parallel} calls at a time, and driver ${plan.leastDriver} or newer.
${plan.notes.map((note) => `# ${note}\n`).join('')}# Written by ${writtenBy}; the text is in domain/fleet/setup/dockerfile.ts.
#
#   ${build}
#   docker run --rm --gpus all --stop-timeout ${STOP_SECONDS} -p 127.0.0.1:${MODEL_SERVER_PORT}:${MODEL_SERVER_PORT} -p 127.0.0.1:${WORKER_HEALTH.port}:${WORKER_HEALTH.port} ${tag}
#
# Ollama asks nobody for a key: publish its port on loopback as above, or behind the access control of a platform, never openly.

FROM ${BASE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates curl zstd && rm -rf /var/lib/apt/lists/*
${step(`log() { printf '%s\\n' "$*"; }
${ollamaDownload(OLLAMA_RELEASE)}fetch_ollama
`)}
${step(`# Ollama makes a private key in its home. Every container is to make its own, so this one stays out of the image.
HOME=$(mktemp -d)
export HOME OLLAMA_MODELS=${MODELS_DIR} OLLAMA_HOST=127.0.0.1:${MODEL_SERVER_PORT} OLLAMA_NO_CLOUD=1
mkdir -p "$OLLAMA_MODELS"
${ollamaDir(OLLAMA_RELEASE)}/bin/ollama serve &
server=$!
trap 'kill "$server"; wait "$server" || true' EXIT
${withoutHead(modelsScript(models, pinsOf(plan.models)))}`)}

FROM ${BASE}
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/deckhand /opt/deckhand
COPY --from=build --chown=${USER} /var/lib/ollama /var/lib/ollama
COPY --chmod=0555 worker.py ${WORKER_PATH}
${Object.entries(environment)
  .map(([name, value]) => `ENV ${name}=${/^[\w.:/,-]+$/u.test(value) ? value : `'${value}'`}`)
  .join('\n')}
USER ${USER}
EXPOSE ${MODEL_SERVER_PORT} ${WORKER_HEALTH.port}
# The proof loads the models, which takes minutes from a slow disk.
HEALTHCHECK --interval=30s --timeout=10s --start-period=15m --retries=3 CMD ["python3", "${WORKER_PATH}", "--check"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["python3", "${WORKER_PATH}", "${ollamaDir(OLLAMA_RELEASE)}/bin/ollama", "serve"]
`;
}

/** A step of the build that is a script of its own. */
const step = (script: string): string => `RUN <<'${END_OF_STEP}'
#!/usr/bin/env bash
set -euo pipefail
${script.trimEnd()}
${END_OF_STEP}`;

/** Without what {@link step} puts before it. */
const withoutHead = (script: string): string => script.replace(/^#!.*\n/u, '').replace(/^set -euo pipefail\n/mu, '');
