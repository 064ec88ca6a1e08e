/** What opens the admin area: editors see the content, admins also users, settings, money and the log. */
export type AccountRole = 'admin' | 'editor';
