/**
 * Where sources about the provider contradict each other, the simulator can behave either way. Defaults follow what was observed last.
 */
import { z } from 'zod';

export const dialectSchema = z.strictObject({
  /** A delete that names no volumes: the OS disk goes to the trash (documented), or stays and costs (observed). */
  deleteWithoutVolumeIds: z.enum(['trash_os', 'leave_detached']).default('trash_os'),
  /** Delete of what is gone: refused (matched by clients), or 204 (changelog). */
  doubleDelete: z.enum(['403', '204']).default('403'),
  /** Delete of a volume that is purged. */
  purgeTwice: z.enum(['400', '204']).default('204'),
  cloneAnswer: z.enum(['array', 'object']).default('array'),
  /** Id in the answer to a create. */
  idAnswer: z.enum(['raw', 'quoted']).default('raw'),
  hibernateFromRunning: z.enum(['403', '400']).default('403'),
  /** Statuses that the provider's Python SDK does not know. */
  newContainerStatuses: z.boolean().default(false),
});

export type Dialect = z.infer<typeof dialectSchema>;
