/**
 * The models: pulled in the background by a unit that repeats itself until they are there. On a machine that woke they are.
 *
 * A registry may put another model behind a name. Rented machines get names, and their gateway compares digests before it routes a call there;
 * where nothing watches the machine, the script compares them itself.
 */
import { installFile, unitFile } from './shell.ts';
import { MODEL_SERVER_PORT, MODELS_DIR } from './ollama.ts';

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

/**
 * The script the unit runs. It asks the server itself, so it is no matter which release of Ollama that is.
 *
 * @param pins a model with one is here only by its digest: under another one it is pulled again, and the script fails where that does not help
 */
export function modelsScript(models: readonly string[], pins: readonly PinnedModel[] = []): string {
  return `#!/usr/bin/env bash
# Pulls the models of Deckhand that are not here yet.
set -euo pipefail

SERVER=http://127.0.0.1:${MODEL_SERVER_PORT}
MODELS=(${models.join(' ')})
${pins.length === 0 ? IS_HERE_BY_NAME : isHereByDigest(pins)}
curl --fail --silent --retry 60 --retry-delay 2 --retry-all-errors --output /dev/null "$SERVER/api/version"
for model in "\${MODELS[@]}"; do
  body=$(printf '{"model":"%s","stream":false}' "$model")
  if is_here "$model"; then
    echo "$model is here"
    continue
  fi
  echo "pulling $model"
  curl --fail --silent --show-error --output /dev/null --data "$body" "$SERVER/api/pull"
${pins.length === 0 ? '' : COMPARISON}done
`;
}

const IS_HERE_BY_NAME = `
# is_here MODEL: whether the server has a model of this name.
is_here() {
  curl --fail --silent --output /dev/null --data "$(printf '{"model":"%s"}' "$1")" "$SERVER/api/show"
}
`;

/** The list holds one object for each model, and in it an object of details; so there is one line for each. */
const isHereByDigest = (pins: readonly PinnedModel[]): string => `declare -A DIGESTS=(
${pins.map(({ name, digest }) => `  [${name}]=${digest}`).join('\n')}
)

# is_here MODEL: whether the server has the model with its pinned digest.
is_here() {
  curl --fail --silent --show-error "$SERVER/api/tags" | tr '{' '\\n' | grep -F "\\"name\\":\\"$1\\"" |
    grep -F "\\"digest\\":\\"\${DIGESTS[$1]}\\"" >/dev/null
}
`;

const COMPARISON = `  if ! is_here "$model"; then
    echo "FAILED: $model is not the model of the pinned digest \${DIGESTS[$model]}: the library has another one under this name now." >&2
    echo "Run the set-up of a newer Deckhand, or copy ${MODELS_DIR} from a machine that has the pinned one and run this again." >&2
    exit 1
  fi
  echo "$model has its pinned digest"
`;

const unit = (afterwards: string) =>
  unitFile(
    'deckhand-models.service',
    `[Unit]
Description=Pulls the models of Deckhand
Wants=ollama.service network-online.target
After=ollama.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
ExecStart=${SCRIPT_PATH}
${afterwards}TimeoutStartSec=infinity
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

/** Steps that install and start the pull; nothing waits for it. @param afterwards lines of the unit, for what follows the pull */
export function modelSteps(models: readonly string[], afterwards = ''): string {
  if (models.length === 0) return '# --- Models: none\n';
  const { path, text } = unit(afterwards);
  return `# --- Models, pulled in the background
${installFile(SCRIPT_PATH, '0755', modelsScript(models))}
${installFile(path, '0644', text)}
systemctl daemon-reload
systemctl enable deckhand-models.service
systemctl restart --no-block deckhand-models.service
`;
}
