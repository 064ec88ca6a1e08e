import { keysIn, type RunningServer } from '../../tests/server.ts';

const BATCH_SIZE = 100;

/** Publishes experiments with three pictures each through the data service, so that all triggers of the database run. */
export async function publishExperiments({ base, dataDir }: RunningServer, count: number): Promise<void> {
  const apikey = keysIn(dataDir).secret;
  const headers = { apikey, 'content-type': 'application/json', prefer: 'return=representation' };
  const write = async (table: string, rows: unknown[]): Promise<{ id: string }[]> => {
    const init = { method: 'POST', headers, body: JSON.stringify(rows) };
    const response = await fetch(`${base}/rest/v1/${table}?select=id`, init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string }[];
  };
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const projects = Array.from({ length: BATCH_SIZE }, (_, n) => ({
      title: `Experiment number ${from + n}`,
      client: `Client ${(from + n) % 97}`,
      status: 'active',
      description: `<p>${'Hands, machines and paper meet in a room of their own. '.repeat(12)}</p>`,
    }));
    const made = await write('projects', projects);
    for (const order of [0, 1, 2]) {
      const url = (id: string) => `https://pictures.example/${id}/${order}.jpg`;
      const rowOf = ({ id }: { id: string }) => ({ project_id: id, url: url(id), title: `Picture ${order}`, order });
      await write('project_media', made.map(rowOf));
    }
  }
}
