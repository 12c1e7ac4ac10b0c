/** The machines that answered, and which set-up each had at the time of an answer. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';

/** The set-up that is known of the machines of one name, and while they had it. */
export interface HostSetup {
  readonly name: string;
  readonly setupVersion: string;
  /** Its disk was ordered then: earlier answers came from another disk. */
  readonly from: Date;
  /** An older disk was booted then; null = none was since. */
  readonly until: Date | null;
}

/** A stored answer, as far as it names its machine. */
interface Answered {
  readonly host: string;
  readonly createdAt: Date;
}

/** Version of the set-up that an answer was made with; null where that is not known any more, or never was. */
export function setupVersionOf(setups: readonly HostSetup[], { host, createdAt }: Answered): string | null {
  const setup = setups.find(({ name }) => name === host);
  if (setup === undefined || createdAt < setup.from) return null;
  return setup.until === null || createdAt < setup.until ? setup.setupVersion : null;
}

/** The machines of these answers, by name; a name once for each set-up that answered. */
export function hostsOf(setups: readonly HostSetup[], answers: readonly Answered[]): AnalysisReport['hosts'] {
  const hosts = answers.map((answer) => ({ name: answer.host, setupVersion: setupVersionOf(setups, answer) }));
  const byKey = new Map(hosts.map((host) => [JSON.stringify([host.name, host.setupVersion ?? '']), host]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, host]) => host);
}

/**
 * Reads the set-ups of machines by name.
 *
 * A name has the version of its last first boot only. It holds from that create on, refused or not, until a disk is booted that the
 * history names before the create.
 */
export async function readHostSetups(db: PrismaClient, names: readonly string[]): Promise<HostSetup[]> {
  if (names.length === 0) return [];
  // A create that Deckhand held back, which has no error class, has set nothing up.
  return db.$queryRaw<HostSetup[]>`
    SELECT DISTINCT ON (i.name) i.name, i."setupVersion", f."createdAt" AS "from",
      (SELECT min(w."createdAt") FROM "CreateIntent" w
        WHERE w."instanceName" = i.name AND w."createdAt" > f."createdAt" AND EXISTS (
          SELECT FROM "InstanceTransition" t
          WHERE t."instanceName" = i.name AND t.at < f."createdAt" AND w."fromVolumeId" = ANY(t."volumeIds"))) AS "until"
    FROM "FleetInstance" i JOIN "CreateIntent" f ON f."instanceName" = i.name
    WHERE i.name = ANY(${[...names]}) AND i."setupVersion" IS NOT NULL AND f."fromVolumeId" IS NULL
      AND NOT (f.state = 'refused' AND f."errorClass" IS NULL)
    ORDER BY i.name, f."createdAt" DESC`;
}
