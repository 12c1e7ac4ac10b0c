/**
 * The systemd unit of a watcher, as text.
 */

/** What the unit is made from; every path absolute. */
export interface UnitInput {
  readonly dropDir: string;
  /** Further folders that have to be mounted before it starts. */
  readonly roots: readonly string[];
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Variables without secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** File with `DECKHAND_API_KEY=…`. */
  readonly environmentFile: string;
  readonly user: string;
  readonly documentation: string;
}

/** `%` begins a specifier everywhere in a unit. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n');

const quoted = (text: string): string => (/^[\w./:=@,+-]+$/u.test(text) ? text : `"${escaped(text)}"`);

/** An argument of ExecStart, where `$` begins a variable too. */
const argument = (text: string): string => quoted(text).replaceAll('$', '$$$$');

/** What such a process never needs. */
const HARDENING = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'UMask=0022',
];

/** The unit file. */
export function systemdUnit(input: UnitInput): string {
  const { dropDir, roots, command, environment, environmentFile, user, documentation } = input;
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  return [
    '# Watcher of a Deckhand drop folder. Save it as /etc/systemd/system/deckhand-watch.service and put a key',
    `# (deckhand keys create) into ${environmentFile}, mode 0600, as DECKHAND_API_KEY=…; then:`,
    '#   systemctl daemon-reload && systemctl enable --now deckhand-watch',
    '[Unit]',
    `Description=Deckhand drop folder ${escaped(dropDir)}`,
    `Documentation=${documentation}`,
    'Wants=network-online.target',
    'After=network-online.target',
    `RequiresMountsFor=${[dropDir, ...roots].map(quoted).join(' ')}`,
    // However often it failed: the share may be back tomorrow.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `User=${user}`,
    `ExecStart=${command.map(argument).join(' ')}`,
    ...variables,
    `EnvironmentFile=-${escaped(environmentFile)}`,
    'Restart=on-failure',
    'RestartSec=5',
    'KillSignal=SIGTERM',
    'TimeoutStopSec=30',
    // The drop folder alone is written to; a file system that is away when it starts is no reason to fail for good.
    `ReadWritePaths=${quoted(dropDir)}`,
    ...HARDENING,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}
