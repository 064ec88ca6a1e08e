import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';

type Guard = 'open' | 'signedIn' | 'editorsOnly' | 'adminOnly';

/** Who may open a route and its children. The guards decide what is shown; the database decides what is read. */
export const guardOf = new Map<RouteConfigEntry, Guard>();

const guarded = (guard: Guard, routes: RouteConfigEntry[]): RouteConfigEntry[] => {
  for (const route of routes) guardOf.set(route, guard);
  return routes;
};
const open = (...routes: RouteConfigEntry[]) => guarded('open', routes);
const signedIn = (...routes: RouteConfigEntry[]) =>
  guarded('signedIn', [layout('features/account/require-sign-in.tsx', routes)]);
const editorsOnly = (...routes: RouteConfigEntry[]) =>
  guarded('editorsOnly', [layout('features/shell/gate/require-role.tsx', routes)]);
const adminOnly = (...routes: RouteConfigEntry[]) =>
  guarded('adminOnly', [layout('features/shell/gate/require-admin.tsx', routes)]);

export default [
  ...open(
    layout('features/pages/layout.tsx', [
      index('features/pages/home/home.tsx'),
      route('case-studies', 'features/portfolio/list/list.tsx'),
      route('case-studies/:id/:slug?', 'features/portfolio/detail/detail.tsx'),
      route('about', 'features/pages/about/about.tsx'),
      route('contact', 'features/messages/contact/contact.tsx'),
      route('privacy', 'features/pages/legal/legal.tsx', { id: 'privacy' }),
      route('terms', 'features/pages/legal/legal.tsx', { id: 'terms' }),
      route('ai-jewelry-masterclass', 'features/masterclass/masterclass.tsx'),
      route(':page', 'features/pages/free/free.tsx'),
      route('*', 'features/pages/not-found.tsx'),
    ]),
    route('join', 'features/pages/join/join.tsx'),
  ),
  layout('features/pages/app-layout.tsx', [
    ...open(
      route('case-study-upload', 'features/submissions/submit.tsx'),
      route('drafts/:id', 'features/drafts/draft.tsx'),
      route('admin-setup', 'features/setup/admin-setup.tsx'),
      route('admin-help', 'features/setup/admin-help.tsx'),
      route('admin-login', 'features/setup/admin-login.tsx'),
      route('upload-project', 'features/setup/upload-project.tsx'),
      route('cleanup', 'features/setup/cleanup.tsx'),
      route('verify-user', 'features/setup/verify-user.tsx'),
      route('sign-in', 'features/account/sign-in.tsx'),
      route('sign-up', 'features/account/sign-up.tsx'),
      route('sign-out', 'features/account/sign-out.tsx'),
      route('confirm', 'features/account/confirm.tsx'),
      route('reset-password', 'features/account/reset-password.tsx'),
    ),
    ...signedIn(
      route('my-experiments', 'features/submissions/mine.tsx'),
      route('my-statements', 'features/splits/statements/mine.tsx'),
      route('account', 'features/account/settings/account.tsx'),
    ),
  ]),
  ...editorsOnly(
    route('admin', 'features/shell/layout.tsx', [
      index('features/dashboard/dashboard.tsx'),
      route('projects', 'features/projects/list.tsx'),
      route('projects/new', 'features/projects/new.tsx'),
      route('projects/:id', 'features/projects/detail.tsx'),
      route('projects/:id/edit', 'features/projects/edit.tsx'),
      route('projects/:id/versions/:number', 'features/projects/versions/version.tsx'),
      route('case-studies', 'features/projects/case-studies.tsx'),
      route('review', 'features/reviews/inbox.tsx', [route(':id', 'features/reviews/read-submission.tsx')]),
      route('media', 'features/library/list.tsx'),
      route('pages', 'features/page-editor/list.tsx'),
      route('pages/:id', 'features/page-editor/edit.tsx'),
      route('messages', 'features/messages/list.tsx'),
      route('trash', 'features/trash/list.tsx'),
      ...adminOnly(
        route('projects/:id/split', 'features/splits/split.tsx'),
        route('users', 'features/users/users.tsx'),
        route('settings', 'features/settings/settings.tsx'),
        route('log', 'features/audit/list.tsx'),
      ),
    ]),
    route('admin/pages/:id/preview', 'features/page-editor/preview.tsx'),
  ),
  ...open(
    route('drafts/:id/desk', 'features/drafts/procedures.ts'),
    route('captcha', 'features/account/code/captcha-frame.ts'),
    route('sitemap.xml', 'features/seo/sitemap.ts'),
    route('sitemaps/:part', 'features/seo/sitemap.ts', { id: 'sitemap-part' }),
    route('robots.txt', 'features/seo/robots.ts'),
    route('ai-jewelry-masterclass.ics', 'features/seo/calendar.ts'),
    route('feed.xml', 'features/seo/atom.ts'),
    route('manifest.webmanifest', 'features/seo/manifest.ts'),
    route('social/:file', 'features/seo/social-image.ts'),
    route('brand/:file', 'features/settings/logo-file.ts'),
    ...['favicon.ico', 'icon.svg', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png']
      .concat('house-cover.svg', 'film-plate.svg', 'work/:file')
      .map((path) => route(path, 'features/seo/drawing.ts', { id: path })),
  ),
] satisfies RouteConfig;
