import { type FunctionsClient, FunctionsHttpError } from '@supabase/functions-js';

/** What every function of ours answers; more may stand beside it. */
export interface FunctionAnswer {
  success: boolean;
  error: string | null;
}

/**
 * Calls one of our server functions.
 * @param setupKey the one-time key, when the caller has one
 * @throws Error with the server's sentence, if it had one, when the call itself fails
 */
export async function callFunction<More = object>(
  functions: FunctionsClient,
  name: string,
  body: Record<string, unknown>,
  setupKey?: string,
): Promise<FunctionAnswer & Partial<More>> {
  const headers: Record<string, string> = setupKey ? { 'x-setup-key': setupKey } : {};
  const { data, error } = await functions.invoke<FunctionAnswer & Partial<More>>(name, { headers, body });
  if (error) throw new Error(await reasonOf(error));
  return data ?? ({ success: false, error: null } as FunctionAnswer & Partial<More>);
}

/** The server's own sentence, which the functions client keeps in the answer; empty when there is none. */
async function reasonOf(error: unknown): Promise<string> {
  if (error instanceof FunctionsHttpError) {
    const body = (await (error.context as Response).json().catch(() => null)) as Record<string, unknown> | null;
    const words = body?.['error'] ?? body?.['message'] ?? body?.['msg'];
    if (typeof words === 'string') return words;
  }
  return '';
}
