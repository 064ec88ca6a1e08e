-- What every save of a project calls is planned once a session. An array of ids looks dearer to a plan that does not know
-- it, so this was planned anew at each save, which took as long as all the rest of an insert.

alter function private.keep_versions(uuid[]) set plan_cache_mode = force_generic_plan;
