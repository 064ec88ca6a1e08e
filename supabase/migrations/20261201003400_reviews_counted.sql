-- expand
-- Every published submission keeps its review, so counting stops at 1,000 and the result says that there are more.
create function public.count_reviews(p_turn smallint default null, p_assignee uuid default null)
returns table (reviews integer, exact boolean)
language plpgsql stable security definer rows 1 set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.see_every_project();
  return query
    select least(count(*), 1000)::integer, count(*) <= 1000
    from (
      select from public.reviews
      where turn between coalesce(p_turn, 0) and coalesce(p_turn, 3) and arrived_at <= now()
        and (p_assignee is null or assignee = p_assignee)
      limit 1001
    ) as counted;
end $$;
comment on function public.count_reviews is
  'For admins: how many arrived submissions have this `reviews.turn` (null: all but the published), optionally only those assigned to one admin. Counts to 1,000; beyond that the result is not exact.';
revoke all on function public.count_reviews from public, anon, authenticated, service_role;
grant execute on function public.count_reviews to authenticated, service_role;
