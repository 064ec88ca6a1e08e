export const STATUSES = ['draft', 'active', 'completed', 'archived'] as const;

export type Status = (typeof STATUSES)[number];

export const isStatus = (text: unknown): text is Status => STATUSES.includes(text as Status);

/** Drafts are private; archived projects stay readable but are not listed. */
export const LISTED: readonly string[] = ['active', 'completed'] satisfies Status[];

export const isListed = (status: string): boolean => LISTED.includes(status);

/** `reviews.turn`, the database's definition of what is waiting. */
export const REVIEW_TURN = { waiting: 0, changes_requested: 1, unfinished: 2, declined: 3, published: 4 } as const;
