-- Shares of a team never make more than the whole, also when two people save at the same moment.

-- After the policies had their say. Taking turns makes the second of two see the first one's share.
-- Who lowers a share that was too much already is let through.
create function private.limit_shares(added jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  total numeric;
  project uuid;
  growing uuid[] := array(select key::uuid from jsonb_each_text(added) where value::numeric > 0 order by 1);
begin
  if current_setting('private.restoring', true) = 'yes' then
    return; -- fit_share looked at each
  end if;
  perform private.take_turns_at(growing);
  foreach project in array growing loop
    select sum(contribution_percentage) into total from public.project_members where project_id = project;
    if total > 100 then
      raise exception using errcode = 'PT422', message = format(
        'The shares together would make %s%%; %s%% too much. Nothing was saved.', trim_scale(total), trim_scale(total - 100)
      );
    end if;
  end loop;
end $$;

create function private.limit_added_shares() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.limit_shares(jsonb_object_agg(project_id, share)) from (
    select project_id, sum(contribution_percentage) as share from fresh group by project_id
  ) as shares;
  return null;
end $$;
create trigger limit_added_shares after insert on public.project_members
  referencing new table as fresh for each statement execute function private.limit_added_shares();

create function private.limit_changed_shares() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.limit_shares(jsonb_object_agg(project_id, share)) from (
    select project_id, sum(share) as share from (
      select project_id, contribution_percentage as share from fresh
      union all select project_id, -contribution_percentage from former
    ) as both_sides group by project_id
  ) as shares;
  return null;
end $$;
create trigger limit_changed_shares after update on public.project_members
  referencing old table as former new table as fresh for each statement execute function private.limit_changed_shares();

-- What comes back from the trash may find its share given away; then it comes back without one.
create function private.fit_share() returns trigger
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
create trigger fit_share before insert on public.project_members
  for each row when (current_setting('private.restoring', true) = 'yes') execute function private.fit_share();

revoke all on function private.limit_shares(jsonb), private.limit_added_shares(), private.limit_changed_shares(), private.fit_share()
  from public;
