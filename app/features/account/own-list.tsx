import type { PostgrestClient } from '@supabase/postgrest-js';
import type { ReactNode } from 'react';
import { useMatches, useSearchParams } from 'react-router';
import { pageFrom, pagesOf, type TablePage } from '#lib/data/page.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Pagination } from '#ui/data/pagination.tsx';
import { NeedsScript } from '#ui/work-sheet.tsx';
import { type SignInHandle, useUser } from './require-sign-in.tsx';
import './own-list.css';

export const OwnSheet = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="sheet own-list stack gap-5">
    <h1>{title}</h1>
    <NeedsScript />
    {children}
  </div>
);

interface OwnListProps<Page> {
  failed: string;
  read: (data: PostgrestClient, user: string, page: number) => Promise<Page>;
  over?: ReactNode;
  children: (own: Page) => ReactNode;
}

export function OwnList<Page extends TablePage<unknown>>({ failed, read, over, children }: OwnListProps<Page>) {
  const { id } = useUser();
  const { pathname, handle } = useMatches().at(-1)!;
  const { title, loading } = handle as SignInHandle;
  const [address] = useSearchParams();
  const page = pageFrom(address);
  const list = useRead(['own', pathname, page], (data) => read(data, id, page), keepsShown);
  return (
    <OwnSheet title={title}>
      {over}
      <Loaded query={list} loading={loading} failed={failed}>
        {(found) => (
          <>
            {children(found)}
            <Pagination pages={pagesOf(found.total)} current={found.page} addressOf={(page) => `?page=${page}`} />
          </>
        )}
      </Loaded>
    </OwnSheet>
  );
}
