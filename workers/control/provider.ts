/**
 * The provider as the control process holds it: opened at the first call, so that missing credentials end neither the process nor the
 * reviews that need no new machine, and are noticed as soon as they are there.
 */
import type { CloudProvider } from '../../clouds/provider.ts';
import { DATACRUNCH_CAPABILITIES } from '../../clouds/datacrunch/provider.ts';

/**
 * A provider that `open` makes when it is first spoken to. While it cannot be opened every call is refused with the error of the last try.
 */
export function openWhenAsked(name: string, open: () => CloudProvider): CloudProvider {
  let opened: CloudProvider | undefined;
  const shell: Pick<CloudProvider, 'name' | 'capabilities'> = { name, capabilities: DATACRUNCH_CAPABILITIES };
  return new Proxy(shell as CloudProvider, {
    get: (target, key) => {
      if (key in target) return Reflect.get(target, key) as unknown;
      // Whoever resolves a promise with a provider asks it whether it is one.
      if (key === 'then') return undefined;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        opened ??= open();
        const method = Reflect.get(opened, key) as (...given: readonly unknown[]) => Promise<unknown>;
        return method.apply(opened, [...args]);
      };
    },
  });
}
