/**
 * The control routes of a simulated Azure: those of every simulator (core/control.ts). `POST /_control/quotas` also takes the quotas of cores:
 * `family`, `regional`, `spot`; null = no limit.
 */
import { accountControl } from '../core/account-control.ts';
import { quotaSchema } from './account.ts';

/** Answers a control call. */
export const azureControl = accountControl(quotaSchema, (message) => ({ error: { code: 'InvalidRequest', message } }));
