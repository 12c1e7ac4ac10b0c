/**
 * For developers, after `npm install`: adds to package-lock.json the optional packages of other platforms that the registry in use did not
 * have. npm leaves them out of the lock, and `npm ci` then refuses the whole lock, on every platform. Their checksums are added as far as
 * the registry has them: run it with a registry that has all packages to complete those. Run it with `npm run complete-lockfile`.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const FILE = new URL('../../package-lock.json', import.meta.url);
const SYSTEMS = ['android', 'darwin', 'win32', 'freebsd', 'linux', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'riscv64', 'ppc64', 's390x', 'loong64', 'mips64el', 'wasm32'];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  linuxmusl: 'linux',
  windows: 'win32',
  armv7: 'arm',
  gnueabihf: 'arm',
  ppc64le: 'ppc64',
};

/** The platform a package is for, read from its name: `@napi-rs/canvas-linux-x64-musl`. */
function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const parts = (name.split('/').at(-1) ?? '').split(/[-_.]/u);
  const known = parts.map((part) => OTHER_NAMES[part] ?? part);
  const os = known.find((part) => SYSTEMS.includes(part));
  const cpu = known.find((part) => PROCESSORS.includes(part));
  return {
    ...(os === undefined ? {} : { os: [os] }),
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(parts.some((part) => part.includes('musl')) ? { libc: ['musl'] } : {}),
  };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, LockedPackage> };
const installed = new Set(Object.keys(lock.packages).map((key) => key.replace(/^.*node_modules\//u, '')));
let added = 0;
for (const owner of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(owner.optionalDependencies ?? {})) {
    const version = /^[\^~]?(\d+\.\d+\.\d+\S*)$/u.exec(range)?.[1];
    if (installed.has(name) || version === undefined) continue;
    installed.add(name);
    added++;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(owner.dev === true ? { dev: true } : {}),
      ...(owner.license === undefined ? {} : { license: owner.license }),
      optional: true,
    } as LockedPackage;
  }
}

const run = promisify(execFile);

/** The checksum of a package; null when the registry does not have it. */
async function integrityOf(name: string, version: string): Promise<string | null> {
  try {
    const { stdout } = await run('npm', ['view', '--loglevel=error', `${name}@${version}`, 'dist.integrity']);
    const integrity = stdout.trim();
    return /^sha512-\S+$/u.test(integrity) ? integrity : null;
  } catch (error) {
    // npm says so with an exit code and on standard error; anything else is a fault of the network and must not pass for an answer.
    if (error instanceof Error && 'stderr' in error && /E404|ETARGET/u.test(String(error.stderr))) return null;
    throw error;
  }
}

let checksums = 0;
let unknown = 0;
for (const [key, entry] of Object.entries(lock.packages)) {
  const { version, integrity, link, inBundle } = entry;
  if (key === '' || integrity !== undefined || link === true || inBundle === true || version === undefined) continue;
  const found = await integrityOf(key.replace(/^.*node_modules\//u, ''), version);
  if (found === null) unknown++;
  else {
    lock.packages[key] = { ...entry, integrity: found };
    checksums++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms and ${checksums} checksums added to package-lock.json`);
if (unknown > 0) console.log(`${unknown} packages have no checksum: this registry does not have them`);
