import { asCaller, asService } from './backend.ts';
import type { Context } from './context.ts';

export interface Caller {
  id: string | null;
  kind: 'guest' | 'user' | 'editor' | 'admin' | 'service';
}

/** Authenticates the caller in the database; later requests are audited as theirs. @throws Error on a 5xx response */
export async function callerOf(request: Request, context: Context): Promise<Caller> {
  const reply = await asCaller(context, request, 'current_caller');
  if (reply.status >= 500) throw new Error(`current_caller returned ${reply.status}`);
  const caller: Caller = reply.ok ? (reply.body as Caller) : { id: null, kind: 'guest' };
  context.actFor?.(caller);
  return caller;
}

export async function recordAct(
  context: Context,
  { id, kind }: Caller,
  line: { action: string; object: string | null; outcome: 'done' | 'refused'; reason: string | null },
): Promise<void> {
  const reply = await asService(context, 'POST', '/rest/v1/rpc/record_act', { actor: id, kind, ...line });
  if (!reply.ok) context.log.error(`audit log: adding a line returned ${reply.status}`);
}
