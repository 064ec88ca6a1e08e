const PREFIX = /^\/(auth|rest|storage|functions|realtime|graphql)\/v1(?:\/|$)/;

/** The service that a path belongs to; undefined for a path outside the backend. */
export const serviceIn = (path: string): string | undefined => PREFIX.exec(path)?.[1];
