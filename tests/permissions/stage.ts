import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Connection, type Database, DatabaseError, type Value } from '../../packages/backend/database/database.ts';
import { runAsCaller } from '../../packages/backend/database/run-as-caller.ts';
import { anonymous } from '../../packages/backend/http/caller.ts';
import type { Engine } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { type Actor, ids, newSecret, secretOf, sha256, withSecret } from './actors.ts';

/** Restores rows deleted in the last minute; for the server only. */
export const RESTORE_ALL = `select private.restore_trash(array(select id from private.trash where deleted_at > now() - interval '1 minute')) as restored`;

/** Statements of an actor. Each runs in its own savepoint, so that a refusal leaves the scene unchanged. */
export interface ActorStatements {
  rows<Row = Record<string, unknown>>(text: string, values?: readonly Value[]): Promise<Row[]>;
  /** The first row. */
  row<Row = Record<string, unknown>>(text: string, values?: readonly Value[]): Promise<Row>;
  /** The first column of each row. */
  column<T>(text: string, values?: readonly Value[]): Promise<T[]>;
  /** The first column of the only row. */
  value<T>(text: string, values?: readonly Value[]): Promise<T>;
  /** Runs a write. @returns the number of written rows */
  write(text: string, values?: readonly Value[]): Promise<number>;
  /** Runs a statement that must fail. @returns its SQLSTATE */
  refusal(text: string, values?: readonly Value[]): Promise<string>;
  /** Runs a statement that must fail with this SQLSTATE. */
  refused(code: string, text: string, values?: readonly Value[]): Promise<void>;
  /** Calls a procedure. @returns its result, and the HTTP status that it set, or null */
  call(text: string, values?: readonly Value[]): Promise<{ answer: unknown; status: string | null }>;
  /** Calls a procedure. @returns its result */
  answer<T = unknown>(text: string, values?: readonly Value[]): Promise<T>;
}

/** Statements of the server, without a check of permissions. */
export type Server = Pick<Connection, 'query'> & Pick<ActorStatements, 'rows' | 'row' | 'column' | 'value'>;

export interface Scene {
  as(actor: Actor): ActorStatements;
  server: Server;
  /** Itself, for helpers. */
  scene: Scene;
}

interface OpenStage {
  db: Database;
  server: Server;
  /**
   * Runs one statement per rival in concurrent transactions, which stay open until all statements have run. The embedded
   * engine runs them one after the other.
   */
  race(rivals: { actor?: Actor; text: string; values?: readonly Value[] }[]): Promise<PromiseSettledResult<unknown>[]>;
  /** Runs statements of several actors in one transaction and rolls it back. */
  play(work: (scene: Scene) => Promise<void>): Promise<void>;
}

export interface Stage extends OpenStage {
  /** A test of `play`. */
  test(title: string, work: (scene: Scene) => Promise<void>): void;
}

/** Tests of one subject, which are defined for each stage. */
export const onStage = (subject: string, define: (stage: Stage) => void) => (stage: Stage) =>
  describe(subject, () => define(stage));

/** Columns of the lines of the audit log about an action, each line in one text. */
export const logged = (server: Server, action: string, columns = 'action') =>
  server.column<string>(`select concat_ws(' ', ${columns}) from public.audit_log where action like $1 order by id`, [
    action,
  ]);

/** Id of the first media item of a project. */
export const mediaOf = (server: Server, project: string) =>
  server.value<string>('select id from project_media where project_id = $1', [project]);

const STORE_FILE = `insert into storage.objects (bucket_id, name, created_at) values ($1, $2, now() - interval '2 days')`;
/** Stores a file at `name`, too long ago to be the upload of an unfinished form. */
export const storeFile = (server: Server, name: string, bucket = 'case-studies') =>
  server.query(STORE_FILE, [bucket, name]);

/** Ages all versions by a day, because a scene is one transaction, which makes one version. */
export const ageVersions = ({ server }: Scene) =>
  server.query(`update project_versions set at = at - interval '1 day', transaction = '1'`);

/** How concurrent statements ended, sorted. */
export const endsOf = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status).sort();

/** Lets the statements of a scene come from a network address. */
export const comeFrom = ({ server }: Scene, address: string) =>
  server.query(`select set_config('request.address', $1, true)`, [address]);

