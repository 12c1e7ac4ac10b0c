/**
 * The notice that a provider gives before it takes a spot machine back, as the machine itself can read it: from the metadata service at
 * 169.254.169.254, over HTTP, with one of three protocols. A machine whose provider gives no notice has no such service, or one without it.
 */
import { z } from 'zod';
import { partsOf, PRELUDE } from '../../health/gpu/commands.ts';
import { tryJson } from '../../text/json.ts';

/** How the metadata service is asked: EC2's `spot/instance-action` with a session token, GCE's `preempted`, Azure's scheduled events. */
export const NOTICE_PROTOCOLS = ['ec2', 'gce', 'azure'] as const;
export type NoticeProtocol = (typeof NOTICE_PROTOCOLS)[number];

/** Time between two looks: the shortest notice is 30 s. */
export const NOTICE_INTERVAL_MS = 5000;
/** Longest time of one look. */
export const NOTICE_LIMIT_MS = 8000;

/** Time that is left when a notice names none: GCE's 30 s, less the time between two looks. */
const SHORTEST_NOTICE_MS = 30_000 - NOTICE_INTERVAL_MS;
/** A notice that names a time further ahead is not one of an eviction. */
const LONGEST_NOTICE_MS = 3_600_000;

/** The provider takes the machine back at this time, ms since 1970. */
export interface EvictionNotice {
  readonly endsAtMs: number;
}

/** What one look said: a notice, none so far, or that the machine has no service that could give one. */
export type NoticeReading =
  | ({ readonly kind: 'notice' } & EvictionNotice)
  | { readonly kind: 'none' }
  | { readonly kind: 'no_service' };

/**
 * Asks with all three protocols, because each service answers the paths of the others with an error. Changes nothing at the machine. Always
 * ends with 0.
 */
export const NOTICE_COMMAND = `${PRELUDE}
service=http://169.254.169.254
ask() { curl -s -f --noproxy '*' --connect-timeout 1 -m 1 "$@" 2>/dev/null | head -c 4000; }
if curl -s -o /dev/null --noproxy '*' --connect-timeout 1 -m 2 "$service/" 2>/dev/null; then part service; fi
part ec2
token=$(ask -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$service/latest/api/token")
if [ -n "$token" ]; then ask -H "X-aws-ec2-metadata-token: $token" "$service/latest/meta-data/spot/instance-action"; fi
part gce
ask -H 'Metadata-Flavor: Google' "$service/computeMetadata/v1/instance/preempted"
part azure
ask -H 'Metadata: true' "$service/metadata/scheduledevents?api-version=2020-07-01"
part end
exit 0`;

const ec2Schema = z.object({ action: z.string(), time: z.string().optional() });
const azureSchema = z.object({
  Events: z.array(
    z.object({ EventType: z.string(), EventStatus: z.string().optional(), NotBefore: z.string().optional() }),
  ),
});

/** Reads the output of {@link NOTICE_COMMAND}. What cannot be read is no notice. */
export function readNotice(output: string, nowMs: number): NoticeReading {
  const parts = partsOf(output);
  const notice = ofEc2(parts.get('ec2'), nowMs) ?? ofGce(parts.get('gce'), nowMs) ?? ofAzure(parts.get('azure'), nowMs);
  if (notice !== null) return { kind: 'notice', ...notice };
  return { kind: parts.has('service') ? 'none' : 'no_service' };
}

function ofEc2(text: string | undefined, nowMs: number): EvictionNotice | null {
  const parsed = ec2Schema.safeParse(tryJson(text ?? ''));
  return parsed.success ? noticeAt(parsed.data.time, nowMs) : null;
}

const ofGce = (text: string | undefined, nowMs: number): EvictionNotice | null =>
  text === 'TRUE' ? noticeAt(undefined, nowMs) : null;

/** Events of other kinds, such as a freeze of some seconds, take nothing away. */
function ofAzure(text: string | undefined, nowMs: number): EvictionNotice | null {
  const parsed = azureSchema.safeParse(tryJson(text ?? ''));
  const event = parsed.success ? parsed.data.Events.find(({ EventType }) => EventType === 'Preempt') : undefined;
  return event === undefined ? null : noticeAt(event.NotBefore, nowMs);
}

/** A time that is missing or makes no sense is the shortest notice from now: the machine goes, whenever that is. */
function noticeAt(time: string | undefined, nowMs: number): EvictionNotice {
  const saidMs = Date.parse(time ?? '');
  const isSensible = saidMs >= nowMs && saidMs - nowMs <= LONGEST_NOTICE_MS;
  return { endsAtMs: isSensible ? saidMs : nowMs + SHORTEST_NOTICE_MS };
}
