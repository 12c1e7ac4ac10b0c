/** Leaving the page, which jsdom cannot do: it is only noted, until the end of the test. */
import { onTestFinished, vi } from 'vitest';
import { leave } from '../../../web/leave.ts';

/** Calls of {@link leave}. */
export function watchLocation() {
  const to = vi.spyOn(leave, 'to').mockReturnValue();
  const again = vi.spyOn(leave, 'again').mockReturnValue();
  onTestFinished(() => {
    to.mockRestore();
    again.mockRestore();
  });
  return { to, again };
}