const SET_SETTING = `insert into site_settings (name, value) values ($1, $2::text::jsonb)
  on conflict (name) do update set value = excluded.value`;
/** Sets a setting of the site, whatever its value was. @param value as JSON */
export const setSetting = ({ server }: Scene, name: string, value: string) => server.query(SET_SETTING, [name, value]);

/** Writes the credits of a project. */
export const CREDIT = `insert into case_study_metadata (project_id, credits) values ($1, $2::text::jsonb)
  on conflict (project_id) do update set credits = excluded.credits`;

/** Gives a user a role. */
export const GRANT = `insert into user_roles (user_id, role_id) select $1::uuid, id from roles where name = $2`;

export async function replaceAdmin(server: Server): Promise<void> {
  await server.query(GRANT, [ids.creator, 'admin']);
  await server.query(`delete from public.user_roles where user_id = '${ids.admin}'`);
}

class Rollback extends Error {}
const REQUEST = { method: 'POST', path: '/', headers: {} };

/** Opens a stage for all tests of the surrounding `describe`, and closes it after the last. */
export function stageFor(engine: Engine): Stage {
  const opened = forAllTests(() => openStage(engine));
  return {
    get db() {
      return opened.db;
    },
    get server() {
      return opened.server;
    },
    race: (rivals) => opened.race(rivals),
    play: (work) => opened.play(work),
    test: (title, work) => it(title, () => opened.play(work)),
  };
}

/** Submits a draft, which stays. @returns its submitter and its id */
export async function submitDraft(stage: Stage, title: string): Promise<{ actor: Actor; id: string }> {
  const actor = withSecret(newSecret());
  const text = 'select public.create_case_study(title => $1) as answer';
  const [made] = await stage.race([{ actor, text, values: [title] }]);
  return { actor, id: made?.status === 'fulfilled' ? (made.value as string) : '' };
}

/** Opens a migrated database with users, and projects in every state. */
async function openStage(engine: Engine): Promise<OpenStage & { end(): Promise<void> }> {
  const { db, end } = await engine.open({ migrated: true });
  await db.script(FIXTURES);
  return {
    db,
    end,
    server: serverOf(db),
    race: (rivals) =>
      Promise.allSettled(
        rivals.map(({ actor, text, values = [] }) =>
          db.transaction(async (tx) => {
            if (actor) await setActor(tx, actor);
            const { rows } = await tx.query<{ answer: unknown }>(text, values);
            await sleep(120);
            return rows[0]?.answer;
          }),
        ),
      ),
    async play(work) {
      const scene = runAsCaller(db, anonymous, REQUEST, async (tx) => {
        await tx.query('reset role');
        const scene: Omit<Scene, 'scene'> = { server: serverOf(tx), as: (actor) => statementsOf(tx, actor) };
        await work(Object.assign(scene, { scene: scene as Scene }));
        throw new Rollback();
      });
      await scene.catch((error) => {
        if (!(error instanceof Rollback)) throw error;
      });
    },
  };
}

const SET_ACTOR = `select set_config('request.jwt.claims', $1, true), set_config('request.headers', $2, true), set_config('role', $3, true)`;
const setActor = (tx: Connection, { caller, headers = {} }: Actor) =>
  tx.query(SET_ACTOR, [JSON.stringify(caller.claims), JSON.stringify(headers), caller.role]);

/** The results of `rows`, of the first row, and of the first column. */
const columnsOf = (rows: ActorStatements['rows']) => {
  const column = async <T>(text: string, values?: readonly Value[]) =>
    (await rows<Record<string, T>>(text, values)).map((row) => Object.values(row)[0]!);
  const row = async <Row>(text: string, values?: readonly Value[]) => (await rows<Row>(text, values))[0]!;
  const value = async <T>(text: string, values?: readonly Value[]) => (await column<T>(text, values))[0]!;
  return { rows, row, column, value };
};

const serverOf = (db: Connection | Database): Server => ({
  query: db.query.bind(db),
  ...columnsOf(async <Row>(text: string, values: readonly Value[] = []) => (await db.query<Row>(text, values)).rows),
});

