-- Reads the audit log by actor, action, outcome, day and words, in a time that does not grow with the log. The identity
-- service has its own log; of its payloads only the fields below are shown.

-- In a hosted project that table belongs to the identity service.
do $$
begin
  create index if not exists audit_log_entries_in_order on auth.audit_log_entries (created_at desc, id desc);
  create index if not exists audit_log_entries_by_actor on auth.audit_log_entries ((payload ->> 'actor_id'), created_at desc, id desc);
  create index if not exists audit_log_entries_by_action on auth.audit_log_entries ((payload ->> 'action') text_pattern_ops, created_at desc, id desc);
  create index if not exists audit_log_entries_refused on auth.audit_log_entries (created_at desc, id desc) where payload ->> 'outcome' = 'refused';
exception when insufficient_privilege or undefined_table then
  raise notice 'auth.audit_log_entries takes no indexes here: its lines are found more slowly.';
end $$;

-- Current names for the first ten ids of a line. Deleted objects have a name while they are in the trash.
create function private.named_objects(object text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', thing.id, 'kind', thing.kind, 'name', thing.name, 'of', thing.of) order by place), '[]')
  from (select private.uuid_in(word) as id, place from unnest(string_to_array(left(object, 500), ' ')) with ordinality as split (word, place) limit 10) as named
    cross join lateral (
      select named.id, 'project' as kind, title as name, null::text as of from public.projects where projects.id = named.id
      union all select named.id, 'person', coalesce(email, name), null from public.profiles where profiles.user_id = named.id or profiles.id = named.id
      union all select named.id, 'media', coalesce(nullif(media.title, ''), media.url), projects.title
      from public.project_media media join public.projects on projects.id = media.project_id where media.id = named.id
      union all select named.id, 'member', coalesce(member.name, member.role), projects.title
      from public.project_members member join public.projects on projects.id = member.project_id where member.id = named.id
      union all select named.id, 'texts', projects.title, null
      from public.case_study_metadata texts join public.projects on projects.id = texts.project_id where texts.id = named.id
      union all select named.id, 'message', message.name, null from public.contact_messages message where message.id = named.id
      union all select named.id, 'role', roles.name, null from public.roles where roles.id = named.id
      union all select named.id, 'page', coalesce(page.title, page.kind), null from public.pages page where page.id = named.id
      union all (
        select named.id, 'deleted', coalesce(gone.title, gone.entry ->> 'name', projects.title),
          case when gone.table_name <> 'case_study_metadata' then projects.title end
        from private.trash gone left join public.projects on projects.id = gone.project_id
        where gone.object_id = named.id and gone.table_name in ('projects', 'project_media', 'project_members', 'case_study_metadata')
        order by gone.id desc limit 1
      )
      limit 1
    ) as thing
$$;

-- Actions after which a version of a project or a page, or a change in the history of settings, can have the time of
-- the line's transaction.
create function private.versioned_actions() returns text
language sql immutable set search_path = '' as $$
  select '^(projects\.(insert|update|publish|unpublish|publish_revision|restore_version)|reviews\.(publish|send_back)'
    || '|(project_(media|members|budgets)|case_study_metadata|site_settings|site_pages)\.\w+|pages\.publish|contact_messages\.start_project)$'
$$;

/*
 * One page of both logs, newest first. `before` is the cursor of the previous page: {"at", "source", "id"}.
 * Words have no index, so a page with words reads at most the newest 10,000 lines that match the other filters; when that
 * ends the page early, `next` continues from there and `searched` is the time it reached. Titles are found by the index
 * of the project lists, the newest 500 of them.
 * A server function calls the identity service, which logs that call; the function's own line names the caller and what
 * they did, so the other line of the same request is left out.
 */
create function public.read_log(
  who text default null, what text default null, outcome text default null,
  since timestamptz default null, until timestamptz default null, words text default null,
  before jsonb default null, take integer default 25
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  wish constant integer := least(greatest(coalesce(take, 25), 1), 500);
  sought constant text := nullif(btrim(left(words, 100)), '');
  reach constant integer := case when sought is null then wish + 1 else 10000 end;
  pattern constant text := '%' || regexp_replace(coalesce(sought, ''), '([\\%_])', '\\\1', 'g') || '%';
  person constant text := '%' || regexp_replace(btrim(left(coalesce(who, ''), 100)), '([\\%_])', '\\\1', 'g') || '%';
  action_like constant text := regexp_replace(left(coalesce(what, ''), 60), '([\\%_])', '\\\1', 'g') || '%';
  whole_action constant text := nullif(btrim(left(what, 60)), '');
  refused constant boolean := read_log.outcome = 'refused';
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  people uuid[];
  meant text[];
  from_at constant timestamptz := coalesce((before ->> 'at')::timestamptz, 'infinity');
begin
  perform private.require_admin('Only an admin can read the log.');
  if btrim(coalesce(who, '')) <> '' then
    people := private.uuid_in(btrim(who)) || array(
      select user_id from public.profiles where email ilike person or name ilike person or user_id = private.uuid_in(btrim(who)) limit 50
    );
  end if;
  if sought is not null then
    meant := array(
        select id::text from public.projects
        where id = any (private.projects_with(lower(private.one_line(left(words, 100))), null, 500, true)) and title ilike pattern limit 50
      )
      || array(select user_id::text from public.profiles where email ilike pattern or name ilike pattern limit 50)
      || array(select object_id::text from private.trash where table_name = 'projects' and title ilike pattern limit 50);
  end if;

  return (with audit as (
    select 'audit' as source, log.id::text as id, log.at, log.actor, log.actor_kind, log.address, log.action, log.object,
      log.outcome, log.reason, log.changes is not null or log.outcome = 'done' and log.action ~ private.versioned_actions() as has_changes
    from public.audit_log log
    where (people is null or log.actor = any(people))
      and (whole_action is null or log.action like action_like)
      and (refused is null or (refused and log.outcome = 'refused') or (not refused and log.outcome = 'done'))
      and (since is null or log.at >= since) and (until is null or log.at < until)
      -- At equal times the lines of audit_log come first.
      and (log.at, log.id) < (from_at, case when before ->> 'source' = 'audit' then (before ->> 'id')::bigint else 0 end)
    order by log.at desc, log.id desc limit reach
  ),
  identity as (
    select 'identity' as source, log.id::text as id, log.created_at as at,
      nullif(private.uuid_in(log.payload ->> 'actor_id'), nil) as actor,
      case
        -- A hosted identity service gives the service key the nil id.
        when log.payload ->> 'actor_role' = 'service_role' or log.payload ->> 'actor_id' = nil::text then 'service'
        when log.payload ->> 'actor_id' is not null then 'user'
        when log.payload ->> 'actor_role' = 'server' then 'server'
        else 'guest'
      end as actor_kind,
      nullif(log.ip_address, '')::text as address, 'identity.' || coalesce(log.payload ->> 'action', 'unknown') as action,
      coalesce(log.payload ->> 'object_id', log.payload -> 'traits' ->> 'user_id') as object,
      case when log.payload ->> 'outcome' = 'refused' then 'refused' else 'done' end as outcome,
      left(log.payload ->> 'reason', 200) as reason, false as has_changes
    from auth.audit_log_entries log
    where (people is null or log.payload ->> 'actor_id' = any(people::text[]))
      and (whole_action is null or whole_action = 'identity.'
        or (whole_action like 'identity.%' and log.payload ->> 'action' like substr(action_like, 10)))
      and (refused is null or (refused and log.payload ->> 'outcome' = 'refused')
        or (not refused and log.payload ->> 'outcome' is distinct from 'refused'))
      and (since is null or log.created_at >= since) and (until is null or log.created_at < until)
      and case when before ->> 'source' = 'identity'
        then (log.created_at, log.id) < (from_at, (before ->> 'id')::uuid)
        else log.created_at <= from_at end
      -- `offset 0` keeps this one index lookup per line, instead of a join with the whole table.
      and not exists (select from public.audit_log own where own.request_id = log.payload ->> 'request_id' offset 0)
    order by log.created_at desc, log.id desc limit reach
  ),
  -- Older lines of a log that was cut off are unknown.
  horizon as (
    select greatest((select case when count(*) = reach then min(at) end from audit), (select case when count(*) = reach then min(at) end from identity)) as at
  ),
  page as (
    select both_logs.*, row_number() over (order by at desc, source, case when source = 'audit' then lpad(id, 20, '0') else id end collate "C" desc) as place
    from (select * from audit union all select * from identity) as both_logs
    where (sought is null or at > coalesce((select horizon.at from horizon), '-infinity'))
      and (
        sought is null or action ilike pattern or reason ilike pattern or address ilike pattern or object ilike pattern
        or actor::text = any(meant) or string_to_array(object, ' ') && meant
      )
    order by place limit wish + 1
  )
  select jsonb_build_object(
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', source || ':' || id, 'at', at, 'action', action, 'outcome', page.outcome, 'reason', reason, 'address', address,
        'object', object, 'things', private.named_objects(object), 'has_changes', has_changes,
        'actor_kind', actor_kind,
        'actor', case when actor is not null then jsonb_build_object('id', actor, 'name', (
          select coalesce(profiles.email, profiles.name) from public.profiles where profiles.user_id = page.actor
        )) end
      ) order by place)
      from page where place <= wish
    ), '[]'),
    'next', case
      when (select count(*) from page) > wish
        then (select jsonb_build_object('at', at, 'source', source, 'id', id) from page where place = wish)
      when sought is not null and (select horizon.at from horizon) is not null
        then jsonb_build_object('at', (select horizon.at from horizon), 'source', 'audit', 'id', '9223372036854775807')
    end,
    'searched', case when (select count(*) from page) <= wish and sought is not null then (select horizon.at from horizon) end
  ));
