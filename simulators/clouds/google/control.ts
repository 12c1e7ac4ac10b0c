/**
 * The control routes of a simulated Google: those of every simulator (core/control.ts). `POST /_control/quotas` also takes the GPU quotas:
 * `gpusAllRegions`, `gpusPerKind`, `spotGpusPerKind`; null = no limit.
 */
import { accountControl } from '../core/account-control.ts';
import { quotaSchema } from './account.ts';

/** Answers a control call. */
export const googleControl = accountControl(quotaSchema, (message) => ({ code: 'invalid_request', message }));
