/**
 * The loop of a watcher: it writes its lease, takes jobs as long as it has room, follows their analyses with one question for all of them, and
 * publishes what came of each. Everything it knows stands in the drop folder or behind the API, so it can be killed at any time.
 */
import type { AnalysisSummary, DeckhandClient } from '../api/client.ts';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { isLeaseOver } from '../domain/drop-folder/lease.ts';
import { nextLookMs } from '../domain/drop-folder/readiness.ts';
import { isFinished } from '../domain/decks/report.ts';
import { pause } from '../platform/pause.ts';
import { ApiPresence, isAway } from './api-presence.ts';
import { removeOldSnapshots } from './deck-file.ts';
import type { Roots } from './deck-file.ts';
import type { Tell } from './events.ts';
import { folderError, isDenied } from './files.ts';
import type { DropFolder, SeenWatcher } from './folder.ts';
import { JobMemory } from './job-files.ts';
import { JobWork } from './job-work.ts';
import type { StepOutcome } from './job-work.ts';
import type { OwnLease } from './lease.ts';
import { Limit } from './limit.ts';
import { QueueScan } from './queue-scan.ts';
import type { Candidate } from './queue-scan.ts';
import type { WatchSettings } from './settings.ts';
import { tidy } from './tidy.ts';

/** Jobs whose files are read, uploaded or written at the same time. */
const STEPS_AT_ONCE = 4;
const TIDY_EVERY_MS = 60_000;
const LONGEST_RETRY_MS = 60_000;
const LONGEST_ROUND_PAUSE_MS = 15_000;

export interface WatcherDeps {
  readonly folder: DropFolder;
  readonly lease: OwnLease;
  readonly watcherId: string;
  readonly dropId: string;
  readonly roots: Roots;
  readonly settings: WatchSettings;
  readonly connect: () => DeckhandClient;
  readonly tell: Tell;
}

/** A job that this watcher holds. */
interface Claim {
  readonly name: string;
  readonly memory: JobMemory;
  readonly sinceMs: number;
  analysisId: string | null;
  /** Whose analysis it is; null while there is none. */
  tenantId: string | null;
  /** A step is under way. */
  busy: boolean;
  /** It waits for something that is not there yet, and takes no room. */
  waiting: boolean;
  /** It was found to be bad before it was taken; it takes no room either. */
  readonly refused: boolean;
  told: string;
  failures: number;
  /** Monotonic. */
  nextStepAtMs: number;
}

