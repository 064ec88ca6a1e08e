import type { ComponentProps } from 'react';
import { sortingWords as words } from '../../copy/sorting.ts';
import { Icon } from '../icon.tsx';
import './sort-controls.css';

const HINT = 'sort-hint';

/** What a handle does, for who hears it; once for each list. */
export const SortHint = () => (
  <p className="hidden-text" id={HINT}>
    {words.grabHint}
  </p>
);

/** What a row is taken by: with the pointer, a finger or the keyboard. */
export const SortHandle = ({ name, handle }: { name: string; handle: ComponentProps<'button'> }) => (
  <button
    type="button"
    {...handle}
    className="sort-button sort-handle"
    aria-label={`Move ${name}`}
    aria-describedby={HINT}
  >
    <Icon name="drag" />
  </button>
);

/** One place up or down, by pressing. At an end they stay reachable, so that the keyboard's place is not lost. */
export function StepButtons({
  id,
  name,
  first,
  last,
  onStep,
}: {
  /** Of the row's item. */
  id: string;
  name: string;
  first: boolean;
  last: boolean;
  /** Gets the id of the pressed button too, which is to keep the focus. */
  onStep: (by: 1 | -1, button: string) => void;
}) {
  const step = (by: 1 | -1, label: string, icon: 'arrow-up' | 'arrow-down', end: boolean) => {
    const button = `${icon}-${id}`;
    return (
      <button
        type="button"
        id={button}
        className="sort-button"
        aria-label={`Move ${name} ${label}`}
        aria-disabled={end}
        onClick={() => !end && onStep(by, button)}
      >
        <Icon name={icon} />
      </button>
    );
  };
  return (
    <>
      {step(-1, 'up', 'arrow-up', first)}
      {step(1, 'down', 'arrow-down', last)}
    </>
  );
}
