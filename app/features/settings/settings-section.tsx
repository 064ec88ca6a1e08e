import { type ReactNode, useId } from 'react';
import { Icon } from '#ui/icon.tsx';
import { settingsScreen as words } from './words.ts';

export function SettingsSection({
  title,
  see,
  about,
  children,
}: {
  title: string;
  see?: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="cluster apart">
        <h3 id={id}>{title}</h3>
        {see && <SeeLink to={see} of={title} />}
      </div>
      {about && <p className="field-hint">{about}</p>}
      {children}
    </section>
  );
}

export const SeeLink = ({ to, of, label = words.seeIt }: { to: string; of: string; label?: string | undefined }) => (
  <a href={to} target="_blank" rel="noopener">
    {label}
    <span className="hidden-text"> ({of}, opens a new tab)</span> <Icon name="arrow-out" />
  </a>
);
