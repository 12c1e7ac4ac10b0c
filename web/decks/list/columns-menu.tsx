/** Chooses the columns of the table. */
import { Columns3Cog } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import { decksWords } from '../words.ts';
import { chooseColumns, type Column, COLUMNS, useHasChosenColumns } from './columns.ts';

/** The menu; `shown` are the columns of now. */
export function ColumnsMenu({ shown }: { readonly shown: readonly Column[] }) {
  const words = useWords(decksWords);
  const hasChosen = useHasChosenColumns();
  const names = shown.map(({ name }) => name);
  return (
    <Menu
      trigger={
        <IconButton label={words.chooseColumns}>
          <Columns3Cog size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{words.chooseColumns}</MenuLabel>
      {COLUMNS.map(({ name }) => (
        <MenuCheck
          key={name}
          checked={names.includes(name)}
          onChange={(on) => chooseColumns(on ? [...names, name] : names.filter((each) => each !== name))}
        >
          {words.columns[name]}
        </MenuCheck>
      ))}
      {hasChosen ? (
        <>
          <MenuLine />
          <MenuItem onSelect={() => chooseColumns(null)}>{words.columnsThatFit}</MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
