-- Who made it and how the profit is shared. Names and shares are public with the project; accounts and addresses are not.

create table public.project_members (
  id                      uuid primary key default gen_random_uuid(),
  project_id              uuid not null references public.projects on delete cascade,
  user_id                 uuid references public.profiles on delete set null,
  name                    text constraint "a member's name is at most 200 characters" check (char_length(name) <= 200),
  role                    text constraint "a member's role is at most 200 characters" check (char_length(role) <= 200),
  contribution_percentage numeric(5, 2) constraint "a share is 0 to 100 percent" check (contribution_percentage between 0 and 100),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now()
);
comment on table public.project_members is 'The team of a project.';
comment on column public.project_members.user_id is 'A profile. Its id is made up, so that a public team list tells nobody''s account.';
create index project_members_by_project on public.project_members (project_id);
create index project_members_by_user on public.project_members (user_id);

alter table public.project_members enable row level security;
alter table public.project_members force row level security;

create policy "a team is for whoever sees the project" on public.project_members for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "admins add members" on public.project_members for insert to authenticated
  with check ((select public.is_admin()));
create policy "admins change members" on public.project_members for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins remove members" on public.project_members for delete to authenticated
  using ((select public.is_admin()));

revoke all on public.project_members from public, anon, authenticated, service_role;
grant select on public.project_members to anon;
grant select, delete,
  insert (project_id, user_id, name, role, contribution_percentage),
  update (user_id, name, role, contribution_percentage)
  on public.project_members to authenticated;
grant select, insert, update, delete on public.project_members to service_role;

-- Whoever names an account means its profile. The name is the person's own unless another was given.
create function private.receive_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person public.profiles;
begin
  if private.is_client() and not public.is_admin() then
    return new; -- refused by the policies in a moment; nothing is looked up for them
  end if;
  select * into person from public.profiles where id = new.user_id or user_id = new.user_id;
  if found then
    new.user_id := person.id;
    new.name := coalesce(new.name, person.name);
  end if;
  return new;
end $$;
create trigger receive_member before insert or update of user_id on public.project_members
  for each row execute function private.receive_member();
create trigger touch before update on public.project_members for each row execute function private.touch();
revoke all on function private.receive_member() from public;
select private.watch('public.project_members');
