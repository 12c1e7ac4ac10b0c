/** Who uses the workspace. */
import { queryOptions } from '@tanstack/react-query';
import type { SessionDocument } from '../../api/session/schemas.ts';
import { getJson } from '../request.ts';

/** The session of this browser. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => getJson<SessionDocument>('/session', {}, signal),
  staleTime: Infinity,
});
