/** The sections of the page, to go to; sticky where the findings scroll on their own. */
import { memo } from 'react';
import { useWords } from '../../words/language.ts';
import { pageWords, type SectionName } from '../words.ts';
import { sectionId } from './section.tsx';

/** The list. */
export const Contents = memo(function Contents({ sections }: { readonly sections: readonly SectionName[] }) {
  const words = useWords(pageWords);
  return (
    <nav aria-label={words.contents} className="no-print min-w-0 grow">
      <ul className="flex gap-0.5 overflow-x-auto">
        {sections.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => document.getElementById(sectionId(name))?.scrollIntoView({ block: 'start' })}
              className="rounded px-2 py-1.5 text-sm whitespace-nowrap text-soft hover:bg-raised hover:text-ink"
            >
              {{ ...words.sections, ...words.shortSections }[name]}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
});
