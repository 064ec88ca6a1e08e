-- Generic plans for the functions that every save calls. A generic plan overestimates an array of ids, so these were
-- planned at each call, which took as long as the rest of an insert.

alter function private.keep_versions(uuid[]) set plan_cache_mode = force_generic_plan;
