-- expand: the release before works on with its built-in words.
-- Pages that admins edit: the words and pictures of the built-in ones, and free pages. The site checks each field against
-- its schema when it reads them, and shows the built-in words for what is missing or invalid. Readers get only what is
-- published, from public.live_pages().

-- The last part are names that no page may take: routes, files and services of the site.
create function private.check_page_path(path text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  perform private.raise_if(path !~ '^/[a-z0-9-]+$' or length(path) > 80, 'PT422',
    'An address is a slash and up to 79 small letters, digits and hyphens, such as /open-studio.');
  perform private.raise_if(substr(path, 2) = any (array[
    'about', 'account', 'admin', 'admin-help', 'admin-login', 'admin-setup', 'ai-jewelry-masterclass', 'assets', 'auth', 'brand', 'captcha',
    'case-studies', 'case-study-upload', 'cleanup', 'confirm', 'contact', 'dev', 'drafts', 'functions', 'graphql', 'health', 'join',
    'metrics', 'my-experiments', 'my-statements', 'privacy', 'ready', 'realtime', 'reset-password', 'rest', 'sign-in',
    'sign-out', 'sign-up', 'sitemaps', 'social', 'storage', 'terms', 'upload-project', 'verify-user', 'work'
  ]), 'PT422', 'The site uses this address itself. Choose another one.');
  return true;
end $$;
comment on function private.check_page_path is 'True for an address that a free page may have, or error 422 that says what to change.';

create function private.check_page_content(content jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  perform private.check_length('A page', octet_length(content::text), 65536, 'KB');
  perform (section ->> 'html')::public.rich_text from jsonb_path_query(content, '$.sections[*]') section;
  return jsonb_typeof(content) = 'object';
end $$;
comment on function private.check_page_content is 'Content is an object of at most 64 KB, and the HTML of its sections is rich text.';

create table public.pages (
  id           uuid primary key default gen_random_uuid(),
  kind         text not null default 'free' constraint "a page is of a known kind"
    check (kind in ('home', 'about', 'join', 'masterclass', 'contact', 'portfolio', 'frame', 'missing', 'free')),
  path         text,
  title        text constraint "a title of a page is at most 120 characters" check (private.check_length('A title', char_length(title), 120)),
  live_title   text,
  draft        jsonb constraint "a draft is the content of a page" check (private.check_page_content(draft)),
  is_draft     boolean not null generated always as (draft is not null) stored,
  live         jsonb constraint "published content is the content of a page" check (private.check_page_content(live)),
  revision     integer not null default 1,
  updated_at   timestamptz not null default now(),
  updated_by   uuid default auth.uid() references public.profiles (user_id) on delete set null,
  published_at timestamptz,
  deleted_at   timestamptz,
  constraint "a built-in page keeps its address" check (kind = 'free' or path is not distinct from (case kind
    when 'home' then '/' when 'about' then '/about' when 'join' then '/join' when 'contact' then '/contact'
    when 'portfolio' then '/case-studies' when 'masterclass' then '/ai-jewelry-masterclass' end)),
  constraint "a free page has an address of its own" check (kind <> 'free' or path is not null and private.check_page_path(path)),
  constraint "a free page has a title" check (kind <> 'free' or btrim(title) <> '' and title is not null)
);
comment on table public.pages is 'Pages that editors edit. For editors; written through functions. The frame is the menu and the footer of every page, missing what an unknown address shows.';
comment on column public.pages.title is 'Title of a free page with its unpublished changes; live_title is what readers see.';
comment on column public.pages.draft is 'Unpublished changes; null without.';
comment on column public.pages.live is 'What readers see; null: the built-in words, or a free page that was never published.';
comment on column public.pages.revision is 'Grows with each change of the draft, so that no one overwrites a change that they have not seen.';
comment on column public.pages.deleted_at is 'When an admin deleted it; kept as long as a row in the trash.';
create unique index pages_by_path on public.pages (path) where deleted_at is null;
create unique index pages_by_kind on public.pages (kind) where kind <> 'free';
create index pages_by_editor on public.pages (updated_by);

create table public.page_versions (
  id           uuid primary key default gen_random_uuid(),
  page_id      uuid not null references public.pages (id) on delete cascade,
  number       integer not null,
  content      jsonb not null constraint "a version is the content of a page" check (private.check_page_content(content)),
  title        text,
  published_at timestamptz not null default now(),
  published_by uuid default auth.uid() references public.profiles (user_id) on delete set null,
  constraint "a version of a page has a number of its own" unique (page_id, number)
);
comment on table public.page_versions is 'What was published, the newest hundred of each page. For editors; written by publishing.';
create index page_versions_by_publisher on public.page_versions (published_by);

create table public.page_redirects (
  path    text primary key constraint "a former address could be one of a free page" check (private.check_page_path(path)),
  page_id uuid not null references public.pages (id) on delete cascade
);
comment on table public.page_redirects is 'Former addresses of free pages, which lead to the current one. For editors; written by moving.';
create index page_redirects_by_page on public.page_redirects (page_id);

select private.enable_row_security('public.pages', 'public.page_versions', 'public.page_redirects');
create policy "editors read pages and drafts" on public.pages for select to authenticated using ((select public.can_edit_content()));
create policy "editors read versions of pages" on public.page_versions for select to authenticated using ((select public.can_edit_content()));
create policy "editors read former addresses" on public.page_redirects for select to authenticated using ((select public.can_edit_content()));
grant select on public.pages, public.page_versions, public.page_redirects to authenticated, service_role;

-- Saving a draft changes nothing that readers see.
create trigger site_changed after update on public.pages for each row when (
  (old.live, old.live_title, old.path, old.deleted_at) is distinct from (new.live, new.live_title, new.path, new.deleted_at)
) execute function private.site_changed();
create trigger site_emptied after truncate on public.pages for each statement execute function private.site_changed();
create trigger site_changed after insert or update or delete on public.page_redirects for each row execute function private.site_changed();

insert into public.pages (kind, path) values
  ('home', '/'), ('about', '/about'), ('join', '/join'), ('masterclass', '/ai-jewelry-masterclass'), ('contact', '/contact'),
  ('portfolio', '/case-studies'), ('frame', null), ('missing', null);

create function public.live_pages() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'pages', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'path', path, 'title', live_title, 'live', live, 'published_at', published_at
      ) order by path), '[]') from public.pages where live is not null and deleted_at is null
    ),
    'redirects', (
      select coalesce(jsonb_agg(jsonb_build_object('path', redirect.path, 'to', page.path) order by redirect.path), '[]')
      from public.page_redirects redirect join public.pages page on page.id = redirect.page_id
      where page.live is not null and page.deleted_at is null
    )
  )
