/** Links for people and other systems. */
import type { Config } from './config.ts';

/** Base URL of the API for people: the configured one, or its address on this machine. Without a trailing slash. */
export function publicBaseUrl({ publicUrl, apiPort }: Pick<Config, 'publicUrl' | 'apiPort'>): string {
  return publicUrl ?? `http://127.0.0.1:${apiPort}`;
}

/** The review of an analysis as a page. */
export function reportUrl(config: Pick<Config, 'publicUrl' | 'apiPort'>, analysisId: string): string {
  return `${publicBaseUrl(config)}/api/v1/analyses/${encodeURIComponent(analysisId)}/report?format=html`;
}

/** A cost report as a page. */
export function costReportUrl(config: Pick<Config, 'publicUrl' | 'apiPort'>, costReportId: string): string {
  return `${publicBaseUrl(config)}/api/v1/costs/reports/${encodeURIComponent(costReportId)}?format=html`;
}
