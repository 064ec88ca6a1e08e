import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { chooseCover } from '../model/media.ts';
import type { ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';

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
