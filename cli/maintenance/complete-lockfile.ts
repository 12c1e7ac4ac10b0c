/**
 * For developers, after `npm install`: adds to package-lock.json the optional packages of other platforms that the registry in use did not
 * have. npm leaves them out of the lock, and `npm ci` then refuses the whole lock, on every platform. Run it with `npm run complete-lockfile`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
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
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added to package-lock.json`);
