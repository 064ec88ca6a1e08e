-- The first step of a submission. A guest cannot read back what a plain insert made; this answers its id. The draft
-- secret makes it safe to repeat: the same secret creates one project and answers the same id.

create function public.create_case_study(
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
  'Makes a draft and answers its id. Status and submitter count only when an admin or the service sends them.';
revoke all on function public.create_case_study(text, public.rich_text, text, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.create_case_study(text, public.rich_text, text, text, uuid) to anon, authenticated, service_role;
