/** Images: public families with NVIDIA's driver, and a plain one. */
import type { Call, Simulation } from '../account.ts';
import { notFound } from '../errors.ts';
import { linkTo } from './links.ts';
import { listAnswer, type Row } from './lists.ts';

export interface SimImage {
  readonly project: string;
  readonly family: string;
  readonly name: string;
  readonly sizeGib: number;
  /** Path as an insert names it. */
  readonly path: string;
}

const image = (project: string, family: string, date: string, sizeGib: number): SimImage => ({
  project,
  family,
  name: `${family}-v${date}`,
  sizeGib,
  path: `projects/${project}/global/images/${family}-v${date}`,
});

const IMAGES: readonly SimImage[] = [
  image('ubuntu-os-accelerator-images', 'ubuntu-accelerator-2404-amd64-with-nvidia-580', '20260928', 20),
  image('deeplearning-platform-release', 'common-cu129-ubuntu-2404-nvidia-580', '20260819', 50),
  image('ubuntu-os-cloud', 'ubuntu-2404-lts-amd64', '20260925', 10),
  image('debian-cloud', 'debian-12', '20260915', 10),
];

/** The image that a URL names: `projects/p/global/images/x`, or `…/images/family/f`. @throws GoogleError */
export function imageAt(_sim: Simulation, url: string): SimImage {
  const [, project = '', , family, name] =
    /projects\/([^/]+)\/global\/images\/(family\/([^/]+)|([^/]+))$/u.exec(url) ?? [];
  const found = IMAGES.find(
    (one) => one.project === project && (family === undefined ? one.name === name : one.family === family),
  );
  if (found === undefined) throw notFound(url.replace(/^.*\/(?=projects\/)/u, ''));
  return found;
}

function imageTree(sim: Simulation, { project, family, name, sizeGib, path }: SimImage): Row {
  return {
    kind: 'compute#image',
    id: String(5_000_000_000_000 + name.length),
    creationTimestamp: '2026-09-28T00:00:00.000-07:00',
    name,
    description: `Simulated ${family}`,
    family,
    diskSizeGb: String(sizeGib),
    archiveSizeBytes: '1000000000',
    status: 'READY',
    sourceType: 'RAW',
    architecture: 'X86_64',
    selfLink: linkTo({ ...sim, project }, path.slice(path.indexOf('/global'))),
  };
}

const isThere = ({ sim, params }: Call): readonly SimImage[] =>
  IMAGES.filter(({ project }) => project === params['project'] && project !== sim.project);

function imageBy(field: 'family' | 'name', path: string, call: Call): unknown {
  const { sim, params } = call;
  const found = isThere(call).find((one) => one[field] === params['name']);
  if (found === undefined) throw notFound(`projects/${params['project']}/global/images/${path}${params['name']}`);
  return imageTree(sim, found);
}
export const getImageFromFamily = (call: Call): unknown => imageBy('family', 'family/', call);
export const getImage = (call: Call): unknown => imageBy('name', '', call);

export const listImages = (call: Call): unknown =>
  listAnswer(
    call,
    'compute#imageList',
    '/global/images',
    isThere(call).map((one) => imageTree(call.sim, one)),
  );
