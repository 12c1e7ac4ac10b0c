/**
 * The models: pulled in the background by a unit that repeats itself until they are there. On a machine that woke they are.
 */
import { installFile, unitFile } from './shell.ts';
import { MODEL_SERVER_PORT } from './ollama.ts';

const SCRIPT_PATH = '/usr/local/sbin/deckhand-models';

/** The script the unit runs. It asks the server itself, so it is no matter which release of Ollama that is. */
export function modelsScript(models: readonly string[]): string {
  return `#!/usr/bin/env bash
# Pulls the models of Deckhand that are not here yet.
set -euo pipefail

SERVER=http://127.0.0.1:${MODEL_SERVER_PORT}

curl --fail --silent --retry 60 --retry-delay 2 --retry-all-errors --output /dev/null "$SERVER/api/version"
for model in ${models.join(' ')}; do
  body=$(printf '{"model":"%s","stream":false}' "$model")
  if curl --fail --silent --output /dev/null --data "$body" "$SERVER/api/show"; then
    echo "$model is here"
    continue
  fi
  echo "pulling $model"
  curl --fail --silent --show-error --output /dev/null --data "$body" "$SERVER/api/pull"
done
`;
}

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
