-- expand
-- Everything that was ever published has a review, so how many there are is counted as far as anybody reads on, and then
-- the answer says that there are more.
create function public.count_reviews(p_turn smallint default null, p_assignee uuid default null)
returns table (reviews integer, exact boolean)
language plpgsql stable security definer rows 1 set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.see_every_project();
  return query
    select least(count(*), 1000)::integer, count(*) <= 1000
    from (
      select from public.reviews
      where turn between coalesce(p_turn, 0) and coalesce(p_turn, 2) and arrived_at <= now()
        and (p_assignee is null or assignee = p_assignee)
      limit 1001
    ) as counted;
end $$;
comment on function public.count_reviews is
  'For admins: how many submissions have arrived whose turn it is (0 ours, 1 theirs, 2 declined, 3 published; null for all but the published), or those of them that one admin looks after. More than 1,000 are not counted further; then the answer is not exact.';
revoke all on function public.count_reviews from public, anon, authenticated, service_role;
grant execute on function public.count_reviews to authenticated, service_role;
