/**
 * For developers: writes `clouds/prices/snapshot.json`, the dated prices of many providers that `deckhand prices` shows. Run it with
 * `node cli/maintenance/price-snapshot.ts`; without arguments it downloads the catalogue of gpuhunt.
 *
 *   --gpuhunt PLACE         address or folder that holds <provider>/version and <provider>/<version>/catalog.zip
 *   --skypilot FOLDER       a folder `catalogs/<version>` of skypilot-catalog; with --version COMMIT and --taken-on DATE, as it names neither
 *   --observations FILE     a CSV file of prices of one day; with --version TEXT. May be given several times, as may --version
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SNAPSHOT_FILE, snapshotSchema } from '../../clouds/prices/snapshot.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { printError } from '../../platform/print-error.ts';
import { buildSnapshot, type PriceList, snapshotText } from './price-snapshot/build.ts';
import { readGpuhunt, readObservations, readSkypilot } from './price-snapshot/readers.ts';
import { unzip } from './price-snapshot/unzip.ts';

const GPUHUNT_URL = 'https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3';
/** Providers whose catalogue gpuhunt publishes. */
const GPUHUNT_PROVIDERS = ['aws', 'azure', 'gcp', 'verda', 'lambdalabs', 'nebius', 'oci', 'runpod'];

/** Bytes of a file below a folder or an address. @throws DeckhandError `not_found` when there is none, or nothing answers */
async function bytesAt(place: string, file: string): Promise<Buffer> {
  const whole = `${place}/${file}`;
  try {
    if (!/^https?:/u.test(place)) return readFileSync(whole);
    const response = await fetch(whole);
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    throw new RangeError(`HTTP ${response.status}`);
  } catch (cause) {
    throw new DeckhandError('not_found', `${whole} cannot be read`, {
      userMessage: `${whole} cannot be read.`,
      hint: 'Name another address or a folder with --gpuhunt, or another price list: see the head of cli/maintenance/price-snapshot.ts.',
      cause,
    });
  }
}

/** gpuhunt's catalogues, one per provider; a version begins with its day, as in `20261120-1234`. */
export async function gpuhuntLists(
  place: string,
  providers: readonly string[] = GPUHUNT_PROVIDERS,
): Promise<PriceList[]> {
  const lists: PriceList[] = [];
  for (const provider of providers) {
    const version = (await bytesAt(place, `${provider}/version`)).toString('utf8').trim();
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-/u.exec(version) ?? [];
    if (day === undefined) throw new DeckhandError('invalid_request', `version "${version}" of ${provider} has no day`);
    const files = unzip(await bytesAt(place, `${provider}/${version}/catalog.zip`));
    const csv = files.get(`${provider}.csv`);
    if (csv === undefined) throw new DeckhandError('not_found', `the archive of ${provider} has no ${provider}.csv`);
    const source = { name: 'gpuhunt', version: `${provider} ${version}`, takenOn: `${year}-${month}-${day}` };
    lists.push({ source, listed: readGpuhunt(provider, csv.toString('utf8')) });
  }
  return lists;
}

/** A folder of SkyPilot's catalogue, with the commit and the day that it has to be told. */
export function skypilotList(folder: string, version: string, takenOn: string): PriceList {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (f) => path.basename(f) === 'vms.csv',
  );
  const listed = files.flatMap((file) =>
    readSkypilot(path.dirname(file), readFileSync(path.join(folder, file), 'utf8')),
  );
  return { source: { name: 'skypilot-catalog', version, takenOn }, listed };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      gpuhunt: { type: 'string' },
      skypilot: { type: 'string' },
      observations: { type: 'string', multiple: true, default: [] },
      version: { type: 'string', multiple: true, default: [] },
      'taken-on': { type: 'string' },
    },
  });
  const versions = [...values.version];
  const lists: PriceList[] = [];
  if (values.skypilot !== undefined) {
    const [version, takenOn] = [versions.shift(), values['taken-on']];
    if (version === undefined || takenOn === undefined) {
      throw new DeckhandError('usage', '--skypilot needs --version and --taken-on');
    }
    lists.push(skypilotList(values.skypilot, version, takenOn));
  }
  for (const file of values.observations) {
    const version = versions.shift();
    if (version === undefined) throw new DeckhandError('usage', '--observations needs a --version each');
    const { takenOn, listed } = readObservations(readFileSync(file, 'utf8'));
    lists.push({ source: { name: 'observations', version, takenOn }, listed });
  }
  const wantsGpuhunt = values.gpuhunt !== undefined || lists.length === 0;
  if (wantsGpuhunt) lists.push(...(await gpuhuntLists(values.gpuhunt ?? GPUHUNT_URL)));
  const { snapshot, dropped } = buildSnapshot(lists);
  writeFileSync(SNAPSHOT_FILE, snapshotText(snapshotSchema.parse(snapshot)));
  console.log(`${snapshot.rows.length} rows written to ${path.relative(process.cwd(), SNAPSHOT_FILE)}`);
  for (const [reason, rows] of dropped) console.log(`${rows} dropped: ${reason}`);
}

if (import.meta.main) await main().catch((error: unknown) => void (process.exitCode = printError(error, false)));
