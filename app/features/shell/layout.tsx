import { Outlet } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import type { Route } from './+types/layout';
import './shell.css';
import '#ui/admin/rows.css';
import '#ui/admin/sections.css';
import { Shell } from './shell.tsx';

export const meta: Route.MetaFunction = (args) => pageTags(args, { title: admin.title, noindex: true });

export default function AdminLayout() {
  return (
    <div className="admin stack gap-0">
      <Shell>
        <Outlet />
      </Shell>
    </div>
  );
}
