import { useLoaderData } from 'react-router';
import { rows } from './rows.ts';

export const loader = () => ({ row: rows[0]! });

export default function One() {
  const { row } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>{row.title}</h1>
      <p>{row.client}</p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own row, as any site would show it */}
      <div dangerouslySetInnerHTML={{ __html: row.description ?? '' }} />
      {row.project_media.map(({ url, title }) => (
        <img key={url} src={url} alt={title ?? ''} loading="lazy" />
      ))}
    </main>
  );
}
