/** Activities on the deployment of an endpoint pool, on queue `fleet`. What the provider answers, errors included, is data. */
import { assertNever } from '../../../domain/errors.ts';
import type {
  EndpointCommand,
  EndpointOutcome,
  EndpointSight,
} from '../../../domain/fleet/endpoint-life/endpoint-life.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { EndpointScaler } from '../../../clouds/endpoint-scaler.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { withHeartbeat } from '../../support/heartbeat.ts';
import { answerOf } from '../instance/provider-answer.ts';
import { liveClaims } from './claims.ts';
import type { Endpoints } from './endpoints.ts';

/** One look: what the provider shows and what instances have claimed. */
export interface EndpointLook {
  readonly sight: EndpointSight | null;
  readonly claims: number;
  /** The provider's error: then nothing is known; null = it answered. */
  readonly error: string | null;
}

export interface EndpointActivities {
  /** Changes nothing. */
  lookAtEndpoint(input: { readonly pool: PoolConfig }): Promise<EndpointLook>;
  /** Carries a command out. Never retried by Temporal: what it came to is seen by the next look. */
  changeEndpoint(input: {
    readonly pool: PoolConfig;
    readonly command: EndpointCommand;
  }): Promise<{ readonly outcome: EndpointOutcome; readonly message: string }>;
}

/** @param endpoints the deployments of the fleet */
export function createEndpointActivities(db: PrismaClient, endpoints: Endpoints, log: Logger): EndpointActivities {
  return {
    lookAtEndpoint: ({ pool }) =>
      withHeartbeat({ what: 'look' }, async () => {
        const { value, error } = await answerOf(() => endpoints.look(pool));
        // After the provider: a claim made meanwhile counts at the next look, and none is missed.
        const claims = await liveClaims(db, endpoints.bookedAs(pool), pool.name);
        if (value === null) return { sight: null, claims: claims.length, error: error?.message ?? null };
        const { replicas: _, ...sight } = value;
        return { sight, claims: claims.length, error: null };
      }),
    changeEndpoint: ({ pool, command }) =>
      withHeartbeat({ what: command.kind }, async ({ signal }) => {
        if (signal.aborted) return { outcome: 'unknown', message: 'it came too late and was not sent' };
        const { error } = await answerOf(() => endpoints.change(pool, (scaler) => carryOut(scaler, command)));
        log.info({ pool: pool.name, command, error }, 'the deployment of a pool was changed');
        if (error === null) return { outcome: 'done', message: '' };
        // A deployment that is gone is seen by the next look.
        const isOpen = error.errorClass === 'transient' || error.errorClass === 'gone';
        return { outcome: isOpen ? 'unknown' : 'refused', message: error.message };
      }),
  };
}

async function carryOut(scaler: EndpointScaler, command: EndpointCommand): Promise<void> {
  switch (command.kind) {
    case 'create':
      return scaler.create(command.replicas);
    case 'scale':
      await scaler.scaleTo(command.replicas);
      if (command.isPaused) await scaler.resume();
      return;
    case 'pause':
      return scaler.pause();
    case 'restart':
      return scaler.restart();
    case 'delete':
      return scaler.delete();
    default:
      return assertNever(command);
  }
}
