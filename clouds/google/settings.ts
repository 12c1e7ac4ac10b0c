/**
 * Settings of the Google provider, and the ids under which its resources are known outside: `<zone>/<name>`. A name is unique in its zone.
 */
import { z } from 'zod';
import { settings } from '../../domain/settings.ts';

const REGION = /^[a-z]+-[a-z]+\d{1,2}$/u;
const ZONE = /^[a-z]+-[a-z]+\d{1,2}-[a-z]$/u;
/** Names of resources of Compute Engine. */
const NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;

const name = z.string().regex(NAME, 'is not a name of Compute Engine (lower-case letters, digits and dashes)');

const NO_REGION = 'has to name at least one region, such as ["europe-west4"]';

/** Settings of the Google provider in the fleet file. */
export const googleSettingsSchema = settings({
  /** Regions that machines are rented in, such as `europe-west4`. Leftovers are searched for in the whole project. */
  regions: z.array(z.string().regex(REGION, 'is not a region such as europe-west4'), NO_REGION).min(1, NO_REGION),
  /** Project; null = `GOOGLE_CLOUD_PROJECT`, else that of the credentials. */
  project: z
    .string()
    .regex(/^(?:[a-z0-9.-]+:)?[a-z][-a-z0-9]{4,28}[a-z0-9]$/u, 'is not the id of a project')
    .nullable()
    .default(null),
  /** Network of the project in which machines are made. */
  network: name.default('default'),
  /** Subnetwork of a region, such as `{"europe-west4": "gpus"}`; other regions use the network's own. */
  subnetworks: z.record(z.string().regex(REGION, 'is not a region such as europe-west4'), name).default({}),
  /** Address that stands in for all services, such as a simulator's; null = Google. */
  baseUrl: z.url().nullable().default(null),
});

/** See {@link googleSettingsSchema}. */
export type GoogleSettings = z.infer<typeof googleSettingsSchema>;

/** A resource and where it is. */
export interface ZonalId {
  readonly zone: string;
  readonly name: string;
}

/** Written form of an id. */
export const writeId = ({ zone, name: own }: ZonalId): string => `${zone}/${own}`;

/** Reads a written id back; null when it is not `<zone>/<name>`. */
export function readId(written: string): ZonalId | null {
  const [zone = '', own = '', ...rest] = written.split('/');
  return ZONE.test(zone) && NAME.test(own) && rest.length === 0 ? { zone, name: own } : null;
}

/** Region of a zone: `europe-west4-a` is in `europe-west4`. Null for what is no zone. */
export const regionOfZone = (zone: string): string | null => (ZONE.test(zone) ? zone.slice(0, -2) : null);

/** Countries of the regions; one that is missing is shown without its country. */
const COUNTRIES: Readonly<Record<string, string>> = {
  'africa-south1': 'ZA',
  'asia-east1': 'TW',
  'asia-east2': 'HK',
  'asia-northeast1': 'JP',
  'asia-northeast2': 'JP',
  'asia-northeast3': 'KR',
  'asia-south1': 'IN',
  'asia-south2': 'IN',
  'asia-southeast1': 'SG',
  'asia-southeast2': 'ID',
  'australia-southeast1': 'AU',
  'australia-southeast2': 'AU',
  'europe-central2': 'PL',
  'europe-north1': 'FI',
  'europe-north2': 'SE',
  'europe-southwest1': 'ES',
  'europe-west1': 'BE',
  'europe-west2': 'GB',
  'europe-west3': 'DE',
  'europe-west4': 'NL',
  'europe-west6': 'CH',
  'europe-west8': 'IT',
  'europe-west9': 'FR',
  'europe-west10': 'DE',
  'europe-west12': 'IT',
  'me-central1': 'QA',
  'me-central2': 'SA',
  'me-west1': 'IL',
  'northamerica-northeast1': 'CA',
  'northamerica-northeast2': 'CA',
  'northamerica-south1': 'MX',
  'southamerica-east1': 'BR',
  'southamerica-west1': 'CL',
  'us-central1': 'US',
  'us-east1': 'US',
  'us-east4': 'US',
  'us-east5': 'US',
  'us-south1': 'US',
  'us-west1': 'US',
  'us-west2': 'US',
  'us-west3': 'US',
  'us-west4': 'US',
};

/** ISO code of the country that a region is in; '' where it is not known. */
export const countryOf = (region: string): string => COUNTRIES[region] ?? '';
