/**
 * Names of everything Deckhand makes at a provider, and how ours are told from others'.
 *
 * Every name starts with `dh-<installation id>-`. An installation id holds no hyphen, so the second part of a name is it exactly: a
 * look-alike (`dh-abc12-…` beside our `dh-abc1-…`) is never taken for ours, and no name is ever matched by a part of it.
 */

/** Longest host name the provider takes. */
export const MAX_HOSTNAME_LENGTH = 60;

const PREFIX = 'dh';
const INSTALLATION_ID = /^[a-z0-9]{4,12}$/u;
/** DNS label parts: lower-case letters and digits, single hyphens between. */
const INSTANCE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const ATTEMPT = /^[1-9][0-9]{0,6}$/u;
const FINGERPRINT = /^[a-z0-9]{4,16}$/u;

/** What a host name of ours says. */
export interface HostnameOwner {
  readonly instance: string;
  /** Which create of that instance; from 1. */
  readonly attempt: number;
}

/**
 * Host name of one create: `dh-<installation id>-<instance>-<attempt>`.
 *
 * @throws RangeError when a part is not DNS-safe or the whole is longer than {@link MAX_HOSTNAME_LENGTH}
 */
export function makeHostname(installationId: string, instance: string, attempt: number): string {
  const hostname = `${PREFIX}-${checkedInstallation(installationId)}-${instance}-${attempt}`;
  if (!INSTANCE_NAME.test(instance)) throw new RangeError(`"${instance}" cannot be part of a host name`);
  if (!ATTEMPT.test(String(attempt))) throw new RangeError(`${attempt} is not the number of an attempt`);
  if (hostname.length > MAX_HOSTNAME_LENGTH) throw new RangeError(`host name ${hostname} is too long`);
  return hostname;
}

/** Whose host name this is within the installation; null when it is not exactly one of ours. */
export function ownerOf(hostname: string, installationId: string): HostnameOwner | null {
  const parts = ownParts(hostname, installationId);
  const attempt = parts?.at(-1) ?? '';
  const instance = parts?.slice(0, -1).join('-') ?? '';
  if (hostname.length > MAX_HOSTNAME_LENGTH || !INSTANCE_NAME.test(instance) || !ATTEMPT.test(attempt)) return null;
  return { instance, attempt: Number(attempt) };
}

/** Name of the system disk of the machine with that host name: `<hostname>-os`. */
export const makeOsVolumeName = (hostname: string): string => `${hostname}-os`;

/** Whose disk has this name; null when it is not exactly one of ours. */
export function volumeOwnerOf(volumeName: string, installationId: string): HostnameOwner | null {
  return volumeName.endsWith('-os') ? ownerOf(volumeName.slice(0, -'-os'.length), installationId) : null;
}

/** Name of the deployment of an endpoint pool: the same for as long as the pool has its name. */
export const makeDeploymentName = (installationId: string, pool: string): string =>
  `${PREFIX}-${checkedInstallation(installationId)}-${pool}`;

/** Whose deployment has this name: its pool; null when it is not exactly one of ours. */
export function deploymentPoolOf(deploymentName: string, installationId: string): string | null {
  const pool = (ownParts(deploymentName, installationId) ?? []).join('-');
  return INSTANCE_NAME.test(pool) ? pool : null;
}

/** Name of the installation's one SSH key. */
export const makeSshKeyName = (installationId: string): string =>
  `${PREFIX}-${checkedInstallation(installationId)}-ssh-key`;

/** True for exactly the installation's SSH key. */
export const isOurSshKey = (keyName: string, installationId: string): boolean =>
  keyName === makeSshKeyName(installationId);

/**
 * Name of a startup script: `dh-<installation id>-script-<fingerprint of its text>`, so that an equal script is found and used again.
 *
 * @throws RangeError when the fingerprint is not 4–16 lower-case letters and digits
 */
export function makeScriptName(installationId: string, fingerprint: string): string {
  if (!FINGERPRINT.test(fingerprint)) throw new RangeError(`"${fingerprint}" is not a fingerprint`);
  return `${PREFIX}-${checkedInstallation(installationId)}-script-${fingerprint}`;
}

/** Fingerprint in the name of a script of ours; null when it is not exactly one of ours. */
export function scriptFingerprintOf(scriptName: string, installationId: string): string | null {
  const [kind, fingerprint, ...rest] = ownParts(scriptName, installationId) ?? [];
  if (kind !== 'script' || fingerprint === undefined || rest.length > 0) return null;
  return FINGERPRINT.test(fingerprint) ? fingerprint : null;
}

/** What follows `dh-<installation id>-`, split at hyphens; null for names of others. */
function ownParts(name: string, installationId: string): readonly string[] | null {
  const [prefix, installation, ...rest] = name.split('-');
  return prefix === PREFIX && installation === installationId ? rest : null;
}

function checkedInstallation(installationId: string): string {
  if (!INSTALLATION_ID.test(installationId)) throw new RangeError(`"${installationId}" is not an installation id`);
  return installationId;
}

/** Characters of the suffix: enough to keep apart what two runs of one pool made. */
const SUFFIX_LENGTH = 4;

/** Name of a pool's instance, such as `visual-3-9f2c`, used for one life only. `random` is a UUID drawn by the workflow, so that it replays. */
export const rentedInstanceName = (pool: string, number: number, random: string): string =>
  `${pool}-${number}-${random.replaceAll('-', '').slice(0, SUFFIX_LENGTH)}`;
