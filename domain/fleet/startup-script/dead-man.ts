/**
 * The dead-man: a timer on the machine that shuts it down when no gateway has been in touch for the configured time.
 *
 * Being in touch is a mark that the gateway sets over its own connection each minute. An open connection would not do: every port of the
 * machine is public, and strangers knock on SSH all the time. Times are seconds since boot, so a clock that is set after a long sleep
 * changes nothing, and the mark is in memory, so a machine that boots starts to count anew.
 */
import { unitFile, type UnitFile } from './shell.ts';

export const DEAD_MAN_SCRIPT_PATH = '/usr/local/sbin/deckhand-dead-man';
const CONTACT_FILE = '/run/deckhand/contact';

/** What the gateway runs on the machine to be in touch. */
export const CONTACT_COMMAND = `mkdir -p /run/deckhand && cat /proc/uptime >${CONTACT_FILE}`;

/** The script the timer runs. `decide` is a function, so that it can be tried anywhere. */
export function deadManScript(limitSeconds: number): string {
  return `#!/usr/bin/env bash
# Ends this machine when Deckhand has not been in touch for ${limitSeconds} seconds.
set -euo pipefail

LIMIT_SECONDS=${limitSeconds}

# seconds_in FILE: the whole seconds at the beginning of the file; 0 without a readable number.
seconds_in() {
  local first=""
  if [[ -r "$1" ]]; then read -r first _ <"$1" || true; fi
  first=\${first%%.*}
  if [[ "$first" =~ ^[0-9]+$ ]]; then printf '%s' "$first"; else printf '0'; fi
}

# decide UPTIME_FILE CONTACT_FILE LIMIT_SECONDS: prints "end" or "stay".
decide() {
  local up contact
  up=$(seconds_in "$1")
  contact=$(seconds_in "$2")
  # A mark from the future is no mark.
  if ((10#$contact > 10#$up)); then contact=0; fi
  if ((10#$up - 10#$contact >= 10#$3)); then printf 'end\\n'; else printf 'stay\\n'; fi
}

if [[ "\${BASH_SOURCE[0]}" == "$0" ]]; then
  if [[ "$(decide /proc/uptime ${CONTACT_FILE} "$LIMIT_SECONDS")" == end ]]; then
    echo "Deckhand has not been in touch for $LIMIT_SECONDS seconds: shutting down"
    systemctl poweroff
  fi
fi
`;
}

/** Timer and service. */
export const deadManUnits = (): UnitFile[] => [
  unitFile(
    'deckhand-dead-man.service',
    `[Unit]
Description=Ends this machine when Deckhand has not been in touch

[Service]
Type=oneshot
ExecStart=${DEAD_MAN_SCRIPT_PATH}
`,
  ),
  unitFile(
    'deckhand-dead-man.timer',
    `[Unit]
Description=Looks each minute whether Deckhand has been in touch

[Timer]
OnBootSec=1min
OnUnitActiveSec=1min
AccuracySec=10s

[Install]
WantedBy=timers.target
`,
  ),
];
