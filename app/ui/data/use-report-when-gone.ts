import { useRef } from 'react';
import { isLost, messageOf } from '#lib/data/api-error.ts';
import { useShown } from '../admin/use-shown.ts';
import { useStatus } from '../feedback/status.tsx';

/** Handles a refused write of a form that may be gone by then, with a row that another user removed. */
export function useReportWhenGone(failed: string): (error: unknown) => never {
  const { complain } = useStatus();
  const shown = useShown(true);
  return (error) => {
    if (!shown.current) complain(messageOf(error, failed));
    throw error;
  };
}

/** The row that a form was opened with, to detect changes of others. After a refused save it is the latest row. */
export function useSeen<Row>(row: Row, failed: string) {
  const latest = useRef(row);
  latest.current = row;
  const seen = useRef(row);
  const reportWhenGone = useReportWhenGone(failed);
  const refused = (error: unknown): never => {
    if (!isLost(error)) seen.current = latest.current;
    return reportWhenGone(error);
  };
  return { seen, refused };
}
