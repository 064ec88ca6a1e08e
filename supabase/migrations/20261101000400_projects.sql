-- One record, three names: the table says projects, the site says experiments, old addresses say case studies.

create table public.projects (
  id            uuid primary key default gen_random_uuid(),
  title         text not null constraint "a title is 1 to 200 characters" check (btrim(title) <> '' and char_length(title) <= 200),
  description   public.rich_text, -- the Brief
  client        text constraint "a client is at most 200 characters" check (char_length(client) <= 200),
  status        text not null default 'draft' constraint "a status is draft, active, completed or archived" check (status in ('draft', 'active', 'completed', 'archived')),
  budget        numeric(12, 2) constraint "a budget is 0 to 1,000,000,000" check (budget between 0 and 1000000000),
  show_budget   boolean not null default true,
  start_date    date constraint "a start date is in 1900 to 2200" check (start_date between '1900-01-01' and '2200-12-31'),
  end_date      date constraint "an end date is in 1900 to 2200" check (end_date between '1900-01-01' and '2200-12-31'),
  understanding public.rich_text,
  actions       public.rich_text,
  impact        public.rich_text,
  submitted_at  timestamptz, -- when its last step arrived; a draft without it is incomplete
  created_by    uuid not null default public.get_guest_user_id() references auth.users on delete set default,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
comment on table public.projects is 'A case study: drafted by anyone, reviewed and published by an admin.';
create index projects_newest on public.projects (created_at desc, id desc); -- the public list's order
create index projects_by_status on public.projects (status, created_at desc, id desc); -- the review desk
create index projects_by_creator on public.projects (created_by);

alter table public.projects enable row level security;
alter table public.projects force row level security;

create policy "what is published is for everybody" on public.projects for select to anon, authenticated
  using (status <> 'draft');
create policy "drafts are for their creator and admins" on public.projects for select to authenticated
  using (created_by = (select auth.uid()) or (select public.is_admin()));
create policy "anyone may submit a draft in their own name" on public.projects for insert to anon, authenticated
  with check (status = 'draft' and created_by = coalesce((select auth.uid()), public.get_guest_user_id()));
create policy "admins add experiments in any state" on public.projects for insert to authenticated
  with check ((select public.is_admin()));
create policy "admins change experiments" on public.projects for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "the creator or an admin may delete" on public.projects for delete to authenticated
  using (created_by = (select auth.uid()) or (select public.is_admin()));

-- Columns are named, so a new one starts out closed. Clients send a status and a creator; the trigger below decides.
revoke all on public.projects from public, anon, authenticated, service_role;
grant select, insert (title, description, client, status, understanding, actions, impact, created_by) on public.projects to anon;
grant select, delete,
  insert (title, description, client, status, budget, show_budget, start_date, end_date, understanding, actions, impact, created_by),
  update (title, description, client, status, budget, show_budget, start_date, end_date, understanding, actions, impact, created_by)
  on public.projects to authenticated;
grant select, insert, update, delete on public.projects to service_role;

-- Whatever a client claims: a submission is a draft of the person who sent it, and of the guest when nobody did.
create function private.receive_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('role', true) in ('anon', 'authenticated') and not public.is_admin() then
    new.status := 'draft';
    new.submitted_at := null;
    new.created_by := coalesce(auth.uid(), public.get_guest_user_id());
  else
    new.submitted_at := coalesce(new.submitted_at, now());
    if current_user = 'authenticated' then
      new.created_by := auth.uid();
    end if;
  end if;
  if new.created_by is null or new.created_by = '00000000-0000-0000-0000-000000000000' then
    new.created_by := public.get_guest_user_id();
  end if;
  return new;
end $$;
create trigger receive_project before insert on public.projects
  for each row execute function private.receive_project();

-- A published experiment is reviewed, so nothing of it is missing any more.
create function private.publish_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.submitted_at := coalesce(new.submitted_at, now());
  perform private.record(case when new.status = 'draft' then 'projects.unpublish' else 'projects.publish' end, new.id::text);
  return new;
end $$;
create trigger publish_project before update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.publish_project();
create trigger touch before update on public.projects for each row execute function private.touch();

revoke all on function private.receive_project(), private.publish_project() from public;
select private.watch('public.projects', 'everybody');
