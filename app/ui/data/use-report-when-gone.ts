import { messageOf } from '#lib/data/api-error.ts';
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
