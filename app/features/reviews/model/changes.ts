import { creditsIn, type StoredCredit, storedCredits } from '#features/credits/model/credits.ts';
import type { StoredFields } from '#features/projects/model/fields.ts';
import type { Project } from '#features/projects/model/read.ts';
import { type Difference, differences } from '#features/projects/model/versions/version-difference.ts';
import type { VersionContent } from '#features/projects/model/versions/versions.ts';

export interface DraftContent
  extends Pick<StoredFields, 'title' | 'client' | 'category' | 'tags' | 'understanding' | 'actions' | 'impact'> {
  brief: string | null;
  credits: StoredCredit[];
  media: VersionContent['media'];
}

export function changesSince(before: DraftContent, now: Project): Difference[] {
  const after: VersionContent = { ...now, ...contentOf({ ...now, media: now.project_media }), team: [] };
  return differences({ ...after, ...contentOf(before) }, after, []);
}

const contentOf = (draft: DraftContent) => ({
  title: draft.title,
  client: draft.client || null,
  description: draft.brief || null,
  understanding: draft.understanding || null,
  actions: draft.actions || null,
  impact: draft.impact || null,
  category: draft.category || null,
  tags: draft.tags,
  credits: storedCredits(creditsIn(draft.credits)),
  // Sorts keys, whose order in JSON from the database varies.
  media: draft.media.map(({ id, type, url, title, description, alt, made, poster, is_cover }) => {
    return { id, type, url, title, description, alt, made, poster, is_cover };
  }),
});
