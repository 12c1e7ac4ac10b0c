/**
 * One scrape: gauges are read source by source, workers are asked, and all of it is one text.
 *
 * A source that cannot be read is missing and reported as such (`deckhand_metrics_read`); the rest is shown. Scrapes that come within some seconds
 * of each other, or while one is under way, share one, so that many who ask cost no more than one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MetricDeps, MetricSource } from '../../activities/metrics/source.ts';
import { sample } from '../../activities/metrics/source.ts';
import { SOURCES } from '../../activities/metrics/sources.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { processMetricsText } from '../../platform/process-metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { gaugesText, mergedText } from './exposition.ts';
import { WorkerScraper } from './workers.ts';

/** A scrape this young is given again. */
const FRESH_MS = 2000;
/** A slow source this young is given again, also when it could not be read. */
const SLOW_FRESH_MS = 60_000;
/** A statement of a scrape is ended after this: metrics never keep the database from its work. */
const STATEMENT_LIMIT_MS = 3000;
/** After this time no further source is begun: Prometheus gives up after ten seconds, and missing sources are better than no answer. */
const BEGIN_LIMIT_MS = 6000;

/** What a scrape needs of the API. */
export type ScrapeDeps = Pick<ApiDeps, 'db' | 'config' | 'log' | 'temporal'>;

/** Labels of `deckhand_build_info`: which version answers. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(REPOSITORY_DIR, 'package.json'), 'utf8')));
const BUILD = { version, node: process.versions.node };

interface Kept<T> {
  readonly atMs: number;
  readonly value: Promise<T>;
}

/** Makes scrapes; one for each API process. */
export class Scraper {
  readonly #deps: ScrapeDeps;
  readonly #sources: readonly MetricSource[];
  readonly #workers = new WorkerScraper();
  readonly #slow = new Map<string, Kept<readonly Sample[]>>();
  #last: (Kept<string> & { isUnderWay: boolean }) | undefined;

  /** @param sources others than the usual ones, for tests */
  constructor(deps: ScrapeDeps, sources: readonly MetricSource[] = SOURCES) {
    this.#deps = deps;
    this.#sources = sources;
  }

  /** Everything, in the text format of Prometheus. */
  scrape(): Promise<string> {
    const nowMs = performance.now();
    if (this.#last !== undefined && (this.#last.isUnderWay || nowMs - this.#last.atMs < FRESH_MS)) {
      return this.#last.value;
    }
    const last = { atMs: nowMs, value: this.#scrape(), isUnderWay: true };
    this.#last = last;
    last.value.then(
      () => {
        last.isUnderWay = false;
      },
      () => {
        this.#last = undefined;
      },
    );
    return last.value;
  }

  async #scrape(): Promise<string> {
    const { config } = this.#deps;
    const begunAtMs = performance.now();
    const workers = this.#workers.scrape(config.home);
    const read: Sample[] = [sample('deckhand_build_info', BUILD, 1)];
    const attempt = async (group: string, work: () => Promise<void>): Promise<void> => {
      const isRead = await this.#isDone(group, work);
      read.push(sample('deckhand_metrics_read', { group }, isRead ? 1 : 0));
    };
    // One after the other: a scrape takes one connection of the pool, not all.
    for (const source of this.#sources) {
      await attempt(source.name, async () => {
        if (performance.now() - begunAtMs > BEGIN_LIMIT_MS) throw new Error('the sources before it took too long');
        read.push(...(await this.#read(source)));
      });
    }
    const { processes, samples } = await workers;
    const counted = mergedText([{ process: 'api', text: await processMetricsText() }, ...processes]);
    return `${await gaugesText([...read, ...samples])}\n${counted}`;
  }

  #read(source: MetricSource): Promise<readonly Sample[]> {
    if (!source.isSlow) return this.#readAnew(source);
    const atMs = performance.now();
    const last = this.#slow.get(source.name);
    if (last !== undefined && atMs - last.atMs < SLOW_FRESH_MS) return last.value;
    const value = this.#readAnew(source);
    this.#slow.set(source.name, { atMs, value });
    return value;
  }

  #readAnew(source: MetricSource): Promise<readonly Sample[]> {
    const { db, config, temporal } = this.#deps;
    const { slaMs, blobDir, blobQuotaBytes } = config;
    const deps: Omit<MetricDeps, 'db'> = { temporal, fleet: () => loadFleet(config), slaMs, blobDir, blobQuotaBytes };
    return db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
      return source.read({ ...deps, db: tx, now: new Date(), windowSec: null });
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
