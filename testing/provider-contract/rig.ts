/**
 * What the contract of the provider port needs of a provider and of the cloud behind it: to open one, to let time pass, and to make it go wrong.
 */
import type { CloudProvider } from '../../clouds/provider.ts';

/** Why calls are refused. `transient` = an error of the server itself, which does not tell whether the call took effect. */
export type RefusalReason = 'capacity' | 'quota' | 'billing' | 'auth' | 'throttled' | 'transient';

/** Which calls are refused: creates, starts of a stopped instance, or everything that only reads. */
export type RefusedCall = 'create' | 'start' | 'read';

/** What the cloud behind a provider can be made to do; what it cannot is in {@link ContractRig.missing}. */
export interface ContractFaults {
  /** Refuses every such call from now on, until {@link mend}. */
  refuse(call: RefusedCall, reason: RefusalReason): void | Promise<void>;
  /** Refuses every create, as a wrong request, in these words. */
  refuseInWords(words: string): void | Promise<void>;
  /** The next create takes effect, and its answer is lost. */
  loseCreateAnswer(): void | Promise<void>;
  /** The next create is accepted, and fails afterwards for lack of capacity. */
  failAfterCreate(): void | Promise<void>;
  /** Ends every fault. */
  mend(): void | Promise<void>;
}

/** What a double may be unable to show. Each is a part of the contract that is then left out. */
export type Missing =
  | `${RefusedCall} ${RefusalReason}`
  | 'refuseInWords'
  | 'loseCreateAnswer'
  | 'failAfterCreate'
  /** A machine that is being made, which takes no other commands yet. */
  | 'slow boot'
  /** A second create under the same host name and with the same content gives the instance of the first. */
  | 'create token'
  /** A record of what was billed. */
  | 'bill';

/** A provider with the cloud behind it, for one test. */
export interface ContractRig {
  readonly provider: CloudProvider;
  readonly faults: ContractFaults;
  readonly missing: ReadonlySet<Missing>;
  /** Ids in the provider's form that nothing has. */
  readonly unknownIds: { readonly instance: string; readonly volume: string };
  /** Makes an instance with other means than the port, as somebody else with this account would. @returns its id */
  makeForeignInstance(name: string): Promise<string>;
  /** Makes a data volume with other means than the port; absent where the double has none. @returns its id */
  makeDataVolume?(name: string, location: string): Promise<string>;
  /** Host names of all machines that run or may come to run, whatever lists show. */
  livingHostnames(): Promise<readonly string[]>;
  /** Lets some seconds pass, on whatever clock the cloud has. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** What a test uses: the rig of this test, and how it leaves out what the double cannot show. */
export interface ContractTest {
  readonly rig: ContractRig;
  /** Skips the test where the double lacks this. */
  needs(skip: (condition: boolean, note: string) => void, missing: Missing): void;
}
