-- The table says projects, the site says experiments, old addresses say case studies. The triggers are created in
-- project_triggers, in the order in which they fire; their functions are with their subject.

create table public.projects (
  id            uuid primary key default gen_random_uuid(),
  number        integer constraint "a number is given once" unique,
  title         text not null constraint "a title is 1 to 200 characters" check (btrim(title) <> '' and private.check_length('The title', char_length(title), 200)),
  description   public.rich_text, -- the Brief
  client        text constraint "a client is at most 200 characters" check (private.check_length('The client', char_length(client), 200)),
  status        text not null default 'draft' constraint "a status is draft, active, completed or archived" check (status in ('draft', 'active', 'completed', 'archived')),
  budget        numeric(12, 2) constraint "a budget is 0 to 1,000,000,000" check (budget between 0 and 1000000000),
  show_budget   boolean not null default true,
  start_date    date constraint "a start date is in 1900 to 2200" check (start_date between '1900-01-01' and '2200-12-31'),
  end_date      date constraint "an end date is in 1900 to 2200" check (end_date between '1900-01-01' and '2200-12-31'),
  understanding public.rich_text,
  actions       public.rich_text,
  impact        public.rich_text,
  facts         jsonb not null default '{}', -- values of the fields that admins define, by their id
  submitted_at  timestamptz, -- when its last step arrived; a draft without it is incomplete
  created_by    uuid not null default public.get_guest_user_id() references auth.users on delete set default,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
comment on table public.projects is 'A case study: drafted by anyone, reviewed and published by an editor.';
comment on column public.projects.number is 'Sequence number of a published experiment, from 1; null until it is published.';
create index projects_newest on public.projects (created_at desc, id desc); -- the public list's order
create index projects_by_status on public.projects (status, created_at desc, id desc); -- the review queue
create index projects_by_creator on public.projects (created_by);

select private.enable_row_security('public.projects');
create policy "what is published is for everybody" on public.projects for select to anon, authenticated using (status <> 'draft');
create policy "drafts are for their creator and admins" on public.projects for select to authenticated
  using (created_by = (select auth.uid()) or (select public.can_edit_content()));
create policy "anyone may submit a draft in their own name" on public.projects for insert to anon, authenticated
  with check (status = 'draft' and created_by = coalesce((select auth.uid()), public.get_guest_user_id()));
create policy "editors add experiments in any state" on public.projects for insert to authenticated with check ((select public.can_edit_content()));
create policy "editors change experiments" on public.projects for update to authenticated
  using ((select public.can_edit_content())) with check ((select public.can_edit_content()));
create policy "the creator or an admin may delete" on public.projects for delete to authenticated
  using (created_by = (select auth.uid()) or (select public.can_edit_content()));

-- The fields that people write: the only list of them in SQL. A column that is not in it is closed to clients, and is
-- neither saved nor part of a version.
create function private.project_fields() returns text[]
language sql immutable set search_path = '' as $$
  select '{title, client, status, budget, show_budget, start_date, end_date, description, understanding, actions, impact, facts}'::text[]
$$;

-- The fields that searches match beside the title and the texts.
create function private.searched_lines(project public.projects) returns text[]
language sql immutable set search_path = '' as $$ select array[project.client] $$;

create function private.pick_fields(given jsonb) returns jsonb
language sql immutable set search_path = '' as $$ select jsonb_object_agg(key, value) from jsonb_each(given) where key = any (private.project_fields()) $$;

create function private.write_fields(p_id uuid, given jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  execute format(
    'update public.projects project set (%1$s) = (select %1$s from jsonb_populate_record(project, $1)) where id = $2',
    array_to_string(private.project_fields(), ', ')
  ) using given, p_id;
end $$;

-- Clients may send status and creator; normalize_project overrides them.
grant select, insert (title, description, client, status, understanding, actions, impact, created_by) on public.projects to anon;
do $$
begin
  execute format('grant select, delete, insert (%1$s), update (%1$s) on public.projects to authenticated',
    array_to_string(private.project_fields() || 'created_by'::text, ', '));
end $$;
grant select, insert, update, delete on public.projects to service_role;

create function private.normalize_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('role', true) in ('anon', 'authenticated') and not public.can_edit_content() then
    new.status := 'draft';
    new.submitted_at := null;
    new.created_by := coalesce(auth.uid(), public.get_guest_user_id());
  else
    -- An admin's insert counts as complete; a restored row keeps its value.
    if current_setting('private.restoring', true) is distinct from 'yes' then
      new.submitted_at := coalesce(new.submitted_at, now());
    end if;
    if current_user = 'authenticated' then
      new.created_by := auth.uid();
    end if;
  end if;
  new.created_by := coalesce(nullif(new.created_by, '00000000-0000-0000-0000-000000000000'), public.get_guest_user_id());
  return new;
end $$;

-- A published experiment was reviewed, so it counts as complete.
create function private.publish_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.submitted_at := coalesce(new.submitted_at, now());
  perform private.record(case when new.status = 'draft' then 'projects.unpublish' else 'projects.publish' end, new.id::text);
  return new;
end $$;

-- The number is assigned at publication and never changes. Not a sequence: a failed publication would leave a gap, and
-- a copy of the rows must include the counter.
create table private.experiment_numbers (
  only_row boolean primary key default true check (only_row),
  last     integer not null
);
insert into private.experiment_numbers (last) values (0);

-- The row lock serializes concurrent publications, so none skips a number.
create function private.number_experiment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.experiment_numbers set last = greatest(last, (select max(number) from public.projects)) + 1 returning last into new.number;
  return new;
end $$;

-- Optional (`publishing_needs_checks`): refuses to publish while an image has no alternative text.
create function private.require_alt_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  silent integer;
begin
  select count(*) into silent from public.project_media
  where private.is_setting_on('publishing_needs_checks') and project_id = new.id and type = 'image' and alt is null;
  perform private.raise_if(silent > 0, 'PT422', format(
    '%s what %s. Say it, or call it decorative; then publish. An admin can switch this off in the settings.',
    case silent when 1 then '1 picture does not say' else silent || ' pictures do not say' end,
    case silent when 1 then 'it shows' else 'they show' end
  ));
  return new;
end $$;

-- Rows of projects are readable as a whole, so a hidden budget is moved to this table, which only editors read, and back
-- when it is shown again.
create table public.project_budgets (
  -- Deferred: a trigger inserts the amount before the project's own row exists.
  project_id uuid primary key references public.projects on delete cascade deferrable initially deferred,
  amount     numeric(12, 2) not null
);
comment on table public.project_budgets is 'Amounts of projects whose show_budget is off; projects.budget is null there.';

select private.enable_row_security('public.project_budgets');
create policy "editors see hidden budgets" on public.project_budgets for select to authenticated using ((select public.can_edit_content()));
create policy "editors forget hidden budgets" on public.project_budgets for delete to authenticated using ((select public.can_edit_content()));
grant select, delete on public.project_budgets to authenticated, service_role;

-- Security definer: callers have no access to hidden budgets.
create function private.move_hidden_budget() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not new.show_budget and new.budget is not null then
    insert into public.project_budgets (project_id, amount) values (new.id, new.budget) on conflict (project_id) do update set amount = excluded.amount;
    new.budget := null;
  elsif new.show_budget and tg_op = 'UPDATE' and not old.show_budget then
    new.budget := coalesce(new.budget, (select amount from public.project_budgets where project_id = new.id));
    delete from public.project_budgets where project_id = new.id;
  end if;
  return new;
end $$;

create function private.delete_hidden_budget() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_budgets where project_id = new.id;
  return new;
end $$;
