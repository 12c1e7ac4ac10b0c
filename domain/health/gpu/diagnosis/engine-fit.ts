/**
 * Whether each engine runs on a machine. Every engine is judged, in use or not, so the verdicts do not change the level of a diagnosis.
 */
import { plainText } from '../../../text/plain-text.ts';
import type { AmdReport } from '../amd.ts';
import { driverBranch, installDriver, installRocm } from './compatibility.ts';
import { type EngineFit, type EngineNeeds, ENGINES, leastDriverFor } from './engines.ts';
import type { DiagnosisFacts } from './facts.ts';
import { capabilityOf } from './gpu-findings.ts';

const LONGEST_NAME = 120;

/** Every engine against one machine. */
export const engineFits = (facts: DiagnosisFacts): EngineFit[] => ENGINES.map((needs) => fitOf(needs, facts));

function fitOf(engine: EngineNeeds, { machine }: DiagnosisFacts): EngineFit {
  const driver = machine?.driver;
  const answered = machine !== null && driver?.answered === true;
  // What the machine says of itself is not trusted: it must not steer a terminal.
  const named = (text: string | null): string | null => (text === null ? null : plainText(text, LONGEST_NAME));
  const gpus = answered
    ? driver.gpus.map((gpu) => ({
        name: plainText(gpu.name, LONGEST_NAME),
        computeCapability: capabilityOf(machine, gpu),
      }))
    : [];
  const has = {
    driver: answered ? named(driver.driverVersion) : null,
    cuda: answered ? named(driver.cudaVersion) : null,
    gpus,
  };
  const lowest = lowestCapability(gpus);
  const needs = {
    driver: leastDriverFor(engine, lowest),
    cuda: engine.leastCuda,
    computeCapability: engine.leastCapability,
  };
  const fit = (suffices: boolean | null, reason: string | null, next: string | null): EngineFit => {
    const { engine: name, title, version } = engine;
    return { engine: name, title, version, needs, has, suffices, reason, next };
  };
  if (machine === null) return fit(null, 'no command could be run on the machine', null);
  if (!answered && machine.amd !== null) return { ...fit(null, null, null), ...amdFitOf(engine, machine.amd) };
  if (!answered) return fit(false, 'no NVIDIA driver answers', installDriver(needs.driver));
  if (gpus.length === 0)
    return fit(false, 'the driver shows no GPU', 'Check with `lspci | grep -i nvidia` that the machine has one.');
  if (lowest !== null && lowest < engine.leastCapability)
    return fit(
      false,
      `compute capability ${lowest.toFixed(1)} is below ${engine.leastCapability.toFixed(1)}`,
      `Take a GPU with compute capability ${engine.leastCapability.toFixed(1)} or more${otherEngine(engine, lowest)}.`,
    );
  const branch = driverBranch(has.driver);
  if (branch === null) return fit(null, 'the driver does not say its version', null);
  if (branch < needs.driver)
    return fit(false, `driver ${branch} is older than ${needs.driver}`, installDriver(needs.driver));
  if (lowest === null) return fit(null, 'the compute capability of the GPU is not known', null);
  return fit(true, null, null);
}

function lowestCapability(gpus: EngineFit['has']['gpus']): number | null {
  const known = gpus.map((gpu) => gpu.computeCapability).filter((capability) => capability !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function otherEngine(engine: EngineNeeds, capability: number): string {
  const other = ENGINES.find((one) => one.engine !== engine.engine && capability >= one.leastCapability);
  return other === undefined ? '' : `, or use ${other.title}, which runs on this one`;
}

/** The verdict on a machine with GPUs of AMD. The GPU that asks for most decides. */
function amdFitOf(
  { title, amd: { leastRocm, newerGpus, targets } }: EngineNeeds,
  has: AmdReport,
): Pick<EngineFit, 'amd' | 'suffices' | 'reason' | 'next'> {
  const asked = has.gpus.flatMap(({ target }) => (target === null ? [] : (newerGpus[target] ?? [])));
  const rocm = asked.toSorted(compareVersions).at(-1) ?? leastRocm;
  const verdict = (suffices: boolean | null, reason: string | null, next: string | null) =>
    ({ amd: { needs: { rocm, targets }, has }, suffices, reason, next }) as const;
  const unbuilt = has.gpus.find(({ target }) => target !== null && !targets.includes(target));
  if (unbuilt !== undefined)
    return verdict(
      false,
      `${title} is not built for ${unbuilt.target ?? ''} (${unbuilt.name})`,
      `Take a GPU of ${targets.join(', ')}.`,
    );
  if (has.rocm === null) return verdict(null, 'the version of ROCm is not known', installRocm(rocm));
  if (compareVersions(has.rocm, rocm) < 0)
    return verdict(false, `ROCm ${has.rocm} is older than ${rocm}`, installRocm(rocm));
  if (has.gpus.some(({ target }) => target === null))
    return verdict(null, 'what programs have to be compiled for on the GPU is not known', null);
  return verdict(true, null, null);
}

const compareVersions = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
