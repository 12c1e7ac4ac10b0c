/**
 * Pieces of shell that the parts of the startup script share.
 */

/** Marks the end of a file inside the script; no file of ours contains it. */
const END_OF_FILE = 'DECKHAND_END_OF_FILE';

/**
 * Head of a script: strict mode, log, and files that are replaced at once or not at all.
 *
 * @param comment lines without `#`
 * @param guard shell that runs before anything is written
 */
export const prelude = (comment: readonly string[], guard = ''): string => `#!/usr/bin/env bash
${comment.map((line) => `# ${line}`.trimEnd()).join('\n')}
set -Eeuo pipefail
${guard}umask 022
export DEBIAN_FRONTEND=noninteractive

STATE_DIR=/var/lib/deckhand
mkdir -p "$STATE_DIR"
exec > >(tee -a /var/log/deckhand-startup.log) 2>&1

log() { printf '%s deckhand: %s\\n' "$(date -u +%FT%TZ)" "$*"; }
trap 'log "FAILED in line $LINENO"; printf "line %s\\n" "$LINENO" >"$STATE_DIR/failed"' ERR
rm -f "$STATE_DIR/failed"

# install_file PATH MODE: puts standard input there.
install_file() {
  local path=$1 mode=$2 temporary
  mkdir -p "$(dirname "$path")"
  temporary=$(mktemp "$path.XXXXXX")
  cat >"$temporary"
  chmod "$mode" "$temporary"
  mv -f "$temporary" "$path"
}
`;

/** Shell that writes a file with exactly this text. */
export function installFile(path: string, mode: '0600' | '0644' | '0755', text: string): string {
  return `install_file ${path} ${mode} <<'${END_OF_FILE}'\n${text.trimEnd()}\n${END_OF_FILE}\n`;
}

/** A file of a systemd unit. */
export interface UnitFile {
  readonly path: string;
  readonly text: string;
}

export const unitFile = (name: string, text: string): UnitFile => ({ path: `/etc/systemd/system/${name}`, text });
