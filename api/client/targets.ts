/** How the installation does: targets, and model calls over time. */
import type { PerformanceDocument, PerformanceQuery, PeriodQuery, TargetList } from '../targets/schemas.ts';
import { queryString, type Transport } from './transport.ts';

/** The calls of targets and performance. */
export const targetCalls = (http: Transport) => ({
  /** The targets over a period; the last 30 days when none is named. */
  targets(query: PeriodQuery = {}, signal?: AbortSignal): Promise<TargetList> {
    return http.json<TargetList>(`/targets${queryString(query)}`, { signal });
  },

  /** Durations and failures of model calls over time. */
  performance(query: PerformanceQuery = {}, signal?: AbortSignal): Promise<PerformanceDocument> {
    return http.json<PerformanceDocument>(`/performance${queryString(query)}`, { signal });
  },
});
