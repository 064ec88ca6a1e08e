-- All triggers of projects in the order in which they fire, then the triggers that the related tables share. PostgreSQL
-- fires triggers of one event in the order of their names, so each name determines the position.

-- Insert. The rate limit is first, because a refusal is cheapest here.
create trigger limit_submissions before insert on public.projects for each statement execute function private.limit_submissions();
create trigger move_hidden_budget before insert or update of budget, show_budget on public.projects for each row execute function private.move_hidden_budget();
create trigger normalize_project before insert on public.projects for each row execute function private.normalize_project();
-- Instead of a constraint: older rows stay editable, and the trash can restore them.
create trigger reject_end_before_start before insert or update of start_date, end_date on public.projects
  for each row when (new.end_date < new.start_date and current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.reject_row('PT422', 'The end date is before the start date. Nothing was saved.');
-- After normalize_project, which turns a guest's insert into a draft without a number or required facts.
create trigger set_number_inserted before insert on public.projects
  for each row when (new.status <> 'draft' and new.number is null) execute function private.number_experiment();
create trigger validate_facts before insert or update of facts, status on public.projects for each row execute function private.validate_facts();
create trigger save_draft_secret after insert on public.projects for each row execute function private.save_draft_secret();
create trigger site_changed after insert or update or delete on public.projects for each row execute function private.site_changed();
-- Then index tables, once per statement. Restored rows are listed and versioned at the end (restore_trash). Submissions
-- are counted before these rows get their audit line, because earlier ones are counted there.
create trigger insert_version_inserted after insert on public.projects
  referencing new table as touched for each statement when (current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.insert_version();
create trigger limit_submissions_counted after insert on public.projects referencing new table as fresh for each statement execute function private.limit_submissions();
create trigger list_inserted after insert on public.projects
  referencing new table as fresh for each statement when (current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.project_changed();
create trigger open_reviews after insert on public.projects referencing new table as fresh for each statement execute function private.open_reviews();
select private.record_writes_of('public.projects', 'all'); -- record_insert, record_update, record_delete
create trigger register_inserted after insert on public.projects referencing new table as fresh for each statement execute function private.register_projects();

-- Update. A hidden budget set to null is deleted before the old amount could be restored, and callers who may not
-- publish are refused before a number is used up. move_hidden_budget and reject_end_before_start fire here, too.
create trigger delete_hidden_budget before update of budget on public.projects for each row when (new.budget is null) execute function private.delete_hidden_budget();
create trigger gate_publishing before update of status on public.projects
  for each row when (old.status = 'draft' and new.status <> 'draft' and current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.require_alt_texts();
create trigger number_published before update of status on public.projects
  for each row when (new.status <> 'draft' and old.number is null) execute function private.number_experiment();
create trigger publish_project before update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.publish_project();
create trigger touch before update on public.projects for each row when (old.created_by = new.created_by) execute function private.touch();
create trigger begin_review after update of submitted_at on public.projects
  for each row when (old.submitted_at is null and new.submitted_at is not null and new.status = 'draft')
  execute function private.begin_review();
create trigger end_plans after update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.end_plans_of_project();
create trigger follow_publication after update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.follow_publication();
create trigger texts_from_project after update of description, understanding, actions, impact on public.projects for each row execute function private.texts_from_project();
create trigger insert_version_updated after update on public.projects referencing new table as touched for each statement execute function private.insert_version();
create trigger list_updated after update on public.projects referencing old table as stale new table as fresh for each statement execute function private.project_changed();
create trigger register_updated after update on public.projects referencing old table as stale new table as fresh for each statement execute function private.register_projects();

-- Delete: guard_delete comes first, so that refused rows are not copied to the trash.
create trigger guard_delete after delete on public.projects referencing old table as gone for each statement execute function private.guard_delete();
create trigger insert_into_trash after delete on public.projects referencing old table as gone for each statement execute function private.insert_into_trash();
create trigger list_deleted after delete on public.projects referencing old table as stale for each statement execute function private.project_changed();
create trigger register_deleted after delete on public.projects referencing old table as stale for each statement execute function private.register_projects();
create trigger list_truncated after truncate on public.projects for each statement execute function private.project_changed();
create trigger register_truncated after truncate on public.projects for each statement execute function private.register_projects();
create trigger site_emptied after truncate on public.projects for each statement execute function private.site_changed();

-- Related tables: wipes are refused, deleted rows kept, an audit line and a version written. A hidden budget moves
-- while its project is being saved, before the texts have followed; that save locks the register.
do $$
declare
  belonging regclass;
  kept text;
  not_restoring constant text := 'current_setting(''private.restoring'', true) is distinct from ''yes''';
begin
  foreach belonging in array array['public.project_budgets', 'public.case_study_metadata', 'public.project_media', 'public.project_members']::regclass[] loop
    execute format('create trigger only_editors_delete before delete on %s for each statement execute function private.only_editors_delete()', belonging);
    execute format('create trigger guard_delete after delete on %s referencing old table as gone for each statement execute function private.guard_delete()', belonging);
    perform private.record_writes_of(belonging);
    execute format('create trigger insert_into_trash after delete on %s referencing old table as gone for each statement execute function private.insert_into_trash()', belonging);
    kept := case when belonging = 'public.project_budgets'::regclass then 'pg_trigger_depth() = 0' end;
    execute format('create trigger insert_version_inserted after insert on %s referencing new table as touched for each statement when (%s) execute function private.insert_version()',
      belonging, concat_ws(' and ', kept, not_restoring));
    execute format('create trigger insert_version_updated after update on %s referencing new table as touched for each statement %s execute function private.insert_version()',
      belonging, 'when (' || kept || ')');
    execute format('create trigger insert_version_deleted after delete on %s referencing old table as touched for each statement %s execute function private.insert_version()',
      belonging, 'when (' || kept || ')');
    continue when belonging = 'public.project_budgets'::regclass;
    execute format('create trigger site_changed after insert or update or delete on %s for each row execute function private.site_changed(''of a project'')', belonging);
    execute format('create trigger site_emptied after truncate on %s for each statement execute function private.site_changed()', belonging);
  end loop;
end $$;

create trigger notify_picture after insert or update of url, made or delete on public.project_media
  for each row execute function private.notify_picture_changed();
create trigger notify_pictures_emptied after truncate on public.project_media for each statement execute function private.notify_picture_changed();

-- Category, tags and credits affect listings and counts.
create trigger list_inserted after insert on public.case_study_metadata
  referencing new table as fresh for each statement execute function private.texts_changed();
create trigger list_updated after update on public.case_study_metadata
  referencing old table as stale new table as fresh for each statement execute function private.texts_changed();
create trigger list_deleted after delete on public.case_study_metadata
  referencing old table as stale for each statement execute function private.texts_changed();
create trigger list_truncated after truncate on public.case_study_metadata for each statement execute function private.texts_changed();
