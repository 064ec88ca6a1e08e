import type { ComponentProps } from 'react';
import { Icon } from '../icon.tsx';
import './sort-controls.css';

const HINT = 'sort-hint';

export const SortHint = () => (
  <p className="hidden-text" id={HINT}>
    Space or Enter picks it up, the arrow keys move it, Space drops it, Escape puts it back.
  </p>
);

export const SortHandle = ({ name, handle }: { name: string; handle: ComponentProps<'button'> }) => (
  <button
    type="button"
    {...handle}
    className="sort-button icon-button sort-handle"
    aria-label={`Move ${name}`}
    aria-describedby={HINT}
  >
    <Icon name="drag" />
  </button>
);

/** Stay focusable at both ends, so that the keyboard focus is not lost. */
export function StepButtons({
  name,
  first,
  last,
  field,
  onStep,
}: {
  name: string;
  first: boolean;
  last: boolean;
  field?: string;
  onStep: (by: 1 | -1, button: HTMLButtonElement) => void;
}) {
  const step = (by: 1 | -1, label: string, icon: 'arrow-up' | 'arrow-down', end: boolean) => (
    <button
      type="button"
      name={field && `${field}.${label}`}
      className="sort-button icon-button"
      aria-label={`Move ${name} ${label}`}
      aria-disabled={end}
      onClick={({ currentTarget }) => !end && onStep(by, currentTarget)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      {step(-1, 'up', 'arrow-up', first)}
      {step(1, 'down', 'arrow-down', last)}
    </>
  );
}
