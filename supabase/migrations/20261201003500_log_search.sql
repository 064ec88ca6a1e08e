-- expand
-- Whoever searches the log means projects by their titles, too. They are looked up where the lists of projects look words up,
-- among the newest five hundred with these words; all titles were read for it before.
create or replace function public.read_log(
  who text default null, what text default null, outcome text default null,
  since timestamptz default null, until timestamptz default null, words text default null,
  before jsonb default null, take integer default 25
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  most constant integer := 10000;
  wish constant integer := least(greatest(coalesce(take, 25), 1), 500);
  sought constant text := nullif(btrim(left(words, 100)), '');
  reach constant integer := case when sought is null then wish + 1 else most end;
  pattern constant text := '%' || regexp_replace(coalesce(sought, ''), '([\\%_])', '\\\1', 'g') || '%';
  person constant text := '%' || regexp_replace(btrim(left(coalesce(who, ''), 100)), '([\\%_])', '\\\1', 'g') || '%';
  action_like constant text := regexp_replace(left(coalesce(what, ''), 60), '([\\%_])', '\\\1', 'g') || '%';
  whole_action constant text := nullif(btrim(left(what, 60)), '');
  refused constant boolean := read_log.outcome = 'refused';
  people uuid[];
  meant text[];
  -- Within one moment the house's own lines come first.
  from_at constant timestamptz := coalesce((before ->> 'at')::timestamptz, 'infinity');
  house_id constant bigint := case when before ->> 'source' = 'house' then (before ->> 'id')::bigint else 0 end;
  answer jsonb;
begin
  if not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can read the log.';
  end if;
  if btrim(coalesce(who, '')) <> '' then
    people := array(
      select user_id from public.profiles where email ilike person or name ilike person or user_id = private.uuid_in(btrim(who)) limit 50
    );
    if private.uuid_in(btrim(who)) is not null then
      people := people || private.uuid_in(btrim(who));
    end if;
  end if;
  if sought is not null then
    meant := array(
        select id::text from public.projects
        where id = any (private.projects_with(lower(private.one_line(left(words, 100))), null, 500, true)) and title ilike pattern limit 50
      )
      || array(select user_id::text from public.profiles where email ilike pattern or name ilike pattern limit 50)
      || array(select object_id::text from private.trash where table_name = 'projects' and title ilike pattern limit 50);
  end if;

  with house as (
    select 'house' as source, log.id::text as id, log.at, log.actor, log.actor_kind, log.address, log.action, log.object,
      log.outcome, log.reason
    from public.audit_log log
    where (people is null or log.actor = any(people))
      and (whole_action is null or log.action like action_like)
      and (refused is null or (refused and log.outcome = 'refused') or (not refused and log.outcome = 'done'))
      and (since is null or log.at >= since) and (until is null or log.at < until)
      and (log.at, log.id) < (from_at, house_id)
    order by log.at desc, log.id desc
    limit reach
  ),
  identity as (
    select 'identity' as source, log.id::text as id, log.created_at as at, private.uuid_in(log.payload ->> 'actor_id') as actor,
      case when log.payload ->> 'actor_id' is not null then 'user' when log.payload ->> 'actor_role' = 'service_role' then 'service'
        else 'guest' end as actor_kind,
      nullif(log.ip_address, '')::text as address, 'identity.' || coalesce(log.payload ->> 'action', 'unknown') as action,
      coalesce(log.payload ->> 'object_id', log.payload -> 'traits' ->> 'user_id') as object,
      case when log.payload ->> 'outcome' = 'refused' then 'refused' else 'done' end as outcome,
      left(log.payload ->> 'reason', 200) as reason
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
    order by log.created_at desc, log.id desc
    limit reach
  ),
  both_logs as (
    select * from house union all select * from identity
  ),
  -- A log that was cut off says nothing about what is older than its last line.
  horizon as (
    select greatest(
      (select case when count(*) = reach then min(at) end from house),
      (select case when count(*) = reach then min(at) end from identity)
    ) as at
  ),
  found as (
    select * from both_logs
    where (sought is null or at > coalesce((select horizon.at from horizon), '-infinity'))
      and (
        sought is null or action ilike pattern or reason ilike pattern or address ilike pattern or object ilike pattern
        or actor::text = any(meant) or string_to_array(object, ' ') && meant
      )
    order by at desc, source, case when source = 'house' then lpad(id, 20, '0') else id end collate "C" desc
    limit wish + 1
  ),
  page as (
    select found.*, row_number() over (order by at desc, source, case when source = 'house' then lpad(id, 20, '0') else id end collate "C" desc) as place
    from found
  )
  select jsonb_build_object(
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', source || ':' || id, 'at', at, 'action', action, 'outcome', page.outcome, 'reason', reason, 'address', address,
        'object', object, 'things', private.things_named(object),
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
        then jsonb_build_object('at', (select horizon.at from horizon), 'source', 'house', 'id', '9223372036854775807')
    end,
    'searched', case when (select count(*) from page) <= wish and sought is not null then (select horizon.at from horizon) end
  ) into answer;
  return answer;
end $$;
