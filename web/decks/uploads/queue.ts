/**
 * Uploads of this tab: every file is in the list at once, some are sent at a time, and a review is started of what is new. The list outlives the
 * page, so that a visit to a review stops nothing. While Deckhand does not answer, files wait and go on by themselves.
 */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { api, RequestError } from '../../request.ts';
import { createStore, useStore, useValue } from '../../store.ts';
import { answers, untilAnswers } from './answers.ts';
import { checkIsPdf } from './check.ts';
import { currentChoices, type ReviewChoices } from './choices.ts';
import { sendFile } from './send.ts';

/** Why a file was not taken, or its review not started. */
export interface UploadProblem {
  readonly code: string;
  /** In English, for codes that the page has no words for. */
  readonly message: string;
  readonly hint: string | null;
}

/** Where an upload is. `known`: the same PDF was there with a review; `started`: its review is asked for. */
export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'starting' }
  | { readonly kind: 'started' }
  | { readonly kind: 'known'; readonly entry: DeckEntry }
  | { readonly kind: 'failed'; readonly problem: UploadProblem };

/** One file. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly choices: ReviewChoices;
  /** Null before it is sent. */
  readonly deckId: string | null;
  readonly state: UploadState;
}

/** What the page shows. */
interface Uploads {
  readonly items: readonly Upload[];
  /** True while Deckhand does not answer. */
  readonly held: boolean;
}

const AT_A_TIME = 3;
/** A connection that breaks so often while Deckhand answers others is a fault of this file, such as one that changes while it is sent. */
const MOST_BREAKS = 3;

const uploads = createStore<Uploads>({ items: [], held: false });
let nextId = 1;
/** What ends the request of an upload. */
const aborts = new Map<number, () => void>();
const breaks = new Map<number, number>();
/** How many decks were stored and reviews started, so that lists show them also without the event stream. */
const stored = createStore(0);

const items = (): readonly Upload[] => uploads.get().items;
const set = (next: Partial<Uploads>): void => uploads.set({ ...uploads.get(), ...next });

const change = (id: number, next: Partial<Pick<Upload, 'deckId' | 'state' | 'choices'>>): void =>
  set({ items: items().map((each) => (each.id === id ? { ...each, ...next } : each)) });

/** The uploads, for a component. */
export const useUploads = (): Uploads => useValue(uploads);

/** How many rows uploads take, for a component that does not show them. */
export const useUploadCount = (): number => useStore(uploads, (all) => all.items.length);

/** Follows what is stored. Returns what ends it. */
export const onStored = stored.subscribe;

/** Adds files with the choices of now. */
export function addFiles(files: readonly File[]): void {
  const choices = currentChoices();
  const added = files.map((file): Upload => ({
    id: nextId++,
    file,
    choices,
    deckId: null,
    state: { kind: 'waiting' },
  }));
  set({ items: [...added, ...items()] });
  next();
}

/** Tries again what failed. */
export function retryUpload(id: number): void {
  breaks.delete(id);
  change(id, { state: { kind: 'waiting' } });
  next();
}

/** Reviews a known deck again, with the choices of now. */
export function reviewKnownAgain(id: number): void {
  change(id, { choices: currentChoices() });
  void takeCareOf(id, async (upload) => startReview(upload));
}

/** Takes an upload off the list; one that is on its way is stopped. */
export function dismissUpload(id: number): void {
  aborts.get(id)?.();
  set({ items: items().filter((each) => each.id !== id) });
  next();
}

/** Takes off the list what is in the list of decks by now, and says of known decks what that list says. */
export function settleUploads(decks: readonly DeckEntry[]): void {
  const shown = new Map(decks.map((deck) => [deck.id, deck]));
  const before = items();
  const after = before.flatMap((upload): Upload[] => {
    const { state, deckId } = upload;
    const entry = deckId === null ? undefined : shown.get(deckId);
    if (entry === undefined) return [upload];
    if (state.kind === 'started') return [];
    return [state.kind === 'known' && state.entry !== entry ? { ...upload, state: { kind: 'known', entry } } : upload];
  });
  const isChanged = after.length < before.length || after.some((item, index) => item !== before[index]);
  if (isChanged) set({ items: after });
}

