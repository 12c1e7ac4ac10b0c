/**
 * The models: pulled in the background by a unit that repeats itself until they are there. On a machine that woke they are.
 *
 * A registry may put another model behind a name. Rented machines get names, and their gateway compares digests before it routes a call there;
 * where nothing watches the machine, the script compares them itself.
 */
import { installFile, unitFile } from './shell.ts';
import { MODEL_SERVER_PORT } from './ollama.ts';

const SCRIPT_PATH = '/usr/local/sbin/deckhand-models';

const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]*$/u;
const DIGEST = /^[0-9a-f]{64}$/u;

/** True for a name that can stand in a script. */
export const isModelName = (name: string): boolean => MODEL_NAME.test(name);

/** A model by the digest that `/api/tags` shows. */
export interface PinnedModel {
  /** With its tag. */
  readonly name: string;
  /** SHA-256 (hex) of the model's manifest. */
  readonly digest: string;
}

/** True for a model that can stand in a script. */
export const isPinnedModel = ({ name, digest }: PinnedModel): boolean => isModelName(name) && DIGEST.test(digest);

/** The script the unit runs. It asks the server itself, so it is no matter which release of Ollama that is. @param pins compared at the end */
export function modelsScript(models: readonly string[], pins: readonly PinnedModel[] = []): string {
  return `#!/usr/bin/env bash
# Pulls the models of Deckhand that are not here yet.
set -euo pipefail

SERVER=http://127.0.0.1:${MODEL_SERVER_PORT}
MODELS=(${models.join(' ')})

curl --fail --silent --retry 60 --retry-delay 2 --retry-all-errors --output /dev/null "$SERVER/api/version"
for model in "\${MODELS[@]}"; do
  body=$(printf '{"model":"%s","stream":false}' "$model")
  if curl --fail --silent --output /dev/null --data "$body" "$SERVER/api/show"; then
    echo "$model is here"
    continue
  fi
  echo "pulling $model"
  curl --fail --silent --show-error --output /dev/null --data "$body" "$SERVER/api/pull"
done
${pins.length === 0 ? '' : comparison(pins)}`;
}

/** The list holds one object for each model, and in it an object of details; so there is one line for each. */
const comparison = (pins: readonly PinnedModel[]): string => `
# check_digest MODEL DIGEST: fails when the server has the model with another digest.
check_digest() {
  if curl --fail --silent --show-error "$SERVER/api/tags" | tr '{' '\\n' | grep -F "\\"name\\":\\"$1\\"" | grep -F "\\"digest\\":\\"$2\\"" >/dev/null; then
    echo "$1 has its pinned digest"
    return 0
  fi
  echo "FAILED: $1 is not the model of the pinned digest $2" >&2
  return 1
}
${pins.map(({ name, digest }) => `check_digest ${name} ${digest}`).join('\n')}
`;

const UNIT = unitFile(
  'deckhand-models.service',
  `[Unit]
Description=Pulls the models of Deckhand
Wants=ollama.service network-online.target
After=ollama.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${SCRIPT_PATH}
TimeoutStartSec=infinity
Restart=on-failure
RestartSec=20

[Install]
WantedBy=multi-user.target
`,
);

/** Steps that pull the models at once and fail when one has another digest than its pin. */
export const pinnedModelSteps = (models: readonly PinnedModel[]): string => `# --- Models, by digest
${installFile(
  SCRIPT_PATH,
  '0755',
  modelsScript(
    models.map((model) => model.name),
    models,
  ),
)}
${SCRIPT_PATH}
`;

/** Steps that install and start the pull; nothing waits for it. */
export function modelSteps(models: readonly string[]): string {
  if (models.length === 0) return '# --- Models: none\n';
  return `# --- Models, pulled in the background
${installFile(SCRIPT_PATH, '0755', modelsScript(models))}
${installFile(UNIT.path, '0644', UNIT.text)}
systemctl daemon-reload
systemctl enable deckhand-models.service
systemctl restart --no-block deckhand-models.service
`;
}
