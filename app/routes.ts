import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('pages/public/layout.tsx', [
    index('pages/public/home.tsx'),
    route('case-studies', 'pages/experiments/list.tsx'),
    route('case-studies/:id/:slug?', 'pages/experiments/detail.tsx'),
    route('*', 'pages/public/not-found.tsx'),
  ]),
  layout('pages/public/working-layout.tsx', [route('case-study-upload', 'pages/experiments/submit.tsx')]),
] satisfies RouteConfig;
