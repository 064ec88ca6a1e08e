import { type ReactNode, type Ref, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import type { SettingsGroup } from './groups.ts';
import { settingsScreen as words } from './words.ts';

interface GroupProps {
  ref: Ref<HTMLElement>;
  group: SettingsGroup;
  isOpen?: boolean;
  isLazy?: boolean;
  isSearched: boolean;
  isUnsaved: boolean;
  hidden: boolean;
  children: ReactNode;
}

/** @param isOpen initial state @param isLazy renders the content when first opened */
export function Group(props: GroupProps) {
  const { ref, isOpen = false, isLazy = false, isSearched, isUnsaved, hidden, children } = props;
  const { id, title, about, see } = props.group;
  const [open, setOpen] = useState(isOpen);
  const [wasOpen, setWasOpen] = useState(!isLazy);
  return (
    <details
      className="settings-group hairline"
      id={id}
      open={open || isSearched}
      hidden={hidden}
      onToggle={({ currentTarget, target }) => {
        if (target !== currentTarget) return;
        if (!isSearched) setOpen(currentTarget.open);
        if (currentTarget.open) setWasOpen(true);
      }}
    >
      <summary className="inline gap-2" ref={ref}>
        <h2>{title}</h2>
        {isUnsaved && <UnsavedMark />}
      </summary>
      <div className="stack gap-5 settings-group-body">
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
  <span className="edged settings-mark rigid">
    <span className="hidden-text"> ({words.unsaved})</span>
  </span>
);

type SettingsSectionProps = { title: string; see?: string; role?: 'group'; about?: ReactNode; children: ReactNode };

export function SettingsSection({ title, see, about, role, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className="stack" role={role} aria-labelledby={id}>
      <div className="cluster apart">
        <h3 id={id}>{title}</h3>
        {see && <SeeLink to={see} of={title} />}
      </div>
      {about && <p className="field-hint">{about}</p>}
      {children}
    </section>
  );
}

const SeeLink = ({ to, of, label = 'See it on the site' }: { to: string; of: string; label?: string | undefined }) => (
  <a href={to} target="_blank" rel="noopener">
    {label}
    <span className="hidden-text"> ({of}, opens a new tab)</span> <Icon name="arrow-out" />
  </a>
);
