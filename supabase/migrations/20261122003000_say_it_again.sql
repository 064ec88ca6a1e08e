-- A submission that the line broke off is sent again, maybe hours later and changed meanwhile: whoever waits goes on
-- writing. The texts always took the newest words; title, brief and client kept those of the first try.
create or replace function public.create_case_study(
  title text,
  description public.rich_text default null,
  client text default null,
  status text default 'draft',
  submitter_id uuid default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  secret_hash bytea := private.draft_secret_hash_to_keep();
  trusted boolean := not private.is_client() or public.is_admin();
  project uuid;
begin
  if secret_hash is not null then
    perform pg_advisory_xact_lock(('x' || left(encode(secret_hash, 'hex'), 16))::bit(64)::bigint);
    select project_id into project from private.draft_secrets where hash = secret_hash;
    if found then
      -- The same two hours, and the same secret, as for the texts.
      if project = private.editable_draft() then
        -- What belongs to the project before the first change of it, which takes the turn.
        perform from public.projects where id = project for no key update;
        perform from public.case_study_metadata where project_id = project for update;
        update public.projects set
          title = create_case_study.title, description = create_case_study.description,
          client = nullif(btrim(create_case_study.client), '')
        where id = project and (title, description, client) is distinct from
          (create_case_study.title, create_case_study.description, nullif(btrim(create_case_study.client), ''));
      end if;
      return project;
    end if;
  end if;
  -- The table's own trigger makes a draft of the caller's out of whatever an ordinary caller claims.
  insert into public.projects (title, description, client, status, created_by)
  values (
    create_case_study.title, create_case_study.description, nullif(btrim(create_case_study.client), ''),
    case when trusted then coalesce(create_case_study.status, 'draft') else 'draft' end,
    coalesce((select id from auth.users where trusted and id = create_case_study.submitter_id), auth.uid(), public.get_guest_user_id())
  )
  returning id into project;
  return project;
end $$;
comment on function public.create_case_study(text, public.rich_text, text, text, uuid) is
  'Makes a draft and answers its id; with the secret of one that is still being sent it says that one anew. Status and submitter count only when an admin or the service sends them.';
