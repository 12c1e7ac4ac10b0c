/** Groups of the API that this simulator does not carry out: their lists are empty, which is true, and everything else says so with 501. */
import { Hono } from 'hono';
import type { Env } from '../account.ts';
import { ApiError, notSimulated } from '../errors.ts';

/** Groups whose list is empty, because nothing can be made. */
const EMPTY_GROUPS = [
  'job-deployments',
  'instance-groups',
  'secrets',
  'file-secrets',
  'container-registry-credentials',
  'container-deployment-templates',
] as const;

const groups = new Hono<Env>();
for (const group of EMPTY_GROUPS) {
  groups.get(`/${group}`, (c) => c.json([]));
  groups.post(`/${group}`, () => {
    throw notSimulated(group.replaceAll('-', ' '));
  });
  groups.all(`/${group}/*`, () => {
    throw new ApiError('not_found', 'Not found');
  });
}

export const notSimulatedRoutes = groups
  .on('GET', ['/managed-endpoints/pricing', '/container-registry/pricing', '/audit/log'], (c) => {
    throw notSimulated(c.req.path.slice('/v1/'.length).replaceAll('/', ' '));
  })
  .post('/audit/log/download', () => {
    throw notSimulated('audit log');
  });
