import { useRouteLoaderData } from 'react-router';
import { settingsScreen as words } from '../../../copy/admin/settings.ts';
import type { loader } from '../../../root.tsx';
import '../facts.css';

export function ServerPart() {
  const site = useRouteLoaderData<typeof loader>('root');
  const facts = [
    ['Canonical origin', site?.origin],
    ['Backend', site?.supabase.url],
    ['Kind of backend', site?.supabase.own ? 'Our own, in the same process' : 'A hosted Supabase project'],
  ];
  return (
    <section className="settings-group">
      <h2 className="screen-section">Server</h2>
      <p className="field-hint">{words.server}</p>
      <dl className="facts settings-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? 'Unknown'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
