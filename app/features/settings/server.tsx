import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';
import '#ui/admin/facts.css';

export function Server() {
  const site = useRouteLoaderData<typeof loader>('root');
  const facts = [
    ['Canonical origin', site?.origin],
    ['Backend', site?.supabase.url],
    ['Kind of backend', site?.supabase.own ? 'Our own, in the same process' : 'A hosted Supabase project'],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? 'Unknown'}</dd>
        </div>
      ))}
    </dl>
  );
}
