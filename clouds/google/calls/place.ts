/**
 * Calls on what an instance needs before it is made: its image, its network and the firewall rule that allows SSH.
 */
import { z } from 'zod';
import { isProviderError, nullIfGone, providerError } from '../../errors.ts';
import { flag, get, listOf, number, text } from '../http/reading.ts';
import { refusalCode } from '../../http/refused.ts';
import type { RefusedCall } from '../http/refusal.ts';
import type { GoogleTransport } from '../http/transport.ts';
import { ended, sendOperation } from './operations.ts';

const imageSchema = z.object({ name: z.string().min(1), diskSizeGb: number });

/** An image, and the least disk that holds it. */
export interface Image {
  /** As an insert takes it: `projects/<project>/global/images/<name>`. */
  readonly url: string;
  readonly sizeGib: number;
}

/**
 * The newest image of a family.
 *
 * @param image `<project>/<family>`, or a family of the fleet's own project
 * @throws DeckhandError `provider_config` when there is no such family
 */
export async function findImage(http: GoogleTransport, image: string): Promise<Image> {
  const [family = '', project = http.project] = image.split('/').toReversed();
  const path = `/projects/${encodeURIComponent(project)}/global/images/family/${encodeURIComponent(family)}`;
  const found = await nullIfGone(() => get(http, path, imageSchema));
  if (found === null) {
    throw providerError('config', `the project ${project} has no image family ${family}`, {
      hint: 'Name an image of the pool as "project/family", or leave "image" out.',
    });
  }
  return { url: `projects/${project}/global/images/${found.name}`, sizeGib: found.diskSizeGb };
}

const firewallSchema = z.object({
  direction: text,
  disabled: flag,
  sourceRanges: listOf(text),
  targetTags: listOf(text),
  allowed: listOf(z.object({ IPProtocol: text, ports: listOf(text) })),
});
type Firewall = z.infer<typeof firewallSchema>;

/** Machines are reached at their IPv4 address; from where is not known, since gateways may move. */
const EVERYWHERE = '0.0.0.0/0';
const RULE_SETTLES_MS = 20_000;

const isOpen = ({ direction, disabled, sourceRanges, targetTags, allowed }: Firewall, tag: string): boolean =>
  direction === 'INGRESS' &&
  !disabled &&
  sourceRanges.includes(EVERYWHERE) &&
  targetTags.includes(tag) &&
  allowed.some(({ IPProtocol, ports }) => IPProtocol === 'tcp' && ports.includes('22'));

/**
 * Finds or makes the firewall rule that allows SSH to machines with the tag of its name and to nothing else. May run several times at once.
 *
 * @throws DeckhandError `provider_config` for a network that does not exist, or a rule of that name that does something else
 */
export async function ensureFirewall(http: GoogleTransport, network: string, name: string): Promise<void> {
  const path = `/projects/${http.project}/global/firewalls`;
  const find = () => nullIfGone(() => get(http, `${path}/${name}`, firewallSchema));
  const found = await find();
  if (found !== null) return checkFirewall(found, name);
  const body = {
    name,
    description: 'Deckhand: SSH only',
    network: `projects/${http.project}/global/networks/${network}`,
    direction: 'INGRESS',
    sourceRanges: [EVERYWHERE],
    targetTags: [name],
    allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
  };
  const refused: RefusedCall = { where: `POST ${path}`, kind: 'change', offer: null };
  try {
    const operation = await sendOperation(http, { kind: 'change', method: 'POST', path, body });
    await ended(http, operation, refused, RULE_SETTLES_MS);
  } catch (error) {
    // Another process made it, or our first request did whose answer was lost.
    if (isTaken(error)) return;
    if (!isProviderError(error, 'gone', 'config')) throw error;
    throw providerError('config', `no firewall rule can be made in the network ${network}: ${String(error)}`, {
      hint: 'Name a network of the project in "network" of the fleet file, under "providers.google".',
      cause: error,
    });
  }
}

const isTaken = (error: unknown): boolean =>
  ['alreadyExists', 'RESOURCE_ALREADY_EXISTS'].includes(refusalCode(error) ?? '');

function checkFirewall(found: Firewall, name: string): void {
  if (isOpen(found, name)) return;
  throw providerError('config', `the firewall rule ${name} does not let SSH in to machines with the tag ${name}`, {
    hint: `Delete the rule ${name} in the Google Cloud console: it is made anew.`,
  });
}
