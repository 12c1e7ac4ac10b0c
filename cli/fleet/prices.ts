/**
 * Prices from the snapshot, for people: `deckhand prices`, and what `deckhand plan` shows where there is no provider to ask.
 */
import { PROVIDERS } from '../../clouds/providers.ts';
import type { Catalog } from '../../domain/models/catalog/catalog.ts';
import { tasksOfProfile } from '../../domain/models/catalog/lookup.ts';
import { languageProfile } from '../../domain/models/catalog/presets.ts';
import { knownCatalog } from '../../platform/models-file.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { readSnapshot } from '../../clouds/prices/snapshot.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { ModelNeed } from '../../domain/fleet/selection/ladder.ts';
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
import { type PriceDocument, priceTable } from './price-table.ts';

interface PriceQuery {
  /** A model or a profile: only machines that hold it. Undefined = all machines, compared with the models of the active profile. */
  readonly fits?: string | undefined;
  readonly hours?: number;
}

/** Size of the disk that is kept while a machine sleeps, GiB: the least that a pool keeps. */
const KEPT_DISK_GIB = 50;

/**
 * Prices of the rows that are chosen from the snapshot.
 *
 * @param choose takes rows, and throws where nothing is called as asked
 * @throws DeckhandError of `choose`; `not_found` for a model
 */
export function priceDocument(
  choose: (rows: readonly PriceRow[]) => readonly PriceRow[],
  { fits, hours = 1 }: PriceQuery,
  config: Pick<Config, 'models' | 'modelsFile' | 'modelConcurrency'>,
): PriceDocument {
  const { sources, rows } = readSnapshot();
  const catalog = knownCatalog(config);
  const models =
    fits === undefined ? needsOfProfile(catalog, languageProfile(config.models)) : needsNamed(catalog, fits);
  const slots = config.modelConcurrency;
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

/** Every model of a profile once. @throws DeckhandError `not_found` for a profile that neither comes with Deckhand nor is in the models file */
function needsOfProfile(catalog: Catalog, profile: string): readonly ModelNeed[] {
  const entries = tasksOfProfile(catalog, profile);
  return [...new Map(entries.map((entry) => [entry.modelName, entry])).values()];
}

/** A model by its name, with or without its tag, or the models of a profile. */
function needsNamed(catalog: Catalog, name: string): readonly ModelNeed[] {
  const profiles = catalog.profiles.map((profile) => profile.name);
  if (profiles.includes(name)) return needsOfProfile(catalog, name);
  const known = profiles.flatMap((profile) => needsOfProfile(catalog, profile));
  const found = known.find(({ modelName }) => modelName === name || withoutTag(modelName) === name);
  if (found !== undefined) return [found];
  const names = [...new Set(known.map(({ modelName }) => modelName))];
  const near = closestName(name, [...names.map(withoutTag), ...names, ...profiles]);
  throw new DeckhandError('not_found', `no model "${name}"`, {
    userMessage: `There is no model or profile "${name}".${near === null ? '' : ` Did you mean ${near}?`}`,
    hint: `Known are the models ${names.join(', ')} and the profiles ${profiles.join(', ')}.`,
  });
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
export function pricesInsteadOfPlan(error: unknown, { selector, provider }: AskedPlan): string {
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
    config,
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
