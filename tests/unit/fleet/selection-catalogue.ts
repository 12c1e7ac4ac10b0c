/**
 * A small catalogue for tests of selection, shaped like the provider's: every tier, some multiples, GPUs of no tier, a confidential type, a
 * machine without a GPU.
 */
import type { LadderInput, LadderPolicy } from '../../../domain/fleet/selection/ladder-input.ts';
import { secondsPerSlideTable } from '../../../domain/fleet/selection/slide-cost.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';

export const catalogueType = (
  instanceType: string,
  model: string,
  gpuCount: number,
  vramGib: number,
  onDemandUsdPerHour: number,
): CatalogueType => ({
  instanceType,
  model,
  gpuCount,
  vramGib,
  onDemandUsdPerHour,
  spotUsdPerHour: gpuCount === 0 ? null : onDemandUsdPerHour / 2,
});

export const CATALOGUE: readonly CatalogueType[] = [
  catalogueType('1B300.30V', 'B300', 1, 262, 7.73),
  catalogueType('1GB300.36V', 'GB300', 1, 277, 8.2),
  catalogueType('1B200.30V', 'B200', 1, 180, 6.36),
  catalogueType('1H200.141S.44V', 'H200', 1, 141, 4.28),
  catalogueType('1H100.80S.30V', 'H100', 1, 80, 3.28),
  catalogueType('1H100.80S.32V', 'NVIDIA H100 SXM5 80GB', 1, 80, 3.3),
  catalogueType('8H100.80S.176V', 'H100', 8, 640, 26.24),
  catalogueType('1A100.22V', 'A100', 1, 80, 1.797),
  catalogueType('1A100.40S.22V', 'A100', 1, 40, 1.29),
  catalogueType('1RTXPRO6000.30V', 'RTX PRO 6000', 1, 96, 1.964),
  catalogueType('1RTXPRO6000.30V.CC', 'RTX PRO 6000', 1, 96, 2.0),
  catalogueType('1RTX6000ADA.10V', 'RTX 6000 Ada', 1, 48, 0.83),
  catalogueType('1L40S.20V', 'L40S', 1, 48, 0.91),
  catalogueType('1A6000.10V', 'RTX A6000', 1, 48, 0.61),
  catalogueType('2A6000.20V', 'RTX A6000', 2, 96, 1.22),
  catalogueType('1V100.6V', 'Tesla V100', 1, 16, 0.14),
  catalogueType('1X900.12V', 'X900', 1, 200, 5),
  catalogueType('CPU.4V.16G', '', 0, 0, 0.0279),
];

export const LOCATIONS = ['FIN-01', 'FIN-02', 'FIN-03'] as const;
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

/** The ladder from an H100 on, on demand, without caps. */
export const POLICY: LadderPolicy = {
  selector: 'h100-or-less',
  market: 'ondemand',
  locations: [],
  maxPriceUsdPerHour: null,
  maxPriceUsdPerDocument: null,
  excludeTypes: [],
  launchBudgetPerHour: 12,
  providerOrder: 'cheapest',
  soldOutAfterMs: 600_000,
  spotRatio: null,
  engine: 'ollama',
};

/** Everything of a catalogue, in every location. */
export const allAvailable = (catalogue: readonly CatalogueType[] = CATALOGUE): LadderInput['availability'] => {
  const everywhere = Object.fromEntries(LOCATIONS.map((l) => [l, catalogue.map((t) => t.instanceType)]));
  return {
    ondemand: { atMs: NOW_MS, typesByLocation: everywhere },
    spot: { atMs: NOW_MS, typesByLocation: everywhere },
  };
};

/** Input in which everything is available, nothing is remembered and the models need no memory. */
export function selectionInput(
  policy: Partial<LadderPolicy> = {},
  rest: Partial<Omit<LadderInput, 'policy'>> = {},
): LadderInput {
  return {
    provider: 'cloud',
    policy: { ...POLICY, ...policy },
    catalogue: CATALOGUE,
    locations: LOCATIONS,
    availability: allAvailable(),
    availabilityTtlMs: 20_000,
    models: [],
    slots: 4,
    secondsPerSlide: secondsPerSlideTable({}),
    memory: [],
    history: new Map(),
    instancesByLocation: {},
    wakeFrom: null,
    capabilities: { volumePinsLocation: true, bootsVolumes: true, expectedBootMs: 300_000 },
    nowMs: NOW_MS,
    ...rest,
  };
}
