import { creditLine, creditsIn, type StoredCredit } from '#features/credits/model/credits.ts';
import type { StoredFields } from '#features/projects/model/fields.ts';
import type { Project } from '#features/projects/model/read.ts';
import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { creditWords } from '#lib/words/credits.ts';

export interface DraftAsTold extends Pick<StoredFields, Exclude<ComparedPart, 'brief'>> {
  brief: string | null;
  media: { id: string; type: string; url: string; title: string | null; alt: string | null }[];
}

export const COMPARED_PARTS = {
  title: words.title,
  client: words.client,
  category: words.category,
  tags: words.tags,
  brief: words.brief,
  understanding: words.understanding,
  actions: words.actions,
  impact: words.impact,
  credits: creditWords.title,
} as const;
export type ComparedPart = keyof typeof COMPARED_PARTS;

export interface Changes {
  parts: { part: ComparedPart; before: string }[];
  added: string[];
  removed: string[];
  reworded: { id: string; said: 'title' | 'alt'; before: string }[];
  reordered: boolean;
}

const SAID = ['title', 'alt'] as const;

const text = (value: string | (string | StoredCredit)[] | null) =>
  Array.isArray(value) ? value.map(inWords).join(', ') : (value ?? '');

const inWords = (item: string | StoredCredit) =>
  typeof item === 'string' ? item : creditsIn([item]).map((credit) => `${credit.part} ${creditLine(credit)}`)[0]!;

export function changesSince(before: DraftAsTold, now: Project): Changes {
  const parts = (Object.keys(COMPARED_PARTS) as ComparedPart[])
    .filter((part) => text(before[part]) !== text(now[part]))
    .map((part) => ({
      part,
      before: text(before[part]),
    }));
  const known = new Map(before.media.map((media) => [media.id, media]));
  const here = new Set(now.project_media.map(({ id }) => id));
  const stayed = now.project_media.filter(({ id }) => known.has(id));
  return {
    parts,
    added: now.project_media.filter(({ id }) => !known.has(id)).map(({ url }) => url),
    removed: before.media.filter(({ id }) => !here.has(id)).map(({ url }) => url),
    reworded: stayed.flatMap((media) =>
      SAID.filter((said) => text(media[said]) !== text(known.get(media.id)![said])).map((said) => ({
        id: media.id,
        said,
        before: text(known.get(media.id)![said]),
      })),
    ),
    reordered:
      before.media
        .filter(({ id }) => here.has(id))
        .map(({ id }) => id)
        .join() !== stayed.map(({ id }) => id).join(),
  };
}

export const isUnchanged = ({ parts, added, removed, reworded, reordered }: Changes): boolean =>
  parts.length + added.length + removed.length + reworded.length === 0 && !reordered;
