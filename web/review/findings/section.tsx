/** A section of the findings with its heading, and what is shown where there is a value and where there is none. */
import type { ReactNode } from 'react';
import { useWords } from '../../words/language.ts';
import { pageWords, type SectionName } from '../words.ts';

/** Id of a section on the page. */
export const sectionId = (name: SectionName): string => `section-${name}`;

/** The section. */
export function Section({
  name,
  count,
  children,
}: {
  readonly name: SectionName;
  readonly count?: number;
  readonly children: ReactNode;
}) {
  const words = useWords(pageWords);
  const id = sectionId(name);
  return (
    <section
      aria-labelledby={`${id}-title`}
      id={id}
      className="scroll-mt-[var(--covered,0px)] border-t border-line py-4 first:border-t-0"
    >
      <div className="mb-2 flex flex-wrap items-center gap-2 px-3">
        <h2 id={`${id}-title`} className="text-lg font-semibold">
          {words.sections[name]}
          {count === undefined ? null : (
            <span className="ml-2 text-sm font-normal text-soft tabular-nums">{count}</span>
          )}
        </h2>
      </div>
      {children}
    </section>
  );
}
