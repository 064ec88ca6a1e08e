/** What a function is handed besides the request. Our own backend fills it in process; on hosted Supabase `index.ts` does. */
export interface Context {
  supabaseUrl: string;
  serviceKey: string;
  siteUrl: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  log: Record<'info' | 'warn' | 'error', (message: string) => void>;
}
