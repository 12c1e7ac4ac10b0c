/**
 * The contract of the provider port as tests: what every implementation of `clouds/provider.ts` does, whatever cloud is behind it.
 *
 *     describeProviderContract('a simulated cloud', () => openMyRig());
 *
 * Each test has a rig of its own. After each, the account is emptied through the port, and nothing may be left.
 */
import { afterEach, beforeEach, describe } from 'vitest';
import { emptyAccount } from './acts.ts';
import { testCatalogue } from './catalogue.ts';
import { testLives } from './lives.ts';
import { testRefusals } from './refusals.ts';
import { testVolumes } from './volumes.ts';
import type { ContractRig, ContractTest } from './rig.ts';

export function describeProviderContract(name: string, open: () => ContractRig | Promise<ContractRig>): void {
  describe(`provider contract: ${name}`, () => {
    let opened: ContractRig | undefined;
    const test: ContractTest = {
      get rig() {
        if (opened === undefined) throw new Error('there is no rig outside a test');
        return opened;
      },
      needs(skip, missing) {
        skip(test.rig.missing.has(missing), `this double has no ${missing}`);
      },
    };
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await emptyAccount(test.rig);
      await opened?.close();
      opened = undefined;
    });
    testCatalogue(test);
    testLives(test);
    testVolumes(test);
    testRefusals(test);
  });
}
