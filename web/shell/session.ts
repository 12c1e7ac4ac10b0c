/** Who uses the workspace. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../request.ts';

/** The session of this browser. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => api.GET('/session', { signal }),
  staleTime: Infinity,
});
