/**
 * What of a review is shown: the place, which of its quotes, and the slide. A store beside React, so that going to the next claim renders two rows
 * and the slide, not the page.
 */
import { useSyncExternalStore } from 'react';

/** A value beside React. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Makes a store. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a component reads of a store; it is rendered again only when that changes. `read` gives a text, a number or the value itself. */
export const useStore = <T, R>(store: Store<T>, read: (value: T) => R): R =>
  useSyncExternalStore(store.subscribe, () => read(store.get()));

/** What is shown. */
export interface Selection {
  /** Key of the place; null before one was chosen. */
  readonly stop: string | null;
  /** Index of its quote. */
  readonly quote: number;
  /** Number of the slide; the quote is lit where it is the quote's. */
  readonly slide: number;
}