/** One watcher. */
export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #signal: AbortSignal;
  readonly #api: ApiPresence;
  readonly #work: JobWork;
  readonly #scan: QueueScan;
  readonly #claims = new Map<string, Claim>();
  readonly #limit = new Limit(STEPS_AT_ONCE);
  readonly #steps = new Set<Promise<void>>();
  /** Files with unusable names that cannot be put away. */
  readonly #unmovable = new Set<string>();
  /** Lasting troubles that were reported. */
  readonly #toldTroubles = new Set<string>();
  #lookAtOthersMs = Number.NEGATIVE_INFINITY;
  #tidiedMs = Number.NEGATIVE_INFINITY;
  #gone: readonly string[] = [];

  constructor(deps: WatcherDeps, signal: AbortSignal) {
    const { folder, lease, dropId, roots, settings, tell } = deps;
    this.#deps = deps;
    this.#signal = signal;
    this.#api = new ApiPresence(deps.connect, tell);
    const now = (): number => lease.now();
    const { patience, maxUploadBytes } = settings;
    const client = (): DeckhandClient => this.#api.client();
    const tenantId = (): string | undefined => this.#api.tenantId;
    this.#work = new JobWork({ folder, dropId, roots, patience, maxUploadBytes, client, tenantId, now, tell, signal });
    this.#scan = new QueueScan({ folder, roots, patience, now, tell });
  }

  /** Works until the signal fires; then the jobs it holds are free for others. Only then it returns. */
  async run(): Promise<void> {
    const { folder, lease, settings, tell, watcherId } = this.#deps;
    await lease.start();
    tell({ event: 'watching', folder: folder.path, watcher: watcherId, concurrency: settings.concurrency });
    let failures = 0;
    while (!this.#signal.aborted) {
      try {
        await this.#round(failures > 0);
        if (failures > 0) tell({ event: 'folder_back' });
        failures = 0;
      } catch (error) {
        if (this.#signal.aborted) break;
        failures += 1;
        if (failures === 1) tell({ event: 'folder_away', message: folderError(error).userMessage });
      }
      await pause(Math.min(LONGEST_ROUND_PAUSE_MS, settings.pollMs * 2 ** Math.min(failures, 10)), this.#signal);
    }
    await Promise.all(this.#steps);
    await lease
      .release()
      .catch((error: unknown) => tell({ event: 'trouble', message: folderError(error).userMessage }));
    tell({ event: 'stopped', watcher: watcherId, released: this.#claims.size });
  }

  async #round(afterFailure: boolean): Promise<void> {
    const { folder, lease, dropId } = this.#deps;
    if (!lease.isHeld()) await lease.renew();
    // Not in the empty mount point of a file system that was unmounted: there are no jobs, and no folders may be made.
    if ((await folder.identity()) !== dropId) {
      throw new DeckhandError('service_unavailable', 'the identity file is not there', {
        userMessage: `${folder.path} is not the same drop folder as before. Is its file system mounted?`,
      });
    }
    if (afterFailure) await folder.makeSubfolders();
    await this.#reconcile();
    await this.#lookAtOthers();
    const apiAnswers = await this.#api.answers(this.#signal);
    if (apiAnswers) await this.#follow();
    // A bad job needs no API to get its error file.
    await this.#takeMore(apiAnswers);
    this.#startDue(apiAnswers);
    await this.#tidy();
  }

  /** Updates the claims from the jobs that this watcher holds in the folder. */
  async #reconcile(): Promise<void> {
    const { folder, tell } = this.#deps;
    const held = new Set(await folder.held());
    for (const claim of this.#claims.values()) {
      if (claim.busy || held.has(claim.name)) continue;
      this.#claims.delete(claim.name);
      tell({ event: 'lost', job: claim.name });
    }
    for (const name of held) {
      // A job that was put away since the folder was listed is no longer held.
      if (this.#claims.has(name) || (await folder.readHeld(name)) === null) continue;
      await this.#remember(name, new JobMemory());
    }
  }

  async #remember(name: string, memory: JobMemory, refused = false): Promise<void> {
    const started = await this.#deps.folder.readStarted(name);
    this.#claims.set(name, {
      name,
      memory,
      sinceMs: performance.now(),
      analysisId: started?.analysis_id ?? null,
      tenantId: started?.tenant_id ?? null,
      busy: false,
      waiting: false,
      refused,
      told: '',
      failures: 0,
      nextStepAtMs: 0,
    });
  }

  /** Finds the watchers whose lease is over. */
  async #lookAtOthers(): Promise<void> {
    const { folder, lease, settings } = this.#deps;
    const everyMs = Math.min(5000, (settings.leaseSeconds * 1000) / 4);
    if (performance.now() - this.#lookAtOthersMs < everyMs) return;
    this.#lookAtOthersMs = performance.now();
    const nowMs = lease.now();
    const isOver = (other: SeenWatcher): boolean => isLeaseOver(other.lease, other.writtenAtMs, nowMs);
    const others = await folder.others();
    for (const { id } of others.filter(({ denied }) => denied)) {
      this.#tellTrouble(
        `The folder of watcher ${id} may not be read by this user. If that watcher ends, its jobs are not taken over from here.`,
      );
    }
    this.#gone = others.filter((other) => !other.denied && isOver(other)).map(({ id }) => id);
  }

  /** Reports a repeated trouble once. */
  #tellTrouble(message: string): void {
    if (this.#toldTroubles.has(message)) return;
    this.#toldTroubles.add(message);
    this.#deps.tell({ event: 'trouble', message });
  }

  /** Reads the status of all open analyses at once, and publishes those that are finished. */
  async #follow(): Promise<void> {
    const started = [...this.#claims.values()].filter((c) => c.analysisId !== null && this.#isDue(c));
    const open = started.filter((claim) => this.#isOurs(claim));
    if (open.length === 0) return;
    const ids = open.map((c) => c.analysisId).filter((id) => id !== null);
    const found = await this.#ask(ids);
    if (found === null) return;
    const byId = new Map(found.map((summary) => [summary.analysisId, summary]));
    for (const claim of open) {
      const { name, analysisId } = claim;
      const summary = byId.get(analysisId ?? '');
      if (summary === undefined) this.#step(claim, () => this.#work.refuseDeleted(name, analysisId ?? ''));
      else if (isFinished(summary.status)) this.#step(claim, () => this.#work.finish(name, summary));
    }
  }

  /** Whether our key finds the analysis of a job. An analysis of another tenant still exists: it waits for that tenant's key. */
  #isOurs(claim: Claim): boolean {
    const { tenantId } = this.#api;
    claim.waiting = tenantId !== undefined && claim.tenantId !== tenantId;
    if (!claim.waiting) return tenantId !== undefined;
    const reason = reasonOfForeign(claim.tenantId);
    if (claim.told !== reason) this.#deps.tell({ event: 'waiting', job: claim.name, reason });
    claim.told = reason;
    return false;
  }

  async #ask(ids: readonly string[]): Promise<readonly AnalysisSummary[] | null> {
    try {
      return await this.#api.client().analysesById(ids, this.#signal);
    } catch (thrown) {
      this.#signal.throwIfAborted();
      this.#api.away(asDeckhandError(thrown));
      return null;
    }
  }

  /** Takes jobs while there is room; those that only get an error file need none. */
  async #takeMore(apiAnswers: boolean): Promise<void> {
    const { folder, settings, tell } = this.#deps;
    const { names, unusable } = await folder.queued();
    for (const fileName of unusable) await this.#refuseUnusable(fileName);
    const inWork = [...this.#claims.values()].filter((claim) => !claim.waiting && !claim.refused).length;
    let room = apiAnswers ? settings.concurrency - inWork : 0;
    for (const candidate of await this.#scan.candidates(names, this.#gone)) {
      const { name, from, priority, memory, refused } = candidate;
      if ((room <= 0 && !refused) || this.#claims.has(name)) continue;
      const taken = await this.#take(candidate);
      if (!taken) continue;
      if (!refused) room -= 1;
      await this.#remember(name, memory, refused);
      tell({ event: 'claimed', job: name, priority, from });
    }
  }

  /** @returns false when another watcher was faster, the file cannot be moved, or its analysis is another tenant's: that one alone waits then */
  async #take(candidate: Candidate): Promise<boolean> {
    const { folder } = this.#deps;
    const { name, from } = candidate;
    try {
      const started = from === null ? null : await folder.readStarted(name, from);
      const { tenantId } = this.#api;
      if (started !== null && tenantId === undefined) return false;
      if (started !== null && started.tenant_id !== tenantId) {
        this.#scan.postpone(candidate, reasonOfForeign(started.tenant_id));
        return false;
      }
      const isOurs = await (from === null ? folder.claim(name) : folder.takeOver(name, from));
      this.#scan.forget(candidate);
      return isOurs;
    } catch (error) {
      if (!isDenied(error)) throw error;
      this.#scan.postpone(candidate, folderError(error).userMessage);
      return false;
    }
  }

  async #refuseUnusable(fileName: string): Promise<void> {
    if (this.#unmovable.has(fileName)) return;
    try {
      await this.#work.refuseUnusable(fileName);
    } catch (error) {
      if (!isDenied(error)) throw error;
      this.#unmovable.add(fileName);
      this.#deps.tell({ event: 'trouble', message: folderError(error).userMessage });
    }
  }

  #startDue(apiAnswers: boolean): void {
    for (const claim of this.#claims.values()) {
      if (claim.analysisId === null && (apiAnswers || claim.refused) && this.#isDue(claim)) {
        this.#step(claim, () => this.#work.start(claim.name, claim.memory));
      }
    }
  }

  #isDue(claim: Claim): boolean {
    return !claim.busy && claim.nextStepAtMs <= performance.now();
  }

  /** Does one step of a job beside the rounds, so that a large upload delays no other job. */
  #step(claim: Claim, work: () => Promise<StepOutcome>): void {
    claim.busy = true;
    const step = this.#limit
      .run(() => (this.#signal.aborted ? Promise.resolve() : this.#run(claim, work)))
      .finally(() => {
        claim.busy = false;
        this.#steps.delete(step);
      });
    this.#steps.add(step);
  }

  async #run(claim: Claim, work: () => Promise<StepOutcome>): Promise<void> {
    try {
      this.#settle(claim, await work());
    } catch (thrown) {
      if (this.#signal.aborted) return;
      const error = folderError(thrown);
      if (isAway(error)) {
        this.#api.away(error);
        return;
      }
      claim.failures += 1;
      const inMs = Math.min(LONGEST_RETRY_MS, 1000 * 2 ** (claim.failures - 1));
      claim.nextStepAtMs = performance.now() + inMs;
      this.#deps.tell({ event: 'retry', job: claim.name, message: error.userMessage, inMs });
    }
  }

  #settle(claim: Claim, outcome: StepOutcome): void {
    const { tell } = this.#deps;
    claim.failures = 0;
    claim.waiting = outcome.kind === 'wait';
    switch (outcome.kind) {
      case 'started':
        claim.analysisId = outcome.analysisId;
        claim.tenantId = outcome.tenantId;
        return;
      case 'wait':
        claim.nextStepAtMs = performance.now() + nextLookMs(performance.now() - claim.sinceMs);
        if (claim.told !== outcome.reason) tell({ event: 'waiting', job: claim.name, reason: outcome.reason });
        claim.told = outcome.reason;
        return;
      case 'over':
        this.#claims.delete(claim.name);
        return;
      case 'lost':
        this.#claims.delete(claim.name);
        tell({ event: 'lost', job: claim.name });
        return;
    }
  }

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidiedMs < TIDY_EVERY_MS) return;
    this.#tidiedMs = performance.now();
    const { folder, lease, settings } = this.#deps;
    const denied = await tidy(folder, { nowMs: lease.now(), retainDays: settings.retainDays, gone: this.#gone });
    for (const message of denied) this.#tellTrouble(message);
    await removeOldSnapshots(Date.now());
  }
}

const reasonOfForeign = (tenantId: string | null): string =>
  `belongs to tenant ${tenantId ?? '?'}; run a watcher with that tenant's key`;
