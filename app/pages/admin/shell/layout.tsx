import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Outlet } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { createQueryCache } from '../../../session/query-cache.ts';
import { Gate } from '../gate/gate.tsx';
import type { Route } from './+types/layout';
import './layout.css';
import '../rows.css';
import '../sections.css';
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
        <div className="admin">
          <Shell>
            <Outlet />
          </Shell>
        </div>
      </Gate>
    </QueryClientProvider>
  );
}
