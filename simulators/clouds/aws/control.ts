/**
 * The control routes of a simulated AWS: those of every simulator (core/control.ts). `POST /_control/quotas` also takes the vCPU quotas of EC2:
 * `ondemandP`, `ondemandG`, `spotP`, `spotG`; null = no limit.
 */
import { accountControl } from '../core/account-control.ts';
import { quotaSchema } from './account.ts';

/** Answers a control call. */
export const awsControl = accountControl(quotaSchema, (message) => ({ code: 'invalid_request', message }));
