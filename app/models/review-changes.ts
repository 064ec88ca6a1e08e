import type { Experiment } from './experiment.ts';

/** A draft as the database kept it when changes were asked for. */
export interface DraftAsTold {
  title: string;
  client: string | null;
  category: string | null;
  tags: string[];
  brief: string | null;
  understanding: string | null;
  actions: string | null;
  impact: string | null;
  media: { id: string; type: string; url: string; title: string | null }[];
}

export const TOLD = ['title', 'client', 'category', 'tags', 'brief', 'understanding', 'actions', 'impact'] as const;
export type ToldPart = (typeof TOLD)[number];

/** What is different now: parts with what they said before, and media that came, went, or have other words. */
export interface Changes {
  parts: { part: ToldPart; before: string }[];
  added: string[];
  removed: string[];
  /** Media whose words changed, with the words of before. */
  reworded: { id: string; before: string }[];
  /** The same media in another order. */
  reordered: boolean;
}

const text = (value: string | string[] | null) => (Array.isArray(value) ? value.join(', ') : (value ?? ''));

/** Compares a draft with what it said before. Added and removed media are told by their addresses. */
export function changesSince(before: DraftAsTold, now: Experiment): Changes {
  const parts = TOLD.filter((part) => text(before[part]) !== text(now[part])).map((part) => ({
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
    reworded: stayed
      .filter(({ id, title }) => text(title) !== text(known.get(id)!.title))
      .map(({ id }) => ({ id, before: text(known.get(id)!.title) })),
    reordered:
      before.media
        .filter(({ id }) => here.has(id))
        .map(({ id }) => id)
        .join() !== stayed.map(({ id }) => id).join(),
  };
}

export const isUnchanged = ({ parts, added, removed, reworded, reordered }: Changes): boolean =>
  parts.length + added.length + removed.length + reworded.length === 0 && !reordered;
