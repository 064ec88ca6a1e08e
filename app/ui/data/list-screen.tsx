import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { pagesOf } from '#lib/data/page.ts';
import { Loaded } from '../admin/loaded.tsx';
import { ScreenHead } from '../admin/screen-head.tsx';
import { DataTable } from './data-table.tsx';
import { type Filter, Filters, type List } from './filters.tsx';
import { ListFoot } from './pagination.tsx';

type Page<Row> = { rows: readonly Row[]; total?: number; page?: number; size?: number };

interface ListScreenProps<Question, Row, Found, Order extends string> {
  title: string;
  about: ReactNode;
  actions?: ReactNode;
  notice?: ReactNode;
  list: List<Question>;
  filters?: readonly Filter<Question>[];
  clear?: string;
  query: UseQueryResult<Found>;
  loading: string;
  failed: string;
  /** Null when the foot explains an empty list. */
  none: string | null;
  noMatch?: string | null;
  count?: (found: Found) => string | null;
  foot?: (found: Found) => ReactNode;
  table: Omit<ComponentProps<typeof DataTable<Row, Order>>, 'rows' | 'empty' | 'busy' | 'children'>;
  children?: ReactNode;
}

export function ListScreen<Question, Row, Found extends Page<Row>, Order extends string = string>(
  props: ListScreenProps<Question, Row, Found, Order>,
) {
  const { title, about, actions, notice, list, filters = [], clear, query, loading, failed, none } = props;
  const { noMatch = none, count, foot, table, children } = props;
  return (
    <>
      <ScreenHead title={title} about={about}>
        {actions}
      </ScreenHead>
      {filters.length > 0 && <Filters list={list} filters={filters} clear={clear} />}
      {notice}
      <Loaded query={query} loading={loading} failed={failed}>
        {(found) => (
          <DataTable
            {...table}
            rows={found.rows}
            empty={list.params.isFiltered(list.question) ? noMatch : none}
            busy={query.isFetching}
          >
            {foot ? (
              foot(found)
            ) : (
              <ListFoot
                said={found.total ? (count?.(found) ?? null) : null}
                pages={pagesOf(found.total ?? 0, found.size)}
                current={found.page ?? 1}
                addressOf={(page) => list.addressOf({ page } as Partial<Question> & { page: number })}
              />
            )}
          </DataTable>
        )}
      </Loaded>
      {children}
    </>
  );
}
