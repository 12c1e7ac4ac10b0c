/**
 * Settings of the Azure provider, and the ids under which its resources are known outside: `azure/<resource group>/<name>`, in small
 * letters, because Azure writes the same name now in one case and now in another.
 */
import { z } from 'zod';
import { settings } from '../../domain/settings.ts';

const LOCATION = /^[a-z]{3,}[a-z0-9]*$/u;
/** As the command line of Azure writes an image of the marketplace. */
const IMAGE_URN = /^[\w.-]+:[\w.-]+:[\w.-]+:[\w.-]+$/u;
const RESOURCE_ID = /^\/(?:subscriptions|communityGalleries|sharedGalleries)\/[\w./()-]+$/iu;

/** True for what {@link azureSettingsSchema} takes as an image. */
export const isImageName = (image: string): boolean => IMAGE_URN.test(image) || RESOURCE_ID.test(image);

/** Ubuntu with NVIDIA's driver and CUDA, by Microsoft, without charge. */
const DEFAULT_IMAGE = 'microsoft-dsvm:ubuntu-hpc:2204:latest';

const NO_LOCATION = 'has to name at least one location, such as ["westeurope"]';

/** Settings of the Azure provider in the fleet file. */
export const azureSettingsSchema = settings({
  /** Locations that machines are rented in, such as `westeurope`. */
  locations: z
    .array(z.string().regex(LOCATION, 'is not a location such as westeurope'), NO_LOCATION)
    .min(1, NO_LOCATION),
  /** Resource group of everything that is made; it is made where it does not exist. Null = `deckhand-<installation>`. */
  resourceGroup: z
    .string()
    .regex(/^[\w.()-]{1,89}[\w()-]$/u, 'is not the name of a resource group')
    .nullable()
    .default(null),
  /** Image that machines boot: `publisher:offer:sku:version` of the marketplace, or the id of an image of one's own. */
  image: z
    .string()
    .refine(isImageName, 'is neither publisher:offer:sku:version nor the id of an image')
    .default(DEFAULT_IMAGE),
  /** Begins the names of the virtual network and the security group of each location. Null = `dh-<installation>`. */
  networkName: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.-]{0,40}$/u, 'is not the name of a network')
    .nullable()
    .default(null),
  /** Id of the subnet of a location, such as `{"westeurope": "/subscriptions/…/subnets/gpu"}`; other locations get a virtual network. */
  subnetIds: z
    .record(
      z.string().regex(LOCATION, 'is not a location such as westeurope'),
      z.string().regex(/^\/subscriptions\/.+\/subnets\/[^/]+$/iu),
    )
    .default({}),
  /** Address that stands in for sign-in, management and price list, such as a simulator's; null = Azure. */
  baseUrl: z.url().nullable().default(null),
});

/** See {@link azureSettingsSchema}. */
export type AzureSettings = z.infer<typeof azureSettingsSchema>;

/** Names that follow from the settings. */
export interface AzureNames {
  readonly resourceGroup: string;
  readonly networkName: string;
}

/** See {@link AzureNames}. */
export const namesOf = (settings: AzureSettings, installationId: string): AzureNames => ({
  resourceGroup: settings.resourceGroup ?? `deckhand-${installationId}`,
  networkName: settings.networkName ?? `dh-${installationId}`,
});

/** A machine, disk or other resource in its group. */
export interface GroupedName {
  readonly resourceGroup: string;
  readonly name: string;
}

/** Written form of an id. */
export const writeId = ({ resourceGroup, name }: GroupedName): string =>
  `azure/${resourceGroup.toLowerCase()}/${name.toLowerCase()}`;

const PART = /^[\w.()-]{1,90}$/u;

/** Reads a written id back; null when it is not `azure/<resource group>/<name>`. */
export function readId(written: string): GroupedName | null {
  const [provider, resourceGroup = '', name = '', ...rest] = written.split('/');
  if (provider !== 'azure' || rest.length > 0 || !PART.test(resourceGroup) || !PART.test(name)) return null;
  return { resourceGroup, name };
}

/** Group and name of a resource by Azure's own id; null when that is not the id of something in a group. */
export function readResourceId(id: string): GroupedName | null {
  const match = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/[^/]+\/[^/]+\/([^/]+)$/iu.exec(id);
  const [, resourceGroup = '', name = ''] = match ?? [];
  return match === null ? null : { resourceGroup, name };
}

/** Countries of the locations; one that is missing is shown without its country. */
const COUNTRIES: Readonly<Record<string, string>> = {
  australiaeast: 'AU',
  australiasoutheast: 'AU',
  austriaeast: 'AT',
  belgiumcentral: 'BE',
  brazilsouth: 'BR',
  canadacentral: 'CA',
  canadaeast: 'CA',
  centralindia: 'IN',
  centralus: 'US',
  denmarkeast: 'DK',
  eastasia: 'HK',
  eastus: 'US',
  eastus2: 'US',
  francecentral: 'FR',
  germanynorth: 'DE',
  germanywestcentral: 'DE',
  indonesiacentral: 'ID',
  israelcentral: 'IL',
  italynorth: 'IT',
  japaneast: 'JP',
  japanwest: 'JP',
  jioindiacentral: 'IN',
  jioindiawest: 'IN',
  koreacentral: 'KR',
  koreasouth: 'KR',
  malaysiawest: 'MY',
  mexicocentral: 'MX',
  newzealandnorth: 'NZ',
  northcentralus: 'US',
  northeurope: 'IE',
  norwayeast: 'NO',
  norwaywest: 'NO',
  polandcentral: 'PL',
  qatarcentral: 'QA',
  southafricanorth: 'ZA',
  southcentralus: 'US',
  southeastasia: 'SG',
  southindia: 'IN',
  spaincentral: 'ES',
  swedencentral: 'SE',
  switzerlandnorth: 'CH',
  switzerlandwest: 'CH',
  uaecentral: 'AE',
  uaenorth: 'AE',
  uksouth: 'GB',
  ukwest: 'GB',
  westcentralus: 'US',
  westeurope: 'NL',
  westindia: 'IN',
  westus: 'US',
  westus2: 'US',
  westus3: 'US',
};

/** ISO code of the country that a location is in; '' where it is not known. */
export const countryOf = (location: string): string => COUNTRIES[location] ?? '';
