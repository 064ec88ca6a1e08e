import { clientOf } from '../../tests/operator/client.ts';
import type { RunningServer } from '../../tests/server.ts';

const BATCH_SIZE = 100;

/** Publishes experiments with three pictures each through the data service, so that all triggers of the database run. */
export async function publishExperiments(server: RunningServer, count: number): Promise<void> {
  const { insert } = clientOf(server);
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const projects = Array.from({ length: BATCH_SIZE }, (_, n) => ({
      title: `Experiment number ${from + n}`,
      client: `Client ${(from + n) % 97}`,
      status: 'active',
      description: `<p>${'Hands, machines and paper meet in a room of their own. '.repeat(12)}</p>`,
    }));
    const made = await insert('projects', projects);
    for (const order of [0, 1, 2]) {
      const url = (id: string) => `https://pictures.example/${id}/${order}.jpg`;
      const rowOf = ({ id }: { id: string }) => ({ project_id: id, url: url(id), title: `Picture ${order}`, order });
      await insert('project_media', made.map(rowOf));
    }
  }
}
