import type { PostgrestClient } from '@supabase/postgrest-js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { newId } from '#lib/data/ids.ts';
import { withArrivals } from '#lib/data/sorting.ts';
import { clients } from '#session/browser.ts';
import type { Choice } from '../model/conflict.ts';
import { addMedia, chooseCover, inOrderOf, type NewMedia, reorderMedia } from '../model/media.ts';
import { livePartsOf, type PartLists, stagedPartsOf, stageParts } from '../model/plans.ts';
import type { MediaDetails, ProjectInFull, ProjectMedia, ProjectMember } from '../model/read.ts';
import { addMember, type MemberFields, type NewMember, removeMember } from '../model/team.ts';
import { updatePart } from '../model/write.ts';
import { PROJECTS, projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';

type Write<Result> = (data: PostgrestClient, latest: ProjectInFull) => Promise<Result>;
type Run = <Result>(write: Write<Result>) => Promise<Result>;
type Undo = () => Promise<void>;

export type Parts = ReturnType<typeof liveParts>;

/** Writes media and team one change after the other: their rows, or with `later` the lists of the revision. */
export function useParts(project: ProjectInFull, later: boolean) {
  const { id } = project;
  const cache = useQueryClient();
  const { mutateAsync } = useMutation({
    scope: { id: `parts of ${id}` },
    mutationFn: (write: Write<unknown>) =>
      write(clients().data(), cache.getQueryData<ProjectInFull>([PROJECTS, 'one', id]) ?? project),
    onSettled: () => projectsChanged(cache),
  });
  const run = mutateAsync as Run;
  return {
    ...(later ? stagedParts(project, run) : liveParts(project, run)),
    resolve: (part: keyof PartLists, whose: Choice) =>
      run((data, latest) =>
        stageParts(data, latest, { [part]: (whose === 'mine' ? stagedPartsOf : livePartsOf)(latest)[part] }),
      ),
  };
}

const liveParts = (project: ProjectInFull, run: Run) => ({
  media: {
    hint: words.savedAtOnce as string,
    list: project.project_media,
    add: (item: NewMedia) => run((data) => addMedia(data, item)),
    describe: (item: ProjectMedia, described: MediaDetails) =>
      run((data) => updatePart(data, 'project_media', item, described)),
    reorder: (ids: readonly string[]) =>
      run((data, latest) => {
        const mediaIds = latest.project_media.map(({ id }) => id);
        return reorderMedia(data, latest.id, withArrivals(ids, mediaIds));
      }),
    chooseCover: (item: ProjectMedia | null) => run((data) => chooseCover(data, project.id, item?.id ?? null)),
    remove: null as ((item: ProjectMedia) => Promise<Undo>) | null,
  },
  team: {
    hint: words.savedAtOnce as string,
    list: project.project_members,
    add: (member: Omit<NewMember, 'project_id'>) =>
      run((data) => addMember(data, { ...member, project_id: project.id })),
    change: (member: ProjectMember, fields: MemberFields) =>
      run((data) => updatePart(data, 'project_members', member, fields)),
    remove: async (member: ProjectMember): Promise<Undo> => {
      const removed = await run((data) => removeMember(data, member.id));
      return () => run((data) => addMember(data, removed));
    },
  },
});

function stagedParts(project: ProjectInFull, run: Run): Parts {
  const { media, team } = stagedPartsOf(project);
  type Change<Item> = (list: Item[]) => Item[];
  const stageMedia = (change: Change<NewMedia>) =>
    run((data, latest) => stageParts(data, latest, { media: change(stagedPartsOf(latest).media) }));
  const stageTeam = (change: Change<ProjectMember>) =>
    run((data, latest) => stageParts(data, latest, { team: change(stagedPartsOf(latest).team) }));
  return {
    media: {
      hint: `${words.savedForLater} Captions and loops change at once.`,
      list: media,
      add: (item) => stageMedia((list) => [...list.filter(({ id }) => id !== item.id), item]),
      describe: ({ id }, described) => stageMedia((list) => withChange(list, id, described)),
      reorder: (ids) => stageMedia((list) => inOrderOf(list, ids)),
      chooseCover: (item) => stageMedia((list) => list.map((each) => ({ ...each, is_cover: each.id === item?.id }))),
      async remove(item) {
        await stageMedia((list) => list.filter(({ id }) => id !== item.id));
        const back = (list: NewMedia[]) => (list.some((other) => other.is_cover) ? { ...item, is_cover: false } : item);
        return () => stageMedia((list) => list.toSpliced(media.indexOf(item), 0, back(list)));
      },
    },
    team: {
      hint: words.savedForLater,
      list: team,
      add: (member) => stageTeam((list) => [...list, { ...member, id: newId(), updated_at: '', user: null }]),
      change: ({ id }, fields) => stageTeam((list) => withChange(list, id, fields)),
      async remove(member) {
        await stageTeam((list) => list.filter(({ id }) => id !== member.id));
        return () => stageTeam((list) => list.toSpliced(team.indexOf(member), 0, member));
      },
    },
  };
}

const withChange = <Item extends { id: string }>(list: Item[], id: string, change: Partial<Item>) =>
  list.map((item) => (item.id === id ? { ...item, ...change } : item));
