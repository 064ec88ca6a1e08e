import { siteContext } from '../../session/site-context.ts';
import type { Route } from './+types/list';

export async function loader({ context }: Route.LoaderArgs) {
  const { data, error } = await context
    .get(siteContext)
    .data()
    .from('projects')
    .select('id,title')
    .order('created_at', { ascending: false });
  return { projects: data ?? [], error: error?.message ?? null };
}

export default function ExperimentList({ loaderData: { projects, error } }: Route.ComponentProps) {
  return (
    <ul>
      {projects.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
      <li>{error}</li>
    </ul>
  );
}
