/** Alerts and their rules. */
import type {
  AlertDocument,
  AlertPage,
  AlertRuleDetails,
  AlertRuleDocument,
  NewRule,
  RuleEdit,
} from '../alerts/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

const ruleOf = (id: string): string => `/alert-rules/${encodeURIComponent(id)}`;

/** The calls of alerts. */
export const alertCalls = (http: Transport) => ({
  /** A page of alerts, newest first; open ones unless `all` are asked for. */
  alerts(
    page: { readonly all?: boolean; readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ): Promise<AlertPage> {
    return http.json<AlertPage>(`/alerts${queryString(page)}`, { signal });
  },

  /** One alert. @throws DeckhandError `not_found` */
  alert(id: string, signal?: AbortSignal): Promise<AlertDocument> {
    return http.json<AlertDocument>(`/alerts/${encodeURIComponent(id)}`, { signal });
  },

  /** Every rule. */
  async alertRules(signal?: AbortSignal): Promise<readonly AlertRuleDocument[]> {
    const { items } = await http.json<{ readonly items: readonly AlertRuleDocument[] }>('/alert-rules', { signal });
    return items;
  },

  /** One rule with what its last round read. @throws DeckhandError `not_found` */
  alertRule(id: string, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>(ruleOf(id), { signal });
  },

  /** Adds a rule. @throws DeckhandError `conflict`, `invalid_request` */
  addAlertRule(rule: NewRule, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>('/alert-rules', { method: 'POST', ...asJson(rule), signal });
  },

  /** Changes a rule. @throws DeckhandError `not_found`, `invalid_request` */
  editAlertRule(id: string, edit: RuleEdit, signal?: AbortSignal): Promise<AlertRuleDetails> {
    return http.json<AlertRuleDetails>(ruleOf(id), { method: 'PATCH', ...asJson(edit), signal });
  },
});
