/** Media type of a Content-Type, lower case and without parameters; empty when missing. */
export const bareType = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';')[0]!.trim().toLowerCase();
