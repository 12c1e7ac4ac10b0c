/**
 * What a first boot brings along: an image, the installation's one SSH key and its startup script, each made at the provider once and
 * found again by its exact name.
 */
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { chooseBootImage } from '../../../domain/fleet/provider/boot-image.ts';
import { makeOsVolumeName, makeScriptName, makeSshKeyName } from '../../../domain/fleet/provider/names.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { providerError } from '../../../clouds/errors.ts';
import type { CloudProvider, CloudScript, CloudSshKey, ImageBoot, TextStore } from '../../../clouds/provider.ts';
import { Memo } from '../../../platform/memo.ts';
import { lockForTransaction, LOCKS } from '../../../platform/locks.ts';
import { sha256Hex } from '../../../platform/hash.ts';

export interface BootMaterialOptions {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  readonly installationId: string;
  /** OpenSSH line of the installation's key. */
  readonly publicKey: () => string;
  /** Script that prepares a machine of the pool; the same text for the same pool, model set and release. */
  readonly startupScript: (pool: PoolConfig) => Promise<string>;
}

const LOCKED_FOR_MS = 60_000;
/** Digits of a script's fingerprint in its name. */
const FINGERPRINT_LENGTH = 12;

/** What was found at the provider is asked for again after this time: it may have been removed behind our back. */
const REMEMBERED_FOR_MS = 60_000;

/** What tells one startup script from another, and stands in its name. */
export const scriptFingerprint = (script: string): string => sha256Hex(script).slice(0, FINGERPRINT_LENGTH);

export class BootMaterial {
  readonly #options: BootMaterialOptions;
  /** The provider is asked once per process and minute, not per create; concurrent callers share one look. */
  readonly #remembered = new Memo<string>({ keptMs: REMEMBERED_FOR_MS });

  constructor(options: BootMaterialOptions) {
    this.#options = options;
  }

  /**
   * The boot of a new machine from an image.
   *
   * @throws DeckhandError `provider_*`; `provider_config` when the type boots no image
   */
  async firstBoot(pool: PoolConfig, instanceType: string, hostname: string): Promise<ImageBoot> {
    const { sshKeys, scripts } = this.#options.provider;
    const script = await this.#options.startupScript(pool);
    const scriptName = makeScriptName(this.#options.installationId, scriptFingerprint(script));
    return {
      kind: 'image',
      image: pool.image ?? (await this.#remembered.get(`image/${instanceType}`, () => this.#imageOf(instanceType))),
      osVolumeName: makeOsVolumeName(hostname),
      osVolumeGib: pool.osVolumeGib,
      sshKey: {
        id:
          sshKeys === undefined
            ? null
            : await this.#remembered.get('key', () => this.#locked(() => this.#sshKey(sshKeys))),
        text: this.#options.publicKey().trim(),
      },
      startupScript: {
        id:
          scripts === undefined
            ? null
            : await this.#remembered.get(scriptName, () =>
                this.#locked(() => storedScript(scripts, scriptName, script)),
              ),
        text: script,
      },
    };
  }

  /**
   * Looks anew next time: a create was refused, perhaps for something that the provider does not know any more.
   *
   * @returns true when there was something to forget that had been found before `askedAtMs`
   */
  forget(askedAtMs: number): boolean {
    return this.#remembered.forgetAll() < askedAtMs;
  }

  async #imageOf(instanceType: string): Promise<string> {
    const types = await this.#options.provider.listInstanceTypes();
    const type = types.find((one) => one.instanceType === instanceType);
    const image = type === undefined ? undefined : chooseBootImage(type, type.supportedImages);
    if (image === undefined) throw providerError('config', `${instanceType} boots no image that is known`);
    return image;
  }

  async #sshKey(keys: TextStore<CloudSshKey>): Promise<string> {
    const { db, provider, installationId } = this.#options;
    const publicKey = this.#options.publicKey().trim();
    const name = makeSshKeyName(installationId);
    const found = (await keys.list()).find((key) => key.name === name && sameKey(key.publicKey, publicKey));
    const providerKeyId = found?.id ?? (await keys.add(name, publicKey));
    await db.fleetKey.upsert({
      where: { provider_installationId: { provider: provider.name, installationId } },
      create: { id: randomUUID(), provider: provider.name, installationId, providerKeyId, publicKey },
      update: { providerKeyId, publicKey },
    });
    return providerKeyId;
  }

  /** One process at a time looks and adds, so that nothing is added twice. */
  #locked(work: () => Promise<string>): Promise<string> {
    return this.#options.db.$transaction(
      async (tx) => {
        await lockForTransaction(tx, LOCKS.bootMaterial);
        return work();
      },
      { timeout: LOCKED_FOR_MS, maxWait: LOCKED_FOR_MS },
    );
  }
}

async function storedScript(scripts: TextStore<CloudScript>, name: string, script: string): Promise<string> {
  const found = (await scripts.list()).find((known) => known.name === name);
  return found?.id ?? (await scripts.add(name, script));
}

/** Comments of a key do not make another key. */
const sameKey = (a: string, b: string): boolean => keyBody(a) === keyBody(b);
const keyBody = (line: string): string => line.trim().split(/\s+/u).slice(0, 2).join(' ');
