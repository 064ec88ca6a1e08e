import { useRouteLoaderData } from 'react-router';
import { pageTags } from '../../models/page-meta.ts';
import type { loader } from '../../root.tsx';
import { useFacts } from '../../session/use-facts.ts';
import type { Route } from './+types/settings';
import { ScreenHead } from './screen-head.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: 'Settings', noindex: true });

/** What is configured, and where it is changed. */
export default function Settings() {
  const { agency } = useFacts();
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    <>
      <ScreenHead title="Settings" />
      <p>What this site is set to, and where each part is changed. Secrets are never shown here.</p>
      <h2 className="screen-section">The agency, in app/copy/agency.ts</h2>
      <Facts
        facts={[
          ['Site name', agency.name],
          ['Organisation', agency.organisation],
          ['Email', agency.email],
          ['Phone', agency.phone],
          ['Address', agency.address.join(', ')],
          ['Application form', agency.applicationForm],
          ['Calendar', agency.bookMeeting],
          ['Chat number', agency.chatNumber],
          ['Social links', agency.social.map(({ name }) => name).join(', ')],
          ['Default title', agency.defaultTitle],
          ['Default description', agency.defaultDescription],
        ]}
      />
      <h2 className="screen-section">The server, in its environment (.env.example explains each setting)</h2>
      <Facts
        facts={[
          ['Canonical origin', site?.origin ?? 'Unknown'],
          ['Backend', site?.supabase.url ?? 'Unknown'],
        ]}
      />
    </>
  );
}

const Facts = ({ facts }: { facts: [string, string][] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
