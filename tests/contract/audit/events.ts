import { addEvent, ok, project, quoted } from './event.ts';
import './write-events.ts';
import './content-events.ts';
import './review-events.ts';
import './account-events.ts';
import './sign-in-events.ts';
import './factor-events.ts';

addEvent(
  'cleanup.begin cleanup.restore',
  'admin',
  ['{me} started to delete all case studies', '{me} deleted {it}', '{me} restored what a cleanup deleted'],
  async (_, world) => {
    const me = await world.admin.client();
    const { id, title } = await project(world);
    const { data: cleanup } = await ok(me.data.rpc('begin_cleanup'));
    await ok(me.data.from('projects').delete().eq('id', id));
    await ok(me.data.rpc('restore_cleanup', { cleanup_id: cleanup.id }));
    return { it: quoted(title), me };
  },
);

/** Kinds recorded by the server's commands; their lines have no network address. */
export const commandEvents: Record<string, { words: ['archive' | 'keys', ...string[]]; sentence: string }> = {
  'identity.signing_keys_changed': {
    words: ['keys', 'rotate'],
    sentence: 'The server changed the keys that sign sessions',
  },
  'identity.service_keys_changed': {
    words: ['keys', 'add', 'reporting'],
    sentence: 'The server changed the service keys',
  },
  'identity.archive_made': { words: ['archive', 'make', '{file}'], sentence: 'The server archived everything' },
  'identity.accounts_archived': {
    words: ['archive', 'make', '{accounts}', '--only', 'accounts', '--passphrase-file', '{passphrase}'],
    sentence: 'The server archived all accounts',
  },
};
