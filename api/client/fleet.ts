/** The fleet: pools and instances, what they could be rented as, and the reaper. */
import type { OperatorRequest } from '../../contracts/pool.ts';
import type { GpuDiagnosisDocument } from '../health/diagnosis-routes.ts';
import type { FleetDocument, InstanceHistoryDocument, OfferBlockList } from '../fleet/fleet-schemas.ts';
import type { HealthHistoryDocument } from '../health/health-schemas.ts';
import type { ReapReportDocument } from '../fleet/reap-routes.ts';
import type { Capacity, CapacityQuery, PlanDocument, PlanQuery, TierList } from '../fleet/selection-schemas.ts';
import { queryString, type Transport } from './transport.ts';

const pathOf = (name: string): string => `/fleet/instances/${encodeURIComponent(name)}`;

/** The calls of the fleet. */
export const fleetCalls = (http: Transport) => ({
  /** Pools and instances. */
  fleet(signal?: AbortSignal): Promise<FleetDocument> {
    return http.json<FleetDocument>('/fleet', { signal });
  },

  /** One instance with its history. @throws DeckhandError `not_found` */
  instance(name: string, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return http.json<InstanceHistoryDocument>(pathOf(name), { signal });
  },

  /** Health of one instance: where it stands, what changed, samples. @throws DeckhandError `not_found` */
  instanceHealth(
    name: string,
    query: { readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<HealthHistoryDocument> {
    return http.json<HealthHistoryDocument>(`${pathOf(name)}/health${queryString({ ...query })}`, { signal });
  },

  /** Asks something of an instance. @throws DeckhandError `not_found`, `conflict` when it is in no state for it */
  askInstance(name: string, request: OperatorRequest, signal?: AbortSignal): Promise<InstanceHistoryDocument> {
    return http.json<InstanceHistoryDocument>(`${pathOf(name)}/${request}`, { method: 'POST', signal });
  },

  /** Lifts blocks before their time; every one where no scope is named. @throws DeckhandError `not_found` */
  unblock(scope?: string, signal?: AbortSignal): Promise<OfferBlockList> {
    return http.json<OfferBlockList>(`/fleet/blocks${queryString({ scope })}`, { method: 'DELETE', signal });
  },

  /** Has its gateway look into an instance. @throws DeckhandError `not_found`, `conflict` when no gateway is attached to it */
  diagnose(name: string, signal?: AbortSignal): Promise<GpuDiagnosisDocument> {
    return http.json<GpuDiagnosisDocument>(`${pathOf(name)}/diagnosis`, { method: 'POST', signal });
  },

  /** The tiers of GPUs as the provider sells them. */
  tiers(signal?: AbortSignal): Promise<TierList> {
    return http.json<TierList>('/fleet/tiers', { signal });
  },

  /** What is available now. */
  capacity(query: CapacityQuery, signal?: AbortSignal): Promise<Capacity> {
    return http.json<Capacity>(`/fleet/capacity${queryString({ ...query })}`, { signal });
  },

  /** The ladder of a selector or pool, every offer explained. */
  plan(query: PlanQuery, signal?: AbortSignal): Promise<PlanDocument> {
    return http.json<PlanDocument>(`/fleet/plan${queryString({ ...query })}`, { signal });
  },

  /** One round of the reaper. */
  reap({ dryRun }: { readonly dryRun: boolean }, signal?: AbortSignal): Promise<ReapReportDocument> {
    return http.json<ReapReportDocument>(`/fleet/reap${queryString({ dryRun })}`, { method: 'POST', signal });
  },
});
