/** A create of a first boot, as tests order it. */
import type { ImageBoot, ImageRequest } from '../clouds/provider.ts';

/** Fields that a test sets; those that it leaves out have values that every provider takes. */
export interface ImageRequestFields
  extends
    Pick<ImageRequest, 'instanceType' | 'location'>,
    Partial<Omit<ImageRequest, 'boot' | 'instanceType' | 'location'>> {
  readonly boot: Pick<ImageBoot, 'image'> & Partial<ImageBoot>;
}

export const makeImageRequest = ({
  hostname = 'dh-test1-visual-1',
  boot,
  ...fields
}: ImageRequestFields): ImageRequest => ({
  hostname,
  description: 'a test',
  market: 'ondemand',
  tags: {},
  ...fields,
  boot: {
    kind: 'image',
    osVolumeName: `${hostname}-os`,
    osVolumeGib: 100,
    sshKey: { id: null, text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test' },
    startupScript: null,
    ...boot,
  },
});
