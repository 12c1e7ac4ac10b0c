/**
 * What the rules of a fault script do, as far as it is the same at every provider.
 */
import type { FaultRule } from './faults.ts';
import type { CreateFault } from './instances.ts';

/** Effects of a fault on the instance that the call creates. */
export function createFaultOf(fault: FaultRule | null): CreateFault {
  switch (fault?.effect) {
    case 'lands_later':
      return { landsAfterMs: fault.delaySec * 1000 };
    case 'hang_provisioning':
      return {
        hang: {
          forMs: fault.forSec === undefined ? null : fault.forSec * 1000,
          ends: fault.ends,
          deletableAfterMs: fault.deletableAfterSec * 1000,
        },
      };
    case 'no_capacity_later':
      return { noCapacity: { afterMs: fault.afterSec === undefined ? null : fault.afterSec * 1000 } };
    case 'boot_fails':
      return { bootFails: fault.as };
    case 'unknown_status':
      return { word: { word: fault.word, forMs: fault.forSec * 1000 } };
    case 'list_lag':
      return { listLagMs: fault.lagSec * 1000 };
    case 'model_fault':
      return { modelFault: fault.fault };
    default:
      return {};
  }
}

const BAD_GATEWAY =
  '<html>\r\n<head><title>Bad gateway</title></head>\r\n<body><center><h1>Bad gateway</h1></center></body>\r\n</html>';

/** An HTML page, as the edge in front of an API answers. */
export const badGateway = (status: number): Response =>
  new Response(BAD_GATEWAY, { status, headers: { 'content-type': 'text/html' } });
