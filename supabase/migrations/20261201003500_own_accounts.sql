-- expand: the release before offers neither.
-- What people may do with their own account: take their data home, and delete it. Both need a sign-in of the last ten
-- minutes, with the second factor if there is one.

create function private.refuse_own_act(act text, allowed integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  subject text := act || ' ' || auth.uid();
begin
  if not private.is_attempt_allowed(subject) then
    return private.too_many_attempts();
  end if;
  perform private.count_failure(subject, allowed);
  if not private.signed_in_recently() then
    return private.rejection(403, 'PT403', 'You signed in more than ten minutes ago. Sign in again, then try once more.');
  elsif private.has_second_factor() and not private.has_shown_second_factor() then
    return private.rejection(403, 'PT403', 'Sign in again with your second factor, then try once more.');
  end if;
  return null;
end $$;
comment on function private.refuse_own_act is 'Null when the caller may do this with their account, else a committed refusal (403, 429).';

-- Projects are not part of the answer: they can be many, and people read their own through the data service.
create function public.own_data() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  refusal constant jsonb := private.refuse_own_act('own_data', 10);
begin
  if refusal is not null then
    return refusal;
  end if;
  perform private.record('account.download', me::text);
  return jsonb_build_object(
    'account', (select jsonb_build_object('id', id, 'email', email, 'email_confirmed_at', email_confirmed_at, 'phone', phone,
      'created_at', created_at, 'last_sign_in_at', last_sign_in_at, 'data', raw_user_meta_data) from auth.users where id = me),
    'roles', array(select name from public.user_roles held join public.roles on roles.id = role_id where held.user_id = me order by 1),
    'emails', (select to_jsonb(wanted) - 'user_id' from public.mail_preferences wanted where user_id = me),
    'sign_in_methods', array(select jsonb_build_object('provider', provider, 'email', identity_data ->> 'email', 'created_at', created_at,
      'last_sign_in_at', last_sign_in_at) from auth.identities where user_id = me order by created_at),
    'second_factors', array(select jsonb_build_object('name', friendly_name, 'kind', factor_type, 'status', status, 'created_at', created_at)
      from auth.mfa_factors where user_id = me order by created_at),
    'sessions', array(select jsonb_build_object('created_at', created_at, 'refreshed_at', refreshed_at, 'level', aal, 'address', ip,
      'browser', user_agent) from auth.sessions where user_id = me order by created_at),
    'statements', array(select to_jsonb(own) - '{sheet_id, member, user_id, payments}'::text[] || jsonb_build_object('instalments', public.instalments(own),
      'shares', array(select jsonb_build_object('words', words, 'amount', amount) from public.split_shares where statement_id = own.id order by id))
      from public.split_statements own where user_id = me order by issued_at),
    'answers', array(select jsonb_build_object('project_id', project_id, 'kind', kind, 'words', words, 'given_at', given_at)
      from public.review_steps step join public.projects on projects.id = project_id
      where me in (created_by, given_by) and step.kind <> 'link' order by given_at),
    'notes', array(select jsonb_build_object('project_id', project_id, 'body', body, 'created_at', created_at)
      from public.review_notes where author = me order by created_at),
    'comments', array(select jsonb_build_object('project_id', project_id, 'place', place, 'body', body, 'created_at', created_at)
      from public.draft_comments where body is not null and (author = me or not by_team and link_id in (
        select link.id from private.draft_secrets link join public.projects on projects.id = project_id where created_by = me and not for_reading
      )) order by created_at),
    'messages', array(select jsonb_build_object('created_at', message.created_at, 'name', message.name, 'message', message.message)
      from public.contact_messages message join auth.users account on lower(account.email) = lower(message.email)
      where account.id = me and email_confirmed_at is not null and not is_sso_user order by message.created_at),
    'log', array(select jsonb_build_object('at', at, 'action', action, 'object', object, 'outcome', outcome, 'address', address)
      from public.audit_log where actor = me order by at desc, id desc limit 1000)
  );
end $$;
comment on function public.own_data is 'The caller''s own data except projects, without secrets and other people''s data; or a committed refusal (403, 429).';

-- Everything in one transaction. Foreign keys decide the rest: sessions, factors, roles and the profile go with the
-- account; projects pass to the guest account, teams keep names, and statements lose their link (unlink_statements).
create function public.delete_account(p_typed text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  refusal constant jsonb := private.refuse_own_act('delete_account', 10);
  draft uuid;
  drafts integer := 0;
  statements bigint;
begin
  if refusal is not null then
    return refusal;
  end if;
  perform private.raise_if(p_typed is distinct from 'DELETE', 'PT422', 'Please type "DELETE" to confirm.');
  perform from auth.users where id = me for update;
  perform private.raise_if(not found, 'PT404', 'This account is deleted already.');
  perform private.require_another_admin(me) where private.has_role(me, 'admin');
  -- What editors prepared belongs to the agency. One by one, because several at once count as a wipe.
  if not private.has_role(me, 'editor') then
    for draft in select id from public.projects where created_by = me and status = 'draft' order by id loop
      delete from public.projects where id = draft and status = 'draft';
      drafts := drafts + 1;
    end loop;
  end if;
  select count(*) into statements from public.split_statements where user_id = me;
  perform private.record('account.delete', me::text, 'done', drafts || ' drafts in the trash, ' || statements || ' statements kept');
  if to_regclass('internal.mails') is not null then
    insert into private.farewell_mails (email) select email from public.profiles where user_id = me and email_confirmed_at is not null;
  end if;
  delete from auth.users where id = me;
  return jsonb_build_object('deleted', true);
end $$;
comment on function public.delete_account is
  'Deletes the caller''s account when "DELETE" is given; or a committed refusal (403, 429). The last admin is refused.';

grant execute on function public.own_data, public.delete_account to authenticated;