$$;
comment on function public.live_pages is 'What is published: {"pages": [{id, kind, path, title, live, published_at}], "redirects": [{path, to}]}.';

create function private.lock_page(page uuid, seen integer default null) returns public.pages
language plpgsql set search_path = '' as $$
declare
  locked public.pages;
begin
  select * into locked from public.pages where id = page and deleted_at is null for update;
  perform private.raise_if(not found, 'PT404', 'The page is not there any more.');
  perform private.raise_if(seen <> locked.revision, 'PT409', 'The page was saved meanwhile, so nothing was changed. Look at the newest version first.');
  return locked;
end $$;

-- The lock keeps others from taking the same address until this transaction ends.
create function private.take_page_path(taken text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.check_page_path(coalesce(taken, ''));
  perform pg_advisory_xact_lock(hashtextextended('page ' || taken, 0));
  perform private.raise_if(exists (select from public.pages where path = taken and deleted_at is null), 'PT422',
    'Another page has this address. Choose another one.');
  delete from public.page_redirects where path = taken;
end $$;

create function public.save_page_draft(page uuid, content jsonb, title text, seen integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  found_page public.pages;
  new_title text;
begin
  perform private.require_editor('Only an editor can edit pages.');
  perform private.raise_if(jsonb_typeof(content) <> 'object', 'PT422', 'The content of a page is an object.');
  found_page := private.lock_page(page, coalesce(seen, -1));
  new_title := case when found_page.kind = 'free' then coalesce(nullif(btrim(save_page_draft.title), ''), found_page.title) end;
  update public.pages one set
    draft = case when (content, new_title) is distinct from (one.live, one.live_title) then content end,
    title = new_title, revision = one.revision + 1, updated_at = now(), updated_by = auth.uid()
  where one.id = page;
  delete from public.planned_changes where page_id = (select id from public.pages where id = page and draft is null);
  return found_page.revision + 1;
end $$;
comment on function public.save_page_draft is
  'For editors: saves unpublished changes of a page that is still as of revision `seen` (else 409); none without content. Returns the new revision.';

create function private.publish_page_draft(page uuid, seen integer default null) returns integer
language plpgsql set search_path = '' as $$
declare
  found_page public.pages := private.lock_page(page, seen);
  latest integer;
begin
  perform private.raise_if(found_page.draft is null, 'PT422', 'There are no changes to publish.');
  select coalesce(max(number), 0) + 1 into latest from public.page_versions where page_id = page;
  insert into public.page_versions (page_id, number, content, title) values (page, latest, found_page.draft, found_page.title);
  delete from public.page_versions where page_id = page and number <= latest - 100;
  update public.pages one set live = one.draft, live_title = one.title, draft = null,
    revision = one.revision + 1, updated_at = now(), updated_by = auth.uid(), published_at = now()
  where one.id = page;
  delete from public.planned_changes where page_id = page;
  perform private.record('pages.publish', page::text, 'done', 'version ' || latest);
  return found_page.revision + 1;
end $$;

create function public.publish_page(page uuid, seen integer) returns integer
language sql security definer set search_path = '' as $$
  select private.require_editor('Only an editor can publish pages.');
  select private.publish_page_draft(page, coalesce(seen, -1))
$$;
comment on function public.publish_page is
  'For editors: shows the draft of a page to readers, unless it was saved after revision `seen` (409). Returns the new revision.';

create function public.create_page(title text, path text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  added uuid;
begin
  perform private.require_editor('Only an editor can create pages.');
  perform private.raise_if(btrim(coalesce(create_page.title, '')) = '', 'PT422', 'Please give the page a title.');
  perform private.take_page_path(create_page.path);
  insert into public.pages (title, path) values (btrim(create_page.title), create_page.path) returning id into added;
  perform private.record('pages.insert', added::text);
  return added;
end $$;
comment on function public.create_page is 'For editors: creates a free page without content, which readers see once it is published. Returns its id.';

create function public.move_page(page uuid, path text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  found_page public.pages;
begin
  perform private.require_editor('Only an editor can move pages.');
  found_page := private.lock_page(page);
  perform private.raise_if(found_page.kind <> 'free', 'PT422', 'The address of this page is fixed.');
  if found_page.path = move_page.path then
    return;
  end if;
  perform private.take_page_path(move_page.path);
  update public.pages one set path = move_page.path where one.id = page;
  insert into public.page_redirects (path, page_id) select found_page.path, page where found_page.live is not null
  on conflict on constraint page_redirects_pkey do update set page_id = excluded.page_id;
  perform private.record('pages.move', page::text, 'done', found_page.path || ' to ' || move_page.path);
end $$;
comment on function public.move_page is 'For editors: gives a free page another address. The former one of a published page leads to it.';

create function public.delete_page(page uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can delete pages.');
  perform private.raise_if((private.lock_page(page)).kind <> 'free', 'PT422', 'This page belongs to the site and cannot be deleted.');
  update public.pages one set deleted_at = now() where one.id = page;
  delete from public.planned_changes where page_id = page;
  perform private.record('pages.delete', page::text);
end $$;
comment on function public.delete_page is 'For editors: deletes a free page; restore_page() brings it back as long as a row in the trash.';

create function public.restore_page(page uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  deleted public.pages;
begin
  perform private.require_editor('Only an editor can restore pages.');
  select * into deleted from public.pages where id = page and deleted_at > now() - private.trash_retention() for update;
  perform private.raise_if(not found, 'PT404', 'The page is not in the trash any more.');
  perform private.take_page_path(deleted.path);
  update public.pages one set deleted_at = null where one.id = page;
  perform private.record('pages.restore', page::text);
end $$;
comment on function public.restore_page is 'For editors: restores a deleted page at its address, unless another page has that by now (422).';

grant execute on function public.live_pages to anon, authenticated, service_role;
grant execute on function public.save_page_draft, public.publish_page, public.create_page, public.move_page, public.delete_page, public.restore_page to authenticated;
