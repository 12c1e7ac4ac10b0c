/**
 * What jsdom lacks of a browser, before each file of component tests. jsdom lays nothing out: every element has the size of {@link setViewport}
 * where a component asks for one, and the event stream is the fake one of stream.ts.
 */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { clearCalls } from './api.ts';
import { FakeEventSource } from './stream.ts';
import { mediaMatches, setViewport, viewport } from './viewport.ts';

// A part of a page that is loaded when it is first opened is compiled first, on a machine that runs other tests.
configure({ asyncUtilTimeout: 20_000 });

/** Tells its size once: nothing is resized in these tests. */
class OneSizeObserver implements ResizeObserver {
  readonly #tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const contentRect = new DOMRect(0, 0, viewport.widthPx, viewport.heightPx);
    const size = [{ inlineSize: viewport.widthPx, blockSize: viewport.heightPx }];
    const entry = { target, contentRect, borderBoxSize: size, contentBoxSize: size, devicePixelContentBoxSize: size };
    queueMicrotask(() => this.#tell([entry], this));
  }
  unobserve(): void {
    // Nothing is told after the first time.
  }
  disconnect(): void {
    // Nothing is told after the first time.
  }
}

/** Sees every element at once: an endless list reads on. */
class SeesAllObserver implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  readonly #tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const rect = target.getBoundingClientRect();
    const entry = { target, isIntersecting: true, intersectionRatio: 1, time: 0 };
    const rects = { boundingClientRect: rect, intersectionRect: rect, rootBounds: rect };
    queueMicrotask(() => this.#tell([{ ...entry, ...rects }], this));
  }
  unobserve(): void {
    // Nothing is told after the first time.
  }
  disconnect(): void {
    // Nothing is told after the first time.
  }
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
}

vi.stubGlobal('ResizeObserver', OneSizeObserver);
vi.stubGlobal('IntersectionObserver', SeesAllObserver);
vi.stubGlobal('EventSource', FakeEventSource);
vi.stubGlobal('matchMedia', mediaMatches);
// Files share a process, but are no tabs of one browser.
const browser = crypto.randomUUID();
vi.stubGlobal(
  'BroadcastChannel',
  class extends BroadcastChannel {
    constructor(name: string) {
      super(`${name} ${browser}`);
    }
  },
);
// One tab: it has the lock at once, and keeps it.
Object.defineProperty(navigator, 'locks', {
  configurable: true,
  value: { request: (_name: string, run: () => Promise<unknown>) => run() },
});

const sizes = {
  clientWidth: 'widthPx',
  clientHeight: 'heightPx',
  offsetWidth: 'widthPx',
  offsetHeight: 'heightPx',
} as const;
for (const [name, side] of Object.entries(sizes)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => viewport[side] });
}
Object.assign(Element.prototype, {
  scrollIntoView: vi.fn(),
  scrollTo: vi.fn(),
  hasPointerCapture: () => false,
  setPointerCapture: vi.fn(),
  releasePointerCapture: vi.fn(),
});
vi.stubGlobal('scrollTo', vi.fn());
// jsdom's files take no blobs but its own.
Response.prototype.blob = async function blob(this: Response): Promise<Blob> {
  return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' });
};
URL.createObjectURL = () => 'blob:test';
URL.revokeObjectURL = () => undefined;

afterEach(() => {
  cleanup();
  FakeEventSource.closeAll();
  clearCalls();
  localStorage.clear();
  setViewport('desktop');
});
