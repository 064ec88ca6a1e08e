/** The media type in a Content-Type, in small letters and without parameters; empty when there is none. */
export const bareType = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';')[0]!.trim().toLowerCase();
