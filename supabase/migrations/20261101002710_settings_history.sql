-- What a setting or a legal text said before somebody changed it, so that no mistake is final. Written by the database,
-- whatever way the change came; settings hold no secret, so neither does their history.

create table public.settings_history (
  id         bigint generated always as identity primary key,
  subject    text not null check (subject in ('setting', 'page')),
  name       text not null,
  before     jsonb, -- null: the built-in value held
  after      jsonb, -- null: the built-in value holds again
  changed_at timestamptz not null default clock_timestamp(),
  changed_by uuid default auth.uid()
);
comment on table public.settings_history is 'Every change of a setting or a legal text, the newest hundred of each. Read by admins alone.';
create index settings_history_newest on public.settings_history (changed_at desc, id desc);
create index settings_history_of_one on public.settings_history (subject, name, id desc);

alter table public.settings_history enable row level security;
alter table public.settings_history force row level security;
create policy "admins read what settings were" on public.settings_history for select to authenticated
  using ((select public.is_admin()));
revoke all on public.settings_history from public, anon, authenticated, service_role;
grant select on public.settings_history to authenticated;

create function private.keep_settings_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  subject_of constant text := case tg_table_name when 'site_pages' then 'page' else 'setting' end;
  value_column constant text := case tg_table_name when 'site_pages' then 'body' else 'value' end;
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  was constant text := coalesce(old_row ->> 'slug', old_row ->> 'name');
  is_now constant text := coalesce(new_row ->> 'slug', new_row ->> 'name');
begin
  -- A row that is renamed is one setting that went and another that came.
  if was is distinct from is_now then
    insert into public.settings_history (subject, name, before, after)
    select subject_of, change.name, change.before, change.after
    from (values (was, old_row -> value_column, null), (is_now, null, new_row -> value_column)) as change (name, before, after)
    where change.name is not null;
  elsif old_row -> value_column is distinct from new_row -> value_column then
    insert into public.settings_history (subject, name, before, after)
    values (subject_of, is_now, old_row -> value_column, new_row -> value_column);
  end if;
  delete from public.settings_history old_change
  where old_change.subject = subject_of and old_change.name in (was, is_now) and old_change.id <= (
    select newer.id from public.settings_history newer
    where newer.subject = old_change.subject and newer.name = old_change.name
    order by newer.id desc offset 100 limit 1
  );
  return null;
end $$;
create trigger keep_settings_history after insert or update or delete on public.site_settings
  for each row execute function private.keep_settings_history();
create trigger keep_settings_history after insert or update or delete on public.site_pages
  for each row execute function private.keep_settings_history();
revoke all on function private.keep_settings_history() from public;
