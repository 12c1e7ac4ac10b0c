/**
 * Takes the answer to the diagnosing command apart. Never throws: what is not there is null or empty.
 */
import { partsOf } from '../commands.ts';
import { parseDisk } from '../disk.ts';
import { parseXids } from '../kernel-log.ts';
import { driverReportIn, gpuReadings } from '../measurement.ts';
import type { MachineFacts, ServerDevice } from './facts.ts';

export function readDiagnosis(output: string): MachineFacts {
  const parts = partsOf(output);
  const part = (name: string): string => parts.get(name) ?? '';
  const driver = driverReportIn(parts);
  const xids = parseXids(part('kernel'));
  const service = part('service');
  return {
    driver,
    gpus: driver.answered ? gpuReadings(driver, xids) : [],
    capabilities: capabilitiesIn(part('capability')),
    kernelModule: {
      version: /Kernel Module.*?\s(\d+\.\d+(?:\.\d+)*)\s/u.exec(`${part('module')} `)?.[1] ?? null,
      isOpen: /Open Kernel Module/u.test(part('module')),
      loaded:
        part('modules') === ''
          ? null
          : part('modules')
              .split('\n')
              .map((line) => line.split(' ')[0] ?? ''),
    },
    disk: parseDisk(part('disk')),
    settings: settingsIn(service, part('model-log')),
    restarts: integerAfter(service, 'NRestarts='),
    devices: devicesIn(part('model-log')),
  };
}

function capabilitiesIn(text: string): Record<number, number> {
  const found = [...text.matchAll(/^\s*(\d+)\s*,\s*(\d+\.\d+)\s*$/gmu)];
  return Object.fromEntries(found.map(([, index, capability]) => [Number(index), Number(capability)]));
}

function integerAfter(text: string, name: string): number | null {
  const at = text.indexOf(name);
  const value = at < 0 ? Number.NaN : Number.parseInt(text.slice(at + name.length), 10);
  return Number.isFinite(value) ? value : null;
}

/** What the server says it runs with counts before what its unit says. */
function settingsIn(service: string, log: string): Record<string, string> | null {
  const line = /^Environment=(.*)$/mu.exec(service)?.[1];
  const logged = [...log.matchAll(/server config.*?env="?map\[(.*?)\]"?\s*$/gmu)].at(-1)?.[1];
  if (line === undefined && logged === undefined) return null;
  const pairs = [
    ...(line ?? '').matchAll(/(?:^|\s)"?([A-Z][A-Z0-9_]*)=([^\s"]*)/gu),
    ...(logged ?? '').matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*):([^\s[\]]*)/gu),
  ];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

function devicesIn(log: string): ServerDevice[] {
  const lines = log.split('\n').filter((line) => line.includes('inference compute'));
  const field = (line: string, name: string): string | null => {
    const match = new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`, 'u').exec(line);
    return match?.[1] ?? match?.[2] ?? null;
  };
  // A service that was started again says it again: only what its last start said counts, which names each device once.
  const devices = new Map<string, ServerDevice>();
  for (const line of lines) {
    const library = field(line, 'library');
    if (library === null) continue;
    const id = field(line, 'id') ?? field(line, 'name') ?? library;
    devices.set(id, {
      library,
      compute: field(line, 'compute'),
      description: field(line, 'description') ?? field(line, 'name'),
    });
  }
  return [...devices.values()];
}
