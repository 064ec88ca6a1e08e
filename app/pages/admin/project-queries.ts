import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readTable, type TableQuestion } from '../../models/experiment-table.ts';
import { deleteMedia, deleteProject, findProjectInFull, listProjects, setStatus } from '../../models/project-record.ts';
import type { Status } from '../../models/project-status.ts';
import { clients } from '../../session/browser.ts';

// Every cached read of projects begins with this, so that one write empties them all.
const PROJECTS = 'projects';

export const useProjects = () =>
  useQuery({ queryKey: [PROJECTS, 'all'], queryFn: () => listProjects(clients().data()) });

export const useProject = (id: string) =>
  useQuery({ queryKey: [PROJECTS, 'one', id], queryFn: () => findProjectInFull(clients().data(), id) });

/** While the next page loads, the last one stays. */
export const useTable = (question: TableQuestion) =>
  useQuery({
    queryKey: [PROJECTS, 'table', question],
    queryFn: () => readTable(clients().data(), question),
    placeholderData: keepPreviousData,
  });

export const projectsChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [PROJECTS] });

/** A write whose success makes the very next view show the new state. */
function useProjectWrite<Input>(write: (input: Input) => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn: write, onSuccess: () => projectsChanged(cache) });
}

export const useDeleteProject = () => useProjectWrite((id: string) => deleteProject(clients().data(), id));

export const useDeleteMedia = () => useProjectWrite((id: string) => deleteMedia(clients().data(), id));

export const useSetStatus = () =>
  useProjectWrite(({ id, status }: { id: string; status: Status }) => setStatus(clients().data(), id, status));
