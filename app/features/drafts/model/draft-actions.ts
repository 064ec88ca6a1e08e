import type { PostgrestClient } from '@supabase/postgrest-js';
import { storedCredits } from '#features/credits/model/credits.ts';
import { creditsOf, rowsOf } from '#features/credits/model/rows.ts';
import { findRevision, withFields } from '#features/projects/model/plans.ts';
import { findProject, type Project } from '#features/projects/model/read.ts';
import { descriptionOf, isUploaded, type Submission } from '#features/submissions/model/submission.ts';
import { newId } from '#lib/data/ids.ts';
import { requireChange } from '#lib/data/rows.ts';
import { type DraftLink, findDraftLinks, type Procedures } from './draft-links.ts';
import { type DraftRoom, findDraftRoom } from './draft-room.ts';
import { type DraftState, findDraftStates } from './draft-state.ts';

export type HeldDraft = { experiment: Project; state: DraftState | null; links: DraftLink[]; room: DraftRoom | null };

export type DraftAccess = Procedures & { find: () => Promise<HeldDraft | null> };

/** A draft, or the revision of a published project; null when the caller holds none. @throws ApiError */
export async function findHeldDraft(data: PostgrestClient, id: string): Promise<HeldDraft | null> {
  const experiment = await findProject(data, id);
  if (!experiment) return null;
  if (experiment.status !== 'draft') {
    const [revision, room] = await Promise.all([findRevision(data, id), findDraftRoom(data, id)]);
    return revision && { experiment: withFields(experiment, revision), state: null, links: [], room };
  }
  const [states, links, room] = await Promise.all([
    findDraftStates(data, [id]),
    findDraftLinks(data, id),
    findDraftRoom(data, id),
  ]);
  return { experiment, state: states[0] ?? null, links, room };
}

export const sendBack = (data: Procedures, id: string, draft: Submission, words: string): Promise<void> =>
  requireChange(
    data.rpc('send_draft_back', {
      p_project: id,
      p_title: draft.title.trim(),
      p_client: draft.client,
      p_category: draft.category || null,
      p_tags: draft.tags,
      p_brief: draft.brief,
      p_understanding: draft.understanding,
      p_actions: draft.actions,
      p_impact: draft.impact,
      p_media: draft.media
        .filter(isUploaded)
        .map((item) => ({ id: item.id, type: item.type, url: item.url, ...descriptionOf(item) })),
      p_words: words,
      p_credits: storedCredits(creditsOf(draft.credits)),
    }),
  );

const toPicture = (id: string, url: string) => ({ id, url, isUploading: false, file: null });

export const editable = (experiment: Project): Submission => ({
  title: experiment.title,
  client: experiment.client ?? '',
  category: (experiment.category ?? '') as Submission['category'],
  tags: experiment.tags,
  brief: experiment.brief,
  understanding: experiment.understanding ?? '',
  actions: experiment.actions ?? '',
  impact: experiment.impact ?? '',
  credits: rowsOf(experiment.credits),
  contact: '',
  note: '',
  media: experiment.project_media.map(({ id, type, url, title, alt, made, is_cover, poster }) => ({
    ...toPicture(id, url),
    type,
    caption: title ?? '',
    alt,
    made,
    isCover: is_cover,
    poster: poster === null ? null : toPicture(newId(), poster),
  })),
});