/** Takes off the list what needs nothing more. */
export const dismissFinished = (): void => set({ items: items().filter(isOpen) });

/** Whether an upload is not over. */
export const isOpen = ({ state }: Upload): boolean =>
  state.kind === 'waiting' || state.kind === 'sending' || state.kind === 'starting';

const isUnderWay = ({ state }: Upload): boolean => state.kind === 'sending' || state.kind === 'starting';

/** Starts what may start. */
function next(): void {
  if (uploads.get().held) return;
  const free = AT_A_TIME - items().filter(isUnderWay).length;
  const waiting = items()
    .filter(({ state }) => state.kind === 'waiting')
    .toSorted((a, b) => a.id - b.id);
  for (const { id } of waiting.slice(0, Math.max(0, free))) void takeCareOf(id, sendAndReview);
}

/** Runs a step of an upload, and says how it failed. */
async function takeCareOf(id: number, step: (upload: Upload) => Promise<void>): Promise<void> {
  const upload = items().find((each) => each.id === id);
  if (upload === undefined) return;
  try {
    await step(upload);
  } catch (error) {
    await failed(id, error);
  } finally {
    aborts.delete(id);
    next();
  }
}

async function sendAndReview(upload: Upload): Promise<void> {
  const { id, file } = upload;
  let { deckId } = upload;
  if (deckId === null) {
    change(id, { state: { kind: 'sending', share: 0 } });
    await checkIsPdf(file);
    const sending = sendFile(file, (share) => change(id, { state: { kind: 'sending', share } }));
    aborts.set(id, () => sending.abort());
    const { isNew, ...sent } = await sending.done;
    deckId = sent.deckId;
    change(id, { deckId, state: { kind: 'starting' } });
    if (!isNew) {
      const entry = await api.GET('/decks/{id}', { params: { path: { id: deckId } } });
      if (hasReview(entry)) {
        change(id, { state: { kind: 'known', entry } });
        tellStored();
        return;
      }
    }
  }
  await startReview({ ...upload, deckId });
}

async function startReview({ id, deckId, choices }: Upload): Promise<void> {
  change(id, { state: { kind: 'starting' } });
  await api.POST('/decks/{id}/analyses', { params: { path: { id: deckId ?? '' } }, body: choices });
  change(id, { state: { kind: 'started' } });
  tellStored();
}

function tellStored(): void {
  stored.set(stored.get() + 1);
}

/** A deck that needs no review: it has one, or one is on its way. */
function hasReview({ status }: DeckEntry): boolean {
  return status === 'queued' || status === 'running' || status === 'completed' || status === 'completed_with_gaps';
}

async function failed(id: number, error: unknown): Promise<void> {
  const problem =
    error instanceof RequestError
      ? { code: error.code, message: error.message, hint: error.hint }
      : { code: 'internal', message: String(error), hint: null };
  if (problem.code !== 'offline') {
    change(id, { state: { kind: 'failed', problem } });
    return;
  }
  const times = (breaks.get(id) ?? 0) + 1;
  if (await answers()) {
    breaks.set(id, times);
    if (times >= MOST_BREAKS) change(id, { state: { kind: 'failed', problem } });
    else change(id, { state: { kind: 'waiting' } });
    return;
  }
  change(id, { state: { kind: 'waiting' } });
  if (!uploads.get().held) void waitForAnswer();
}

/** Holds all uploads while Deckhand does not answer. */
async function waitForAnswer(): Promise<void> {
  set({ held: true });
  await untilAnswers();
  set({ held: false });
  next();
}

// A browser asks before it closes a tab whose files are not sent yet.
addEventListener('beforeunload', (event) => {
  if (items().some(isOpen)) event.preventDefault();
});
