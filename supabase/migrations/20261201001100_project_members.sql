-- Team of a project and its profit shares. Names and shares are public with the project; accounts and addresses are
-- not.

create table public.project_members (
  id                      uuid primary key default gen_random_uuid(),
  project_id              uuid not null references public.projects on delete cascade,
  -- The constraint's name is the relationship's: project_members?select=*,user(email).
  user_id                 uuid constraint "user" references public.profiles on delete set null,
  name                    text constraint "a member's name is at most 200 characters" check (char_length(name) <= 200),
  role                    text constraint "a member's role is at most 200 characters" check (char_length(role) <= 200),
  contribution_percentage numeric(5, 2) constraint "a share is 0 to 100 percent" check (contribution_percentage between 0 and 100),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now()
);
comment on table public.project_members is 'The team of a project.';
comment on column public.project_members.user_id is 'A profile id, which does not reveal the account id.';
create index project_members_by_project on public.project_members (project_id);
create index project_members_by_user on public.project_members (user_id);

select private.enable_row_security('public.project_members');
create policy "a team is readable with the project" on public.project_members for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "admins write teams" on public.project_members to authenticated using ((select public.is_admin())) with check ((select public.is_admin()));

grant select on public.project_members to anon;
grant select, delete,
  insert (project_id, user_id, name, role, contribution_percentage),
  update (user_id, name, role, contribution_percentage)
  on public.project_members to authenticated;
grant select, insert, update, delete on public.project_members to service_role;

-- Accepts an account id and stores the profile id. The name defaults to the profile's.
create function private.normalize_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person public.profiles;
begin
  if private.is_client() and not public.is_admin() then
    return new; -- the policies refuse the row; no lookup for these callers
  end if;
  select * into person from public.profiles where id = new.user_id or user_id = new.user_id;
  if found then
    new.user_id := person.id;
    new.name := coalesce(new.name, person.name);
  end if;
  return new;
end $$;
create trigger normalize_member before insert or update of user_id on public.project_members for each row execute function private.normalize_member();
create trigger touch before update on public.project_members for each row execute function private.touch();

-- The shares of a team add up to at most 100 %. Runs after the policies; the lock serializes concurrent changes, so
-- each sees the other's share. Lowering a share is allowed even when the sum is still too high.
create function private.check_share_total(added jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  total numeric;
  project uuid;
  growing uuid[] := array(select key::uuid from jsonb_each_text(added) where value::numeric > 0 order by 1);
begin
  if current_setting('private.restoring', true) = 'yes' then
    return; -- fit_share_of_restored has checked each row
  end if;
  perform private.lock_registers(growing);
  foreach project in array growing loop
    select sum(contribution_percentage) into total from public.project_members where project_id = project;
    perform private.raise_if(total > 100, 'PT422', format(
      'The shares together would make %s%%; %s%% too much. Nothing was saved.', trim_scale(total), trim_scale(total - 100)
    ));
  end loop;
end $$;

create function private.limit_added_shares() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.check_share_total(jsonb_object_agg(project_id, share)) from (
    select project_id, sum(contribution_percentage) as share from fresh group by project_id
  ) as shares;
  return null;
end $$;
create trigger limit_added_shares after insert on public.project_members
  referencing new table as fresh for each statement execute function private.limit_added_shares();

create function private.limit_changed_shares() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.check_share_total(jsonb_object_agg(project_id, share)) from (
    select project_id, sum(share) as share from (
      select project_id, contribution_percentage as share from fresh
      union all select project_id, -contribution_percentage from former
    ) as both_sides group by project_id
  ) as shares;
  return null;
end $$;
create trigger limit_changed_shares after update on public.project_members
  referencing old table as former new table as fresh for each statement execute function private.limit_changed_shares();

-- A restored member loses the share when the sum would exceed 100 %.
create function private.fit_share_of_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.projects where id = new.project_id for no key update;
  if new.contribution_percentage + (
    select coalesce(sum(contribution_percentage), 0) from public.project_members
    where project_id = new.project_id and id <> new.id
  ) > 100 then
    new.contribution_percentage := null;
  end if;
  return new;
end $$;
create trigger fit_share_of_restored before insert on public.project_members
  for each row when (current_setting('private.restoring', true) = 'yes') execute function private.fit_share_of_restored();
