/** A menu that opens from a button. */
import * as Radix from '@radix-ui/react-dropdown-menu';
import { Check, Ellipsis } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

const ITEM =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded px-2.5 py-1.5 text-sm outline-none select-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-raised';

/** The menu. `trigger` is the button that opens it. @example <Menu trigger={<Button>More</Button>}><MenuItem …/></Menu> */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 overflow-y-auto rounded-md border border-line bg-panel p-1 text-ink shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A menu behind three dots. @example <MoreMenu label="More"><MenuItem …/></MoreMenu> */
export const MoreMenu = ({ children, ...button }: ComponentProps<typeof IconButton>) => (
  <Menu
    trigger={
      <IconButton {...button}>
        <Ellipsis size={16} aria-hidden />
      </IconButton>
    }
  >
    {children}
  </Menu>
);

/** One thing to do. */
export function MenuItem({
  onSelect,
  danger = false,
  disabled = false,
  children,
}: {
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Item className={classes(ITEM, danger && 'text-bad')} disabled={disabled} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

/** A link in a menu; `href` of a document or file, or an element of the router as the child. */
export function MenuLink({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Item className={ITEM} asChild>
      {children}
    </Radix.Item>
  );
}

/** Something that is on or off; choosing it leaves the menu open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <Radix.CheckboxItem
      className={ITEM}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="w-4">
        <Radix.ItemIndicator>
          <Check size={16} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

/** A heading inside a menu. */
export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1 text-xs font-medium text-soft">{children}</Radix.Label>;
}

/** A line between parts of a menu. */
export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
