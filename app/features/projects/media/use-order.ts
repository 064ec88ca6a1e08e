import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { inOrderOf, reorderMedia } from '../model/media.ts';
import type { ProjectInFull, ProjectMedia } from '../model/read.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';

/** Optimistic, with one request at a time; of later orders only the last is sent. */
export function useMediaOrder({ id, project_media }: ProjectInFull) {
  const cache = useQueryClient();
  const status = useStatus();
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const next = useRef<readonly string[] | null>(null);
  const sending = useRef(false);
  const media: ProjectMedia[] = wanted ? inOrderOf(project_media, wanted) : project_media;

  async function send() {
    if (sending.current) return;
    sending.current = true;
    try {
      while (next.current) {
        const order = next.current;
        next.current = null;
        await reorderMedia(clients().data(), id, [...order]);
      }
    } catch (error) {
      next.current = null;
      status.complain(`${messageOf(error, words.failedToMove)}`);
    }
    sending.current = false;
    await projectsChanged(cache);
    // Unless the order changed again while the list was read.
    if (!sending.current) setWanted(null);
  }

  return {
    media,
    save(ids: readonly string[]) {
      setWanted(ids);
      next.current = ids;
      void send();
    },
  };
}
