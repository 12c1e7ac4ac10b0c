/**
 * Prices from the snapshot, for people: `deckhand prices`, and what `deckhand plan` shows where there is no provider to ask.
 */
import { PROVIDERS } from '../../clouds/providers.ts';
import { modelsOfProfile, type Catalog, type Model } from '../../domain/models/catalog/catalog.ts';
import { findProfile } from '../../domain/models/catalog/lookup.ts';
import { languageProfile } from '../../domain/models/catalog/presets.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { readSnapshot } from '../../clouds/prices/snapshot.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { missingOf, needUnknown } from '../../domain/models/footprint/need.ts';
import { neededVramGib } from '../../domain/fleet/selection/model-fit.ts';
import {
  catalogueType,
  comparePrices,
  rowsOfProviders,
  type PriceRow,
} from '../../domain/fleet/selection/price-comparison.ts';
import { parseSelector, whyNotSelected } from '../../domain/fleet/selection/selector.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { readModels } from '../api/open.ts';
import { type PriceDocument, priceTable } from './price-table.ts';

interface PriceQuery {
  /** A model or a profile: only machines that hold it. Undefined = all machines, compared with the models of the active profile. */
  readonly fits?: string | undefined;
  readonly hours?: number;
}

/** Setting of a comparison: parallel calls, the active profile, and where models are looked up. */
interface PricesFor extends Pick<Config, 'models' | 'modelConcurrency'> {
  readonly catalog: Catalog;
}

/** Size of the disk that is kept while a machine sleeps, GiB: the least that a pool keeps. */
const KEPT_DISK_GIB = 50;

/**
 * Prices of the rows that are chosen from the snapshot.
 *
 * @param choose takes rows, and throws where nothing is called as asked
 * @throws DeckhandError of `choose`; `not_found` for a model or a profile, `model_not_configured` for one whose memory is not known
 */
export function priceDocument(
  choose: (rows: readonly PriceRow[]) => readonly PriceRow[],
  { fits, hours = 1 }: PriceQuery,
  { catalog, models: profile, modelConcurrency: slots }: PricesFor,
): PriceDocument {
  const { sources, rows } = readSnapshot();
  const wanted =
    fits === undefined
      ? modelsOfProfile(findProfile(catalog, languageProfile(profile)), catalog.models)
      : modelsNamed(catalog, fits);
  if (fits !== undefined) assertMemoryKnown(wanted);
  const models = wanted.map(({ name, weightsGib, kvCacheGibPerSlot }) => ({
    modelName: name,
    weightsGib: weightsGib ?? 0,
    kvCacheGibPerSlot: kvCacheGibPerSlot ?? 0,
  }));
  const items = comparePrices(choose(rows), {
    hours,
    models,
    slots,
    onlyFitting: fits !== undefined,
    keptDiskUsdPerMonth,
  });
  const modelNames = models.map(({ modelName }) => modelName);
  return { sources, hours, models: modelNames, slots, neededVramGib: neededVramGib(models, slots), items };
}

/** A model by its name, with or without its tag, or the models of a profile. @throws DeckhandError `not_found` */
function modelsNamed(catalog: Catalog, name: string): readonly Model[] {
  const profiles = catalog.profiles.map((profile) => profile.name);
  if (profiles.includes(name)) return modelsOfProfile(findProfile(catalog, name), catalog.models);
  const found = catalog.models.find((model) => model.name === name || withoutTag(model.name) === name);
  if (found !== undefined) return [found];
  const names = catalog.models.map((model) => model.name);
  const near = closestName(name, [...names.map(withoutTag), ...names, ...profiles]);
  throw new DeckhandError('not_found', `no model "${name}"`, {
    userMessage: `There is no model or profile "${name}".${near === null ? '' : ` Did you mean ${near}?`}`,
    hint: `Known are the models ${names.join(', ')} and the profiles ${profiles.join(', ')}.`,
  });
}

/** Of a model whose memory is not known every machine would seem to hold it. @throws DeckhandError `model_not_configured` */
function assertMemoryKnown(models: readonly Model[]): void {
  for (const model of models) {
    // Prices need no digest.
    const missing = missingOf({ ...model, digest: 'any' });
    if (missing.length > 0) throw needUnknown(model.name, missing);
  }
}

const withoutTag = (modelName: string): string => modelName.split(':')[0] ?? modelName;

/** What a disk costs that is kept while no machine runs, USD; null for a provider that Deckhand does not know. */
function keptDiskUsdPerMonth(provider: string): number | null {
  const known = Object.entries(PROVIDERS).find(([name]) => name === provider)?.[1];
  return known === undefined ? null : known.capabilities.volumeUsdPerGibMonth * KEPT_DISK_GIB;
}

interface AskedPlan {
  readonly selector: string | undefined;
  /** The only provider whose offers are wanted. */
  readonly provider?: string | undefined;
}

/**
 * What a selector takes at the snapshot's prices, instead of a plan that failed because there is no provider to ask.
 *
 * @param error what the plan failed with; thrown again where it has another reason
 * @throws DeckhandError `selector_unknown`, `not_found` for a provider that the snapshot does not have
 */
export async function pricesInsteadOfPlan(error: unknown, { selector, provider }: AskedPlan): Promise<string> {
  const config = loadConfig();
  if (!(error instanceof DeckhandError) || selector === undefined || !lacksProvider(error, provider, config))
    throw error;
  const document = priceDocument(
    (all) => {
      const rows = rowsOfProviders(all, provider === undefined ? [] : [provider]);
      const wanted = parseSelector(selector, rows.map(catalogueType));
      return rows.filter((row) => whyNotSelected(wanted, catalogueType(row)) === null);
    },
    {},
    { ...config, catalog: await readModels(config) },
  );
  return [error.userMessage, '', priceTable(document)].join('\n');
}

/** True for an error of a fleet without a provider, without the one that is asked for, or without its credentials. */
function lacksProvider({ code }: DeckhandError, provider: string | undefined, config: Config): boolean {
  if (code === 'credentials_missing') return true;
  if (config.apiUrl !== undefined) return false;
  const fleet = loadFleet(config);
  if (code === 'not_found') return provider !== undefined && !providerNames(fleet).includes(provider);
  return code === 'usage' && fleet.provider === 'static';
}
