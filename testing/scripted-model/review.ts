/** Decks on scripted servers: a whole Deckhand whose own durations run as fast as the servers' clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { drawPlainDeck, plainSlides } from '../plain-deck.ts';
import { startRig } from '../rig.ts';
import { shortenTemplates } from '../short-template.ts';
import { sharedServers } from '../test-servers.ts';
import { type Behaviour, DECK_TASK, startScriptedOllama } from '../scripted-ollama/server.ts';

/** One request of a deck, as its server saw it. */
export interface Send {
  /** The same for each time that something is asked. */
  readonly identity: string;
  /** Which of the pictures that the server was shown, from 1; null = none. */
  readonly picture: number | null;
  /** `lost`: the server died. `cut`: the client closed the connection. Null = still open. */
  readonly end: 'answered' | 'failed' | 'reset' | 'cut' | 'lost' | null;
  /** Requests in the server when it arrived, with itself. */
  readonly present: number;
}

/** A model server of any kind while decks are reviewed on it. */
export interface TrialServer {
  readonly kind: ServerKind;
  readonly url: string;
  /** From now on its fault happens. */
  arm(): void;
  /** Requests of the deck, in the order in which they arrived. */
  sends(): readonly Send[];
  stop(): Promise<void>;
}

/** Starts a server that has this model, on a clock that is so many times faster than the wall's. */
export type StartServer = (model: string, clock: number) => Promise<TrialServer>;

/** A server of Ollama's protocol that behaves so. */
export const scriptedOllama =
  (behaviour: Behaviour): StartServer =>
  async (model, clock) => {
    const server = await startScriptedOllama([model], behaviour, clock);
    const sends = (): readonly Send[] => server.log.filter(({ task }) => DECK_TASK.test(task));
    return { kind: 'ollama', url: server.url, arm: () => server.arm(), stop: () => server.stop(), sends };
  };

/** How much faster than the wall's clock that of every server is, and the durations of Deckhand with it. */
const CLOCK = 50;
/**
 * A deck that has not ended after this time of the wall is taken not to end. A server that reads one token a second and stops in each answer
 * takes 420 s: three sends of 75 s for each call, four calls at a time.
 */
const PATIENCE_SEC = 900;
/** Defaults of what is scaled here. */
const SLOWEST_TOKENS_PER_SEC = 2.5;
const LEAST_SILENCE_SEC = 120;
/** Temporal and three processes need some time of the wall, whatever the clock is. */
const LEAST_MS = 1000;
/** Result of a deck. */
export interface Outcome {
  readonly report: AnalysisReport;
  /** Time of the wall; null where it had not ended when the patience was over. */
  readonly endedAfterSec: number | null;
  /** Its calls, in the order in which they arrived. */
  readonly sends: readonly Send[];
}

/** A Deckhand that reviews decks on servers of their own, several at a time. */
export interface Trials {
  /** Reviews a deck with so many pages on a server of its own. */
  reviewOn(start: StartServer, pages: number): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Starts it. */
export async function startTrials(): Promise<Trials> {
  const scaled = (ms: number): number => Math.max(LEAST_MS, Math.round(ms / CLOCK));
  const rig = await startRig({
    servers: sharedServers,
    environment: {
      DECKHAND_SLOWEST_TOKENS_PER_SEC: String(SLOWEST_TOKENS_PER_SEC * CLOCK),
      DECKHAND_LEAST_SILENCE_SEC: String(LEAST_SILENCE_SEC / CLOCK),
      // An hour of the servers' time.
      DECKHAND_UNSERVED_HOURS: String(1 / CLOCK),
    },
    fleet: {
      health: { sampleIntervalMs: scaled(60_000), probeIdleMs: scaled(120_000), probeTimeoutMs: scaled(20_000) },
    },
  });
  await shortenTemplates(rig.db, DEFAULT_TENANT, { chapters: 2, questionsOfEach: 1 });
  let made = 0;
  return {
    reviewOn: async (start, pages) => {
      const number = (made += 1);
      const name = `scripted-${number}`;
      const model = `scripted:${number}`;
      const server = await start(model, CLOCK);
      try {
        await rig.client.PUT('/models/servers/{name}', {
          params: { path: { name } },
          body: { url: server.url, kind: server.kind },
        });
        const { profile } = await rig.client.POST('/models/add', { body: { model, server: name, profile: name } });
        try {
          const slides = Array.from({ length: Math.ceil(pages / 5) }, (_, part) =>
            plainSlides(`Velhain ${number}.${part}`),
          );
          const deckId = await rig.upload(await drawPlainDeck(slides.flat().slice(0, pages)), `deck-${number}.pdf`);
          server.arm();
          const startedMs = performance.now();
          const { analysisId } = await rig.client.startAnalysis(deckId, { models: profile });
          const hasEnded = await Promise.race([
            rig.ended(analysisId).then(() => true),
            sleep(PATIENCE_SEC * 1000, false, { ref: false }),
          ]);
          const endedAfterSec = hasEnded ? Math.round((performance.now() - startedMs) / 100) / 10 : null;
          const report = await rig.client.report(analysisId);
          if (!hasEnded) await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
          return { report, endedAfterSec, sends: server.sends() };
        } finally {
          // Its pool ends: a server that is gone is not looked for while others are tried.
          await rig.client.DELETE('/models/catalog', { params: { query: { kind: 'profile', name } } });
        }
      } finally {
        await server.stop();
      }
    },
    stop: () => rig.stop(),
  };
}

/** How often each thing was sent, by how the sends ended. */
export function sendsOfEach(sends: readonly Send[]): Readonly<Record<string, number>>[] {
  const groups = Map.groupBy(sends, ({ identity }) => identity);
  return [...groups.values()].map((group) => {
    const counts: Record<string, number> = {};
    for (const { end } of group) counts[end ?? 'open'] = (counts[end ?? 'open'] ?? 0) + 1;
    return counts;
  });
}
