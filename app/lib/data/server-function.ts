import { type FunctionsClient, FunctionsHttpError } from '@supabase/functions-js';

export type FunctionAnswer = { success: boolean; error: string | null };

/** @param setupKey the one-time key, if any. @throws Error with the server's message when the call fails */
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

async function reasonOf(error: unknown): Promise<string> {
  if (!(error instanceof FunctionsHttpError)) return '';
  const body = (await (error.context as Response).json().catch(() => null)) as Record<string, unknown> | null;
  const words = body?.['error'] ?? body?.['message'] ?? body?.['msg'];
  return typeof words === 'string' ? words : '';
}
