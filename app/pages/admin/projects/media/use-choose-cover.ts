import { useMutation, useQueryClient } from '@tanstack/react-query';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { chooseCover } from '../../../../models/project/media.ts';
import type { ProjectMedia } from '../../../../models/project/read.ts';
import { nameOfMedia } from '../../../../models/project/versions/version-difference.ts';
import { clients } from '../../../../session/browser.ts';
import { useStatus } from '../../../../ui/feedback/status.tsx';
import { projectsChanged } from '../project-queries.ts';

export function useChooseCover(projectId: string): (media: ProjectMedia | null) => void {
  const cache = useQueryClient();
  const status = useStatus();
  const choosing = useMutation({
    mutationFn: (media: ProjectMedia | null) => chooseCover(clients().data(), projectId, media?.id ?? null),
    onSuccess: (_, media) => status.say(media ? words.coverChosen(nameOfMedia(media)) : words.coverLeft),
    onError: (error) => status.complain(messageOf(error, words.failedToChooseCover)),
    onSettled: () => projectsChanged(cache),
  });
  return choosing.mutate;
}
