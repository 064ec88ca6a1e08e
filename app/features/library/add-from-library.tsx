import { useQueryClient } from '@tanstack/react-query';
import { storeFirstFrame } from '#features/media/film-frame.ts';
import type { ProjectInFull } from '#features/projects/model/read.ts';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { ChooseFromLibrary } from './choose-from-library.tsx';
import { addFromLibrary, type LibraryFile } from './model/library.ts';

export function AddFromLibrary({ project }: { project: Pick<ProjectInFull, 'id' | 'project_media'> }) {
  const cache = useQueryClient();
  const { say } = useStatus();
  const add = async (file: LibraryFile) => {
    const poster = file.kind === 'film' && !file.poster ? await storeFirstFrame(file.url) : file.poster;
    await addFromLibrary(clients().data(), project, { ...file, poster });
    await projectsChanged(cache);
    say(`${file.title} is added.`);
  };
  return <ChooseFromLibrary hint="A click adds the picture or video with its alt text." onChoose={add} />;
}
