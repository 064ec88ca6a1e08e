const PREFIX = /^\/(auth|rest|storage|functions)\/v1(?:\/|$)/;

/** The service that a path belongs to; undefined for all that is not the backend's. */
export const serviceIn = (path: string): string | undefined => PREFIX.exec(path)?.[1];
