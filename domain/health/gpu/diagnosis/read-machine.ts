/**
 * Parses the output of the diagnosing command. Never throws: what is missing is null or empty. The output is untrusted, so its size is limited.
 */
import { parseAmdReport } from '../amd.ts';
import { partsOf } from '../commands.ts';
import { parseDisk } from '../disk.ts';
import { parseXids } from '../kernel-log.ts';
import { driverReportIn, gpuReadings } from '../measurement.ts';
import { plainText } from '../../../text/plain-text.ts';
import type { MachineFacts, ServerDevice } from './facts.ts';

/** Of modules, capabilities and devices: no machine has more. */
const MOST_LINES = 64;

export function readDiagnosis(output: string): MachineFacts {
  const parts = partsOf(output);
  const part = (name: string): string => parts.get(name) ?? '';
  const driver = driverReportIn(parts);
  const xids = parseXids(part('kernel'));
  // systemd answers for services that are not there or do not run, too; what it says then is nothing of the server that answers.
  const isService = !/^ActiveState=inactive$/mu.test(part('service'));
  const service = isService ? part('service') : '';
  const log = isService ? sinceLastStart(part('model-log')) : '';
  return {
    driver,
    amd: parseAmdReport(part('amd'), part('rocm')),
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
              .slice(0, MOST_LINES)
              .map((line) => plainText(line.split(' ')[0] ?? '', 60)),
    },
    disk: parseDisk(part('disk')),
    settings: settingsIn(service, log),
    restarts: integerAfter(service, 'NRestarts='),
    devices: devicesIn(log),
  };
}

function capabilitiesIn(text: string): Record<number, number> {
  // Blanks of the same line only: over empty lines without number this would take for ever.
  const found = text.matchAll(/^[ \t]*(\d{1,4})[ \t]*,[ \t]*(\d{1,4}\.\d{1,4})[ \t]*$/gmu).take(MOST_LINES);
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
  const logged = loggedSettings(log);
  if (line === undefined && logged === null) return null;
  const pairs = [
    ...(line ?? '').matchAll(/(?:^|\s)"?([A-Z][A-Z0-9_]*)=([^\s"]*)/gu),
    ...(logged ?? '').matchAll(/(?:^|\s)([A-Z][A-Z0-9_]*):([^\s[\]]*)/gu),
  ];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

/** The text between the brackets of `msg="server config" env="map[OLLAMA_DEBUG:INFO …]"`, of the last such line; null = there is none. */
function loggedSettings(log: string): string | null {
  const line = log.split('\n').findLast((one) => one.includes('server config') && one.includes('map['));
  if (line === undefined) return null;
  const from = line.indexOf('map[', line.indexOf('server config'));
  const until = line.lastIndexOf(']');
  return from < 0 || until < from ? null : line.slice(from + 'map['.length, until);
}

/** A service that is started again says everything again, and what it said before, such as a GPU that is gone, no longer counts. */
function sinceLastStart(log: string): string {
  const lines = log.split('\n');
  const start = lines.findLastIndex((line) => line.includes('server config'));
  return lines.slice(Math.max(0, start)).join('\n');
}

function devicesIn(log: string): ServerDevice[] {
  const lines = log
    .split('\n')
    .filter((line) => line.includes('inference compute'))
    .slice(-MOST_LINES);
  const field = (line: string, name: string): string | null => {
    const match = new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`, 'u').exec(line);
    const value = match?.[1] ?? match?.[2];
    return value === undefined ? null : plainText(value, 200);
  };
  // One line for each device, repeated where a start logs no settings that mark its beginning.
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