function statementsOf(tx: Connection, actor: Actor): ActorStatements {
  const runStatement = async <T>(work: () => Promise<T>): Promise<T> => {
    // A transaction has one role at a time, so concurrent statements would run with the wrong role.
    const { rows } = await tx.query<{ role: string }>(`select current_setting('role') as role`);
    if (rows[0]!.role !== 'none') throw new Error('Another statement is running; await each one.');
    await tx.query('savepoint statement');
    await setActor(tx, actor);
    try {
      const result = await work();
      await tx.query('reset role');
      await tx.query('release savepoint statement');
      return result;
    } catch (error) {
      await tx.query('rollback to savepoint statement');
      throw error;
    }
  };
  const refusal = (text: string, values: readonly Value[] = []) =>
    runStatement(() => tx.query(text, values)).then(
      ({ affected, rows }) => {
        throw new Error(`the statement was not refused: ${affected} rows written, ${JSON.stringify(rows)}`);
      },
      (error) => {
        if (error instanceof DatabaseError) return error.code;
        throw error;
      },
    );
  const call = (text: string, values: readonly Value[] = []) =>
    runStatement(async () => {
      const { rows } = await tx.query<{ answer: unknown }>(text, values);
      const STATUS = `select nullif(current_setting('response.status', true), '') as status, set_config('response.status', '', true)`;
      const set = await tx.query<{ status: string | null }>(STATUS);
      return { answer: rows[0]?.answer, status: set.rows[0]!.status };
    });
  return {
    ...columnsOf(<Row>(text: string, values: readonly Value[] = []) =>
      runStatement(async () => (await tx.query<Row>(text, values)).rows),
    ),
    write: (text, values = []) => runStatement(async () => (await tx.query(text, values)).affected),
    refusal,
    refused: async (code, text, values) => {
      const done = `${text.slice(0, 200)} ${JSON.stringify(values ?? [])}`;
      expect(await refusal(text, values), `${actor.caller.role}: ${done.slice(0, 400)}`).toBe(code);
    },
    call,
    answer: async <T>(text: string, values?: readonly Value[]) => (await call(text, values)).answer as T,
  };
}

const FIXTURES = `
insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values
  ('${ids.admin}', 'admin@example.com', now(), '{"name": "Admin"}'),
  ('${ids.creator}', 'creator@example.com', now(), '{"name": "Creator"}'),
  ('${ids.otherUser}', 'terry@example.com', now(), '{"name": "Terry", "requested_admin": true}'),
  ('${ids.unconfirmed}', 'unconfirmed@example.com', null, '{}');
insert into auth.sessions (id, user_id, created_at) values
  ('${ids.freshSession}', '${ids.admin}', now() + interval '1 hour'), -- also in a slow test run
  ('${ids.staleSession}', '${ids.admin}', now() - interval '11 minutes');
insert into public.user_roles (user_id, role_id) select '${ids.admin}', id from public.roles where name = 'admin';
insert into public.projects (id, title, status, description, created_by, budget, created_at) values
  ('${ids.published}', 'Published', 'active', '<p>Brief</p>', '${ids.creator}', 100, now() - interval '3 days'),
  ('${ids.archived}', 'Archived', 'archived', null, '${ids.creator}', null, now() - interval '2 days'),
  ('${ids.draft}', 'Draft', 'draft', null, '${ids.creator}', null, now() - interval '1 day'),
  ('${ids.otherUsersDraft}', 'Terry''s draft', 'draft', null, '${ids.otherUser}', null, now()),
  ('${ids.guestsDraft}', 'Guest''s draft', 'draft', null, '${ids.guest}', null, now()),
  ('${ids.staleDraft}', 'Stale draft', 'draft', null, '${ids.guest}', null, now() - interval '3 hours');
insert into private.draft_secrets (hash, project_id) values
  (decode('${sha256(secretOf.guestsDraft)}', 'hex'), '${ids.guestsDraft}'),
  (decode('${sha256(secretOf.staleDraft)}', 'hex'), '${ids.staleDraft}');
insert into storage.buckets (id, name) values ('private', 'private');
insert into public.project_media (project_id, url) select id, 'https://pictures.example/' || id || '.png' from public.projects;
insert into public.case_study_metadata (project_id, understanding, category, tags)
  select id, '<p>Understood</p>', 'branding', '{mad}' from public.projects;
insert into public.project_members (project_id, user_id, role, contribution_percentage)
  select id, '${ids.otherUser}', 'Idea', 5 from public.projects;
`;
