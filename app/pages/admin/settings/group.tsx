import { type ReactNode, useState } from 'react';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import { SeeLink } from './settings-section.tsx';

/** @param isOpen at first @param isLazy renders its content once it has been opened */
export function Group({
  id,
  title,
  about,
  see,
  isOpen = false,
  isLazy = false,
  isSearched,
  unsaved,
  hidden,
  children,
}: {
  id: string;
  title: string;
  about?: string;
  see?: { to: string; label?: string };
  isOpen?: boolean;
  isLazy?: boolean;
  isSearched: boolean;
  unsaved: boolean;
  hidden: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(isOpen);
  const [wasOpen, setWasOpen] = useState(!isLazy);
  return (
    <details
      className="settings-group"
      id={id}
      open={open || isSearched}
      hidden={hidden}
      onToggle={({ currentTarget, target }) => {
        if (target !== currentTarget) return;
        if (!isSearched) setOpen(currentTarget.open);
        if (currentTarget.open) setWasOpen(true);
      }}
    >
      <summary>
        <h2>{title}</h2>
        {unsaved && <UnsavedMark />}
      </summary>
      <div className="settings-group-body">
        {about && <p className="field-hint">{about}</p>}
        {wasOpen && children}
        {see && (
          <p>
            <SeeLink {...see} of={title} />
          </p>
        )}
      </div>
    </details>
  );
}

export const UnsavedMark = () => (
  <span className="edged settings-mark">
    <span className="hidden-text"> ({words.unsaved})</span>
  </span>
);
