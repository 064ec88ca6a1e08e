import { Link, useLoaderData } from 'react-router';
import { rows } from './rows.ts';

export const loader = () => ({ rows });

/** As many cards as a page of ours has, each as plain as it can be. */
export default function List() {
  return (
    <main>
      <h1>Experiments</h1>
      <ul>
        {useLoaderData<typeof loader>().rows.map(({ id, title, client, description, project_media: [picture] }) => (
          <li key={id}>
            {picture && <img src={picture.url} alt={picture.title ?? ''} loading="lazy" />}
            <h2>
              <Link to={`/one?id=${id}`}>{title}</Link>
            </h2>
            <p>{client}</p>
            <p>{description?.slice(0, 150)}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
