-- Values that admins change without a release: facts about the agency, and the two legal texts. Both are public; earlier
-- versions are for admins.

create table public.site_pages (
  slug       text primary key constraint "a page is privacy or terms" check (slug in ('privacy', 'terms')),
  body       public.rich_text not null,
  updated_at timestamptz not null default now()
);
comment on table public.site_pages is 'Legal texts that differ from the built-in ones.';

select private.enable_row_security('public.site_pages');
create policy "anyone reads pages" on public.site_pages for select to anon, authenticated using (true);
create policy "admins write pages" on public.site_pages to authenticated using ((select public.is_admin()));
grant select on public.site_pages to anon, authenticated;
grant delete, insert (slug, body), update (slug, body) on public.site_pages to authenticated;
grant select, insert, update, delete on public.site_pages to service_role;

-- Earlier values of settings and legal texts, recorded by a trigger so that every change can be undone. Settings
-- contain no secrets, so neither does their history.
create table public.settings_history (
  id         bigint generated always as identity primary key,
  subject    text not null check (subject in ('setting', 'page')),
  name       text not null,
  before     jsonb, -- null: the built-in value was in use
  after      jsonb, -- null: the built-in value is in use again
  changed_at timestamptz not null default now(),
  changed_by uuid default auth.uid()
);
comment on table public.settings_history is 'Every change of a setting or a legal text, the newest hundred of each. For admins only.';
create index settings_history_newest on public.settings_history (changed_at desc, id desc);
create index settings_history_of_one on public.settings_history (subject, name, id desc);

select private.enable_row_security('public.settings_history');
create policy "admins read what settings were" on public.settings_history for select to authenticated using ((select public.is_admin()));
grant select on public.settings_history to authenticated;

-- The limit is per setting, so that frequent changes of one do not push out the history of others.
create function private.record_settings_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  subject_of constant text := case tg_table_name when 'site_pages' then 'page' else 'setting' end;
  value_column constant text := case tg_table_name when 'site_pages' then 'body' else 'value' end;
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  was constant text := coalesce(old_row ->> 'slug', old_row ->> 'name');
  is_now constant text := coalesce(new_row ->> 'slug', new_row ->> 'name');
begin
  -- Renaming a row removes one setting and adds another.
  insert into public.settings_history (subject, name, before, after)
  select subject_of, change.name, change.before, change.after
  from (values
    (was, old_row -> value_column, case when was = is_now then new_row -> value_column end),
    (case when was is distinct from is_now then is_now end, null, new_row -> value_column)
  ) as change (name, before, after)
  where change.name is not null and change.before is distinct from change.after;
  delete from public.settings_history old_change
  where old_change.subject = subject_of and old_change.name in (was, is_now) and old_change.id <= (
    select newer.id from public.settings_history newer
    where newer.subject = old_change.subject and newer.name = old_change.name order by newer.id desc offset 100 limit 1
  );
  return null;
end $$;

-- Only an admin with a proved second factor may enable it, so at least one admin can still sign in. Disabling needs an
-- admin. The service role may do both, for when all factors are lost.
create function private.guard_second_factor_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was_on boolean := tg_op <> 'INSERT' and old.name = 'admins_need_second_factor' and old.value = 'true'::jsonb;
  is_on boolean := tg_op <> 'DELETE' and new.name = 'admins_need_second_factor' and new.value = 'true'::jsonb;
begin
  perform private.raise_if(tg_op <> 'DELETE' and new.name = 'admins_need_second_factor' and jsonb_typeof(new.value) <> 'boolean', '23514',
    'admins_need_second_factor is true or false.');
  perform private.raise_if(is_on and not was_on and private.is_client() and not private.has_shown_second_factor(), 'PT403',
    'Sign in with your own second factor first: otherwise this would lock you out.');
  perform private.record('admins_need_second_factor', case when is_on then 'on' else 'off' end) where is_on <> was_on;
  return null;
end $$;
create trigger guard_second_factor after insert or update or delete on public.site_settings for each row execute function private.guard_second_factor_setting();

do $$
declare
  content regclass;
begin
  foreach content in array array['public.site_settings', 'public.site_pages']::regclass[] loop
    perform private.record_writes_of(content);
    execute format('create trigger touch before update on %s for each row execute function private.touch()', content);
    execute format('create trigger record_settings_history after insert or update or delete on %s for each row execute function private.record_settings_history()', content);
    execute format('create trigger site_changed after insert or update or delete on %s for each row execute function private.site_changed()', content);
    execute format('create trigger site_emptied after truncate on %s for each statement execute function private.site_changed()', content);
  end loop;
end $$;
