import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Outlet } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { createQueryCache } from '#session/query-cache.ts';
import type { Route } from './+types/layout';
import { Gate } from './gate/gate.tsx';
import './shell.css';
import '#ui/admin/rows.css';
import '#ui/admin/sections.css';
import { Shell } from './shell.tsx';

export const headers = () => ({
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
});

export const meta: Route.MetaFunction = (asked) => pageTags(asked, { title: admin.title, noindex: true });

export default function AdminLayout() {
  const [cache] = useState(createQueryCache);
  return (
    <QueryClientProvider client={cache}>
      <Gate>
        <div className="admin stack gap-0">
          <Shell>
            <Outlet />
          </Shell>
        </div>
      </Gate>
    </QueryClientProvider>
  );
}
