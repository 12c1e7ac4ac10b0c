/**
 * One scrape: what happened is added to the totals, gauges are read group by group, workers are asked, and all of it is one text.
 *
 * A group that cannot be read is missing and said to be (`deckhand_metrics_read`); the rest is shown. Scrapes that come within some seconds of
 * each other, or while one is under way, share one, so that many who ask cost no more than one.
 */
import type { Sample } from '../../domain/metrics/definitions.ts';
import { readFamilies, showFamilies } from '../../domain/metrics/exposition.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { ApiDeps } from '../deps.ts';
import { countDocuments } from './documents.ts';
import { showMetrics } from './exposition.ts';
import { readBudgets } from './groups/budgets.ts';
import { FLEET_GROUP } from './groups/fleet.ts';
import { sample, type MetricGroup } from './groups/group.ts';
import { HEALTH_GROUP } from './groups/health.ts';
import { LEDGER_GROUP } from './groups/ledger.ts';
import { POOL_GROUP } from './groups/pools.ts';
import { readTargets } from './groups/targets.ts';
import { MinutelyGroup } from './groups/minutely.ts';
import { WORK_GROUP } from './groups/work.ts';
import { countEvents, readTotals, type Total } from './totals.ts';
import { apiVersion } from './version.ts';
import { scrapeWorkers } from './workers.ts';

/** A scrape this young is given again. */
const FRESH_MS = 2000;
/** A statement of a scrape is ended after this: metrics never keep the database from its work. */
const STATEMENT_LIMIT_MS = 3000;
/** After this time no further group is begun: Prometheus gives up after ten seconds, and late groups are better than none at all. */
const BEGIN_LIMIT_MS = 6000;

/** What a scrape needs of the API. */
export type ScrapeDeps = Pick<ApiDeps, 'db' | 'config' | 'log'>;

/** Counts what has happened; the sweep of the API does it, too, where nobody scrapes. */
export async function countMetrics(db: PrismaClient): Promise<void> {
  await countEvents(db);
  await countDocuments(db, new Date());
}

/** Makes scrapes; one for each API process. */
export class Scraper {
  readonly #deps: ScrapeDeps;
  readonly #groups: readonly MetricGroup[] = [
    FLEET_GROUP,
    POOL_GROUP,
    HEALTH_GROUP,
    WORK_GROUP,
    LEDGER_GROUP,
    new MinutelyGroup('budgets', readBudgets),
    new MinutelyGroup('targets', readTargets),
  ];
  #last: { readonly atMs: number; readonly text: Promise<string>; isUnderWay: boolean } | undefined;

  constructor(deps: ScrapeDeps) {
    this.#deps = deps;
  }

  /** Everything, as Prometheus reads it. */
  scrape(): Promise<string> {
    const nowMs = performance.now();
    if (this.#last !== undefined && (this.#last.isUnderWay || nowMs - this.#last.atMs < FRESH_MS)) {
      return this.#last.text;
    }
    const last = { atMs: nowMs, text: this.#scrape(), isUnderWay: true };
    this.#last = last;
    last.text.then(
      () => {
        last.isUnderWay = false;
      },
      () => {
        this.#last = undefined;
      },
    );
    return last.text;
  }

  async #scrape(): Promise<string> {
    const { db, config } = this.#deps;
    const begunAtMs = performance.now();
    const workers = scrapeWorkers(config.home);
    const read: Sample[] = [sample('deckhand_build_info', apiVersion(), 1)];
    const attempt = async (group: string, work: () => Promise<void>): Promise<void> => {
      const isRead = await this.#isDone(group, work);
      read.push(sample('deckhand_metrics_read', { group }, isRead ? 1 : 0));
    };
    let totals: Total[] = [];
    await attempt('totals', async () => {
      await countMetrics(db);
      totals = await readTotals(db);
    });
    // One after the other: a scrape takes one connection of the pool, not all.
    for (const group of this.#groups) {
      await attempt(group.name, async () => {
        if (performance.now() - begunAtMs > BEGIN_LIMIT_MS) throw new Error('the groups before it took too long');
        read.push(...(await this.#read(group)));
      });
    }
    const { families, samples } = await workers;
    const own = readFamilies(await showMetrics([...read, ...samples], totals));
    return showFamilies([...own, ...families]);
  }

  #read(group: MetricGroup): Promise<readonly Sample[]> {
    const { db, config } = this.#deps;
    return db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
      return group.read({ db: tx, config, now: new Date() });
    });
  }

  async #isDone(group: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#deps.log.warn({ err: error, group }, 'metrics could not be read');
      return false;
    }
  }
}
