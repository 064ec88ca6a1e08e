-- People see their own statements, but no sheets: this tells them which of their statements no longer hold.

create function public.replaced_statements(p_statements uuid[]) returns table (id uuid, replaced_by integer)
language sql stable security definer set search_path = '' as $$
  select statement.id, sheet.number
  from public.split_statements statement
  join public.split_sheets sheet on sheet.replaces = statement.sheet_id and sheet.issued_at is not null
  where statement.id = any (p_statements)
    and (statement.user_id = (select auth.uid()) or (select public.is_admin()))
$$;
comment on function public.replaced_statements(uuid[]) is
  'Of these statements, those whose sheet was replaced, with the number of the sheet that holds instead. One''s own only; admins: any.';
revoke all on function public.replaced_statements(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.replaced_statements(uuid[]) to authenticated;
