/**
 * Who may come in, and by which key the machine is known: our key, host keys that outlive a wake, SSH for one forward, everything else shut.
 */
import { installFile, unitFile } from './shell.ts';
import { MODEL_SERVER_PORT } from './ollama.ts';

/** A machine woken from its disk is a new instance to cloud-init, which would then make new host keys and rewrite root's access. */
const CLOUD_INIT = `# Deckhand: this disk boots again as another instance and must stay the machine it is known as.
ssh_deletekeys: false
disable_root: false
`;

const SSHD = `# Deckhand: keys only, and of all forwards the one to the model server.
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowAgentForwarding no
AllowTcpForwarding local
PermitOpen 127.0.0.1:${MODEL_SERVER_PORT}
AllowStreamLocalForwarding no
X11Forwarding no
ClientAliveInterval 30
`;

const firewall = (sshPort: number): string => `# Deckhand: in comes SSH; out goes everything.
add table inet deckhand
flush table inet deckhand
table inet deckhand {
  chain input {
    type filter hook input priority -10; policy drop;
    ct state established,related accept
    iif lo accept
    meta l4proto { icmp, ipv6-icmp } accept
    udp dport { 68, 546 } accept
    tcp dport ${sshPort} accept
  }
}
`;

const FIREWALL_UNIT = unitFile(
  'deckhand-firewall.service',
  `[Unit]
Description=Firewall of Deckhand: SSH only
Before=network-pre.target
Wants=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f /etc/deckhand/firewall.nft

[Install]
WantedBy=multi-user.target
`,
);

/** Steps that must hold in any case; they come first. */
export function accessSteps(publicKey: string, sshPort: number): string {
  return `# --- Access: our key, on the disk
mkdir -p /root/.ssh
chmod 700 /root/.ssh
touch /root/.ssh/authorized_keys
chmod 600 /root/.ssh/authorized_keys
# admit_key LINE FILE: makes LINE the key's only line in the file. Images of some clouds have the key there behind a command that turns
# root away, and SSH takes the first line of a key.
admit_key() {
  local others
  others=$(grep -vF "$(cut -d' ' -f1,2 <<<"$1")" "$2" || true)
  printf '%s\\n' \${others:+"$others"} "$1" >"$2"
}
admit_key '${publicKey}' /root/.ssh/authorized_keys

# --- Host keys outlive a wake
${installFile('/etc/cloud/cloud.cfg.d/99-deckhand.cfg', '0644', CLOUD_INIT)}
# --- SSH: nothing that is not needed
${installFile('/etc/ssh/sshd_config.d/00-deckhand.conf', '0644', SSHD)}
mkdir -p /run/sshd
if sshd -t; then
  systemctl reload ssh || systemctl reload sshd || log "the SSH server could not be reloaded; its settings count from the next boot"
else
  log "FAILED: the SSH server refuses its settings; they are taken back"
  rm -f /etc/ssh/sshd_config.d/00-deckhand.conf
fi

# --- Firewall: every port of this machine is public
if command -v nft >/dev/null; then
${indent(installFile('/etc/deckhand/firewall.nft', '0644', firewall(sshPort)))}
${indent(installFile(FIREWALL_UNIT.path, '0644', FIREWALL_UNIT.text))}
  systemctl daemon-reload
  systemctl enable deckhand-firewall.service
  systemctl restart deckhand-firewall.service
elif command -v ufw >/dev/null; then
  ufw allow ${sshPort}/tcp
  ufw --force enable
else
  log "no firewall here; the model server listens on loopback only"
fi
`;
}

/** Only the command is set in: the text of the file stays as it is. */
const indent = (command: string): string => `  ${command}`;
