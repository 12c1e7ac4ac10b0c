/** What came of analyses: reports, and how two of them differ. */
import { comparisonSchema, type Comparison } from '../../domain/decks/compare/comparison.ts';
import { analysisReportSchema, type AnalysisReport } from '../../domain/decks/report.ts';
import { queryString, type Transport } from './transport.ts';

const pathOf = (analysisId: string): string => `/analyses/${encodeURIComponent(analysisId)}`;

/** The calls of reports. */
export const reportCalls = (http: Transport) => ({
  /** The report as a checked document. */
  async report(analysisId: string, signal?: AbortSignal): Promise<AnalysisReport> {
    const body = await http.json<unknown>(`${pathOf(analysisId)}/report?format=json`, { signal });
    return analysisReportSchema.parse(body);
  },

  /** The report for people. */
  async reportText(analysisId: string, format: 'md' | 'html', signal?: AbortSignal): Promise<string> {
    return (await http.call(`${pathOf(analysisId)}/report?format=${format}`, { signal })).text();
  },

  /** What two analyses say differently, as a checked document. @throws DeckhandError `conflict` for two decks without `anyDeck` */
  async compare(
    a: string,
    b: string,
    { anyDeck = false }: { readonly anyDeck?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<Comparison> {
    const path = `${pathOf(a)}/compare/${encodeURIComponent(b)}`;
    const body = await http.json<unknown>(`${path}${queryString({ format: 'json', anyDeck })}`, { signal });
    return comparisonSchema.parse(body);
  },
});
