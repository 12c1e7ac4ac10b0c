/**
 * Settings of the AWS provider, and the ids under which its resources are known outside: `<region>/<id>`, since an id alone does not say
 * whom to ask.
 */
import { z } from 'zod';
import { settings } from '../../domain/settings.ts';

/** Regions of the ordinary partition: those in China and of the US government have other addresses and accounts. */
const REGION = /^(?!cn-|us-gov-|us-iso)[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/u;
const ZONE = /^[a-z]{2}(?:-[a-z0-9]+)+-\d{1,2}[a-z]$/u;

const NO_REGION = 'has to name at least one region, such as ["eu-west-1"]';

/** Settings of the AWS provider in the fleet file. */
export const awsSettingsSchema = settings({
  /** Regions that machines are rented in and that are swept for leftovers, such as `eu-west-1`. */
  regions: z.array(z.string().regex(REGION, 'is not a region such as eu-west-1'), NO_REGION).min(1, NO_REGION),
  /** Profile of `~/.aws/credentials` and `~/.aws/config`; null = `AWS_PROFILE`, else `default`. */
  profile: z.string().min(1).nullable().default(null),
  /** Subnet of a zone, such as `{"eu-west-1a": "subnet-0abc"}`; other zones use the subnet of the default VPC. */
  subnetIds: z
    .record(z.string().regex(ZONE, 'is not a zone such as eu-west-1a'), z.string().regex(/^subnet-[0-9a-f]+$/u))
    .default({}),
  /** Address that stands in for all services, such as a simulator's; null = AWS. */
  baseUrl: z.url().nullable().default(null),
});

/** See {@link awsSettingsSchema}. */
export type AwsSettings = z.infer<typeof awsSettingsSchema>;

/** A resource and where it is. */
export interface RegionalId {
  readonly region: string;
  /** AWS's own id, such as `i-0abc`. */
  readonly id: string;
}

/** Written form of an id. */
export const writeId = ({ region, id }: RegionalId): string => `${region}/${id}`;

/** Reads a written id back; null when it is not `<region>/<id>`. */
export function readId(written: string): RegionalId | null {
  const [region = '', id = '', ...rest] = written.split('/');
  return REGION.test(region) && /^[a-z]+-[0-9a-z]+$/u.test(id) && rest.length === 0 ? { region, id } : null;
}

/** Region of a zone: `eu-west-1a` is in `eu-west-1`, `us-west-2-lax-1a` in `us-west-2`. Null for what is no zone. */
export const regionOfZone = (zone: string): string | null => {
  if (!ZONE.test(zone)) return null;
  return /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}/u.exec(zone)?.[0] ?? null;
};

/** Countries of the regions; one that is missing is shown without its country. */
const COUNTRIES: Readonly<Record<string, string>> = {
  'af-south-1': 'ZA',
  'ap-east-1': 'HK',
  'ap-northeast-1': 'JP',
  'ap-northeast-2': 'KR',
  'ap-northeast-3': 'JP',
  'ap-south-1': 'IN',
  'ap-south-2': 'IN',
  'ap-southeast-1': 'SG',
  'ap-southeast-2': 'AU',
  'ap-southeast-3': 'ID',
  'ap-southeast-4': 'AU',
  'ca-central-1': 'CA',
  'ca-west-1': 'CA',
  'eu-central-1': 'DE',
  'eu-central-2': 'CH',
  'eu-north-1': 'SE',
  'eu-south-1': 'IT',
  'eu-south-2': 'ES',
  'eu-west-1': 'IE',
  'eu-west-2': 'GB',
  'eu-west-3': 'FR',
  'il-central-1': 'IL',
  'me-central-1': 'AE',
  'me-south-1': 'BH',
  'sa-east-1': 'BR',
  'us-east-1': 'US',
  'us-east-2': 'US',
  'us-west-1': 'US',
  'us-west-2': 'US',
};

/** ISO code of the country that a region is in; '' where it is not known. */
export const countryOf = (region: string): string => COUNTRIES[region] ?? '';
