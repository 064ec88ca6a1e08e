-- What admins may change without a release: facts about the agency, and the two legal texts. Everybody reads both.

create table public.site_settings (
  name       text primary key constraint "a setting's name is 1 to 60 small letters" check (name ~ '^[a-z][a-z0-9_]{0,59}$'),
  value      jsonb not null constraint "a setting is at most 16 KB" check (octet_length(value::text) <= 16384),
  updated_at timestamptz not null default now()
);
comment on table public.site_settings is 'Facts that differ from the built-in ones. Public: no secret belongs here.';

create table public.site_pages (
  slug       text primary key constraint "a page is privacy or terms" check (slug in ('privacy', 'terms')),
  body       public.rich_text not null,
  updated_at timestamptz not null default now()
);
comment on table public.site_pages is 'Legal texts that differ from the built-in ones, with the day of their last change.';

alter table public.site_settings enable row level security;
alter table public.site_settings force row level security;
alter table public.site_pages enable row level security;
alter table public.site_pages force row level security;

create policy "anyone reads settings" on public.site_settings for select to anon, authenticated using (true);
create policy "admins add settings" on public.site_settings for insert to authenticated with check ((select public.is_admin()));
create policy "admins change settings" on public.site_settings for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins reset settings" on public.site_settings for delete to authenticated using ((select public.is_admin()));

create policy "anyone reads pages" on public.site_pages for select to anon, authenticated using (true);
create policy "admins add pages" on public.site_pages for insert to authenticated with check ((select public.is_admin()));
create policy "admins change pages" on public.site_pages for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins reset pages" on public.site_pages for delete to authenticated using ((select public.is_admin()));

revoke all on public.site_settings, public.site_pages from public, anon, authenticated, service_role;
grant select on public.site_settings, public.site_pages to anon, authenticated;
grant delete, insert (name, value), update (name, value) on public.site_settings to authenticated;
grant delete, insert (slug, body), update (slug, body) on public.site_pages to authenticated;
grant select, insert, update, delete on public.site_settings, public.site_pages to service_role;

create trigger touch before update on public.site_settings for each row execute function private.touch();
create trigger touch before update on public.site_pages for each row execute function private.touch();
create trigger site_changed after insert or update or delete or truncate on public.site_settings
  for each statement execute function private.site_changed();
create trigger site_changed after insert or update or delete or truncate on public.site_pages
  for each statement execute function private.site_changed();
select private.watch('public.site_settings');
select private.watch('public.site_pages');
