import { requestFields } from '../../packages/backend/http/current-request.ts';
import { createLog } from '../../packages/backend/http/log.ts';
import type { FinishedRequest } from './telemetry.ts';

/** Independent of LOG_LEVEL. */
export function requestLog(): (finished: FinishedRequest) => void {
  const log = createLog('info');
  return ({ request, method, route, status, whole, bytes, ms, kept }) =>
    log.info(
      {
        ...requestFields(request),
        method,
        route,
        status,
        ...(whole ? {} : { cut: true }),
        bytes,
        ms: Math.round(ms * 10) / 10,
        kept,
        role: request.role,
      },
      'request',
    );
}
