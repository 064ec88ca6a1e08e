-- Of several admins one looks after a submission, so that two do not read the same and nobody thinks the other does.

alter table public.reviews add column assignee uuid references public.profiles (user_id) on delete set null;
comment on column public.reviews.assignee is 'The admin who looks after it; null while nobody in particular does.';
create index reviews_by_assignee on public.reviews (assignee, turn, arrived_at);
grant update (assignee) on public.reviews to authenticated;

create function private.assign_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.assignee is not null and not exists (
    select from public.user_roles held join public.roles on roles.id = held.role_id
    where held.user_id = new.assignee and roles.name = 'admin'
  ) then
    raise exception using errcode = 'PT422', message = 'Only an admin can look after a submission. Nothing was changed.';
  end if;
  -- With a role that is withdrawn, its own line says enough.
  if private.is_client() and pg_trigger_depth() = 1 then
    perform private.record(case when new.assignee is null then 'reviews.unassign' else 'reviews.assign' end,
      concat_ws(' ', new.project_id, new.assignee));
  end if;
  return new;
end $$;
create trigger assign_review before update of assignee on public.reviews
  for each row when (old.assignee is distinct from new.assignee) execute function private.assign_review();

-- Who is no admin any more looks after nothing.
create function private.forget_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews set assignee = null
  where assignee = old.user_id and exists (select from public.roles where id = old.role_id and name = 'admin');
  return null;
end $$;
create trigger forget_assignee after delete on public.user_roles
  for each row execute function private.forget_assignee();

-- What comes back from the trash is looked after by whoever did, as long as they are an admin.
create or replace function private.open_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  restoring boolean := coalesce(current_setting('private.restoring', true), '') = 'yes';
begin
  if restoring then
    insert into public.reviews (project_id, state, arrived_at, answered_at, answered_by, rights_cleared, client_agreed, before, assignee)
    select distinct on (kept.project_id)
      kept.project_id, kept.state, kept.arrived_at, kept.answered_at, profiles.user_id, kept.rights_cleared, kept.client_agreed, kept.before,
      (
        select held.user_id from public.user_roles held join public.roles on roles.id = held.role_id
        where held.user_id = kept.assignee and roles.name = 'admin'
      )
    from fresh join private.trash on trash.table_name = 'reviews' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.reviews, entry) kept
      left join public.profiles on profiles.user_id = kept.answered_by
    order by kept.project_id, trash.id desc;
    insert into public.review_steps
    select kept.id, kept.project_id, kept.kind, kept.words, profiles.user_id, kept.given_at, kept.mail_to, kept.mailed_at
    from fresh join private.trash on trash.table_name = 'review_steps' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_steps, entry) kept
      left join public.profiles on profiles.user_id = kept.given_by
    on conflict do nothing;
    insert into public.review_notes
    select kept.id, kept.project_id, profiles.user_id, kept.body, kept.created_at
    from fresh join private.trash on trash.table_name = 'review_notes' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_notes, entry) kept
      left join public.profiles on profiles.user_id = kept.author
    on conflict do nothing;
    insert into public.review_contacts
    select (jsonb_populate_record(null::public.review_contacts, entry)).*
    from fresh join private.trash on trash.table_name = 'review_contacts' and trash.project_id = fresh.id
    order by trash.id desc
    on conflict do nothing;
  end if;
  -- What an admin begins at the desk is nobody's submission; what an admin sends with the form for everybody is.
  insert into public.reviews (project_id, arrived_at)
  select id, case when submitted_at is null then created_at + interval '2 hours' else created_at end
  from fresh
  where status = 'draft'
    and (restoring or not private.is_client() or private.draft_secret_hash() is not null or not public.is_admin())
  on conflict do nothing;
  return null;
end $$;

revoke all on function private.assign_review(), private.forget_assignee() from public;
