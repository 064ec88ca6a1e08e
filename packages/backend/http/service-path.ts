const PREFIX = /^\/(auth|rest|storage|functions|realtime|graphql)\/v1(?:\/|$)/;

export const serviceIn = (path: string): string | undefined => PREFIX.exec(path)?.[1];
