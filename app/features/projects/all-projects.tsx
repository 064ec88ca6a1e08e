import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { DataTable } from '#ui/data/data-table.tsx';
import { MoreButton } from '#ui/data/more-button.tsx';
import type { ListedProject } from './model/list.ts';
import { useProjectTable } from './project-list.tsx';
import { useAllProjects } from './project-queries.ts';

export function AllProjects() {
  const projects = useAllProjects();
  const [table, dialog] = useProjectTable('project');
  return (
    <>
      <Loaded query={projects} loading="Loading projects" failed={messages.failedToLoadProjects}>
        {({ pages }) => {
          // Skips a project that a newly created one has moved to the next page.
          const all = [
            ...new Map(pages.flatMap(({ rows }) => rows).map((row): [string, ListedProject] => [row.id, row])).values(),
          ];
          const total = pages.at(-1)?.total ?? 0;
          return (
            <DataTable {...table} rows={all} empty={admin.noProjects}>
              <div className="cluster apart pad-top-4">
                <p aria-live="polite">
                  {all.length < total
                    ? `${all.length} of ${total} projects`
                    : `${total} ${total === 1 ? 'project' : 'projects'}`}
                </p>
                <MoreButton query={projects}>Load more</MoreButton>
              </div>
            </DataTable>
          );
        }}
      </Loaded>
      {dialog}
    </>
  );
}
