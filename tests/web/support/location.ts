/** Leaving the page, which jsdom cannot do: `location` whose `assign` and `reload` only note that they were called. */
import { onTestFinished, vi } from 'vitest';

/** Stands in for `location` until the end of the test. */
export function watchLocation() {
  const left = { assign: vi.fn<(address: string) => void>(), reload: vi.fn<() => void>() };
  const real = window.location;
  // Everything else is read of the real one, whose own methods cannot be replaced.
  const watched = new Proxy(left, {
    get: (_, name): unknown => {
      const value: unknown = Reflect.get(name in left ? left : real, name);
      return value instanceof Function && !(name in left) ? value.bind(real) : value;
    },
  });
  vi.stubGlobal('location', watched);
  onTestFinished(() => void vi.stubGlobal('location', real));
  return left;
}
