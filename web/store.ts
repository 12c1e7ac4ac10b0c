/** Values beside React, for what several components share: a change renders only those that read another value than before. */
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

/** The part of a store that a component reads; the component is rendered again only when that changes. `read` gives a text, a number or a part of the value. */
export const useStore = <T, R>(store: Store<T>, read: (value: T) => R): R =>
  useSyncExternalStore(store.subscribe, () => read(store.get()));

/** The value of a store, for a component. */
export const useValue = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get);
