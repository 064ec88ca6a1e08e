import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import type { useSorting } from './use-sorting.ts';
import './sort-controls.css';

const HINT = 'sort-hint';

interface SortableListProps<Item extends { id: string }> {
  sorting: ReturnType<typeof useSorting<Item>>;
  label?: string;
  children: (item: Item) => ReactNode;
}

/** The rows of `useSorting`, with the help for its handles and the announcement of moves. */
export const SortableList = <Item extends { id: string }>({ sorting, label, children }: SortableListProps<Item>) => (
  <>
    <p className="hidden-text" id={HINT}>
      Space or Enter picks it up, the arrow keys move it, Space drops it, Escape puts it back.
    </p>
    <ol className="hairline" aria-label={label} ref={sorting.list}>
      {sorting.shown.map(children)}
    </ol>
    <p className="hidden-text" aria-live="assertive">
      {sorting.said}
    </p>
  </>
);

const HANDLE = { icon: 'drag', className: 'sort-button sort-handle', 'aria-describedby': HINT } as const;

export const SortHandle = ({ name, handle }: { name: string; handle: ComponentProps<'button'> }) => (
  <IconButton {...handle} {...HANDLE} label={`Move ${name}`} />
);

interface StepButtonsProps {
  name: string;
  first: boolean;
  last: boolean;
  field?: string;
  onStep: (by: 1 | -1, button: HTMLButtonElement) => void;
}

/** Stay focusable at both ends, so that the keyboard focus is not lost. */
export function StepButtons({ name, first, last, field, onStep }: StepButtonsProps) {
  const step = (by: 1 | -1, label: string, icon: 'arrow-up' | 'arrow-down', end: boolean) => (
    <IconButton
      icon={icon}
      name={field && `${field}.${label}`}
      className="sort-button"
      label={`Move ${name} ${label}`}
      aria-disabled={end}
      onClick={({ currentTarget }) => !end && onStep(by, currentTarget)}
    />
  );
  return (
    <>
      {step(-1, 'up', 'arrow-up', first)}
      {step(1, 'down', 'arrow-down', last)}
    </>
  );
}
