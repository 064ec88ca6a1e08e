const PREFIX = /^\/(auth|rest|storage|functions|realtime|graphql)\/v1(?:\/|$)/;

/** Service of a path; undefined outside the backend. */
export const serviceIn = (path: string): string | undefined => PREFIX.exec(path)?.[1];