end $$;
comment on function public.read_log is 'For admins: who did what, and what was refused, in both logs; filtered, newest first, paged by the cursor in `next`.';

-- Versions and histories that a line's transaction made, at most ten of each, with the parts that differ. Saves of a
-- submitter update one version for an hour, which then has a later time: their first version is found by its number.
create function public.read_log_changes(p_line bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  entry public.audit_log;
  named uuid[];
begin
  perform private.require_admin('Only an admin can read the log.');
  select * into entry from public.audit_log where id = p_line and outcome = 'done';
  named := array(select private.uuid_in(word) from unnest(string_to_array(entry.object, ' ')) as word);
  return (
    select coalesce(jsonb_agg(change), '[]') from (
      (
        select jsonb_build_object(
          'of', 'project', 'id', version.project_id, 'name', version.content ->> 'title', 'number', version.number,
          'before', (select jsonb_object_agg(key, value) from jsonb_each(earlier.content) where value is distinct from version.content -> key),
          'after', (select jsonb_object_agg(key, value) from jsonb_each(version.content) where value is distinct from earlier.content -> key)
        ) as change
        from public.project_versions version
          left join lateral (
            select content from public.project_versions earlier
            where earlier.project_id = version.project_id and earlier.number < version.number order by earlier.number desc limit 1
          ) earlier on true
        where entry.action ~ private.versioned_actions() and entry.action !~ '^(site_|pages)' and (
          version.at = entry.began_at and version.actor_kind = entry.actor_kind and coalesce(version.actor = entry.actor, version.actor is null)
            and (version.project_id = any (named) or entry.action !~ '^(projects|reviews)')
          or entry.action = 'projects.insert' and version.number = 1 and version.project_id = any (named)
        )
        order by version.project_id limit 10
      )
      union all
      (
        select jsonb_build_object(
          'of', 'page', 'id', version.page_id, 'kind', page.kind, 'number', version.number,
          'before', (
            select jsonb_build_object('title', title, 'content', content) from public.page_versions earlier
            where earlier.page_id = version.page_id and earlier.number < version.number order by earlier.number desc limit 1
          ),
          'after', jsonb_build_object('title', version.title, 'content', version.content)
        )
        from public.page_versions version join public.pages page on page.id = version.page_id
        where version.page_id = any (named) and entry.action = 'pages.publish' and version.published_at = entry.began_at
      )
      union all
      (
        select jsonb_build_object('of', 'setting', 'subject', history.subject, 'name', history.name, 'before', history.before, 'after', history.after)
        from public.settings_history history
        where history.changed_at = entry.began_at and history.name = any (string_to_array(entry.object, ' '))
          and history.subject = case split_part(entry.action, '.', 1) when 'site_settings' then 'setting' when 'site_pages' then 'page' end
        order by history.id limit 10
      )
      union all
      select jsonb_build_object('of', 'columns', 'columns', entry.changes) where entry.changes is not null
    ) as found
  );
end $$;
comment on function public.read_log_changes is
  'For admins: what an audit line changed, with the values before and after: [{of: project, page, setting or columns, ...}].';

grant execute on function public.read_log, public.read_log_changes to authenticated;
