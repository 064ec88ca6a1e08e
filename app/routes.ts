import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('pages/public/layout.tsx', [
    index('pages/public/home.tsx'),
    route('case-studies', 'pages/experiments/list.tsx'),
    route('case-studies/:id/:slug?', 'pages/experiments/detail.tsx'),
    route('about', 'pages/public/about.tsx'),
    route('privacy', 'pages/public/privacy.tsx'),
    route('terms', 'pages/public/terms.tsx'),
    route('ai-jewelry-masterclass', 'pages/public/masterclass.tsx'),
    route('*', 'pages/public/not-found.tsx'),
  ]),
  route('join', 'pages/public/join.tsx'),
  layout('pages/public/working-layout.tsx', [
    route('case-study-upload', 'pages/experiments/submit.tsx'),
    route('admin-setup', 'pages/setup/admin-setup.tsx'),
    route('admin-help', 'pages/setup/admin-help.tsx'),
    route('admin-login', 'pages/setup/admin-login.tsx'),
    route('verify-user', 'pages/setup/verify-user.tsx'),
    route('sign-in', 'pages/account/sign-in.tsx'),
    route('sign-up', 'pages/account/sign-up.tsx'),
    route('sign-out', 'pages/account/sign-out.tsx'),
    route('confirm', 'pages/account/confirm.tsx'),
    route('reset-password', 'pages/account/reset-password.tsx'),
  ]),
  route('admin', 'pages/admin/layout.tsx', [
    index('pages/admin/dashboard.tsx'),
    route('projects', 'pages/admin/projects/list.tsx'),
    route('projects/new', 'pages/admin/projects/new.tsx'),
    route('projects/:id', 'pages/admin/projects/detail.tsx'),
    route('projects/:id/edit', 'pages/admin/projects/edit.tsx'),
    route('case-studies', 'pages/admin/experiments/manage.tsx'),
    route('users', 'pages/admin/users.tsx'),
    route('settings', 'pages/admin/settings.tsx'),
  ]),
] satisfies RouteConfig;
