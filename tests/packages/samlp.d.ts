declare module 'samlp' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Request = IncomingMessage & { query: Record<string, string>; originalUrl: string; protocol: string };
  export type Response = ServerResponse & { set(name: string, value: string): void; send(body: string): void };
  type Next = (error: Error) => void;

  export interface Options {
    issuer: string;
    cert: string;
    key: string;
    audience?: string;
    recipient?: string;
    destination?: string;
    inResponseTo?: string;
    signAssertion?: boolean;
    signResponse?: boolean;
    signatureAlgorithm?: 'rsa-sha256' | 'rsa-sha1';
    digestAlgorithm?: 'sha256' | 'sha1';
    signatureNamespacePrefix?: string;
    lifetimeInSeconds?: number;
    nameIdentifierFormat?: string;
    profileMapper: (user: unknown) => {
      getClaims(): Record<string, unknown>;
      getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat?: string };
    };
  }

  interface RequestData {
    issuer: string;
    assertionConsumerServiceURL: string;
    destination: string;
    id: string;
  }

  const samlp: {
    auth(
      options: Options & {
        getUserFromRequest(): unknown;
        getPostURL(
          audience: string,
          request: unknown,
          req: Request,
          done: (error: Error | null, url?: string) => void,
        ): void;
      },
    ): (req: Request, res: Response, next: Next) => void;
    metadata(options: {
      issuer: string;
      cert: string;
      redirectEndpointPath: string;
      postEndpointPath: string;
    }): (req: Request, res: Response) => void;
    parseRequest(req: Request, done: (error: Error | null, data?: RequestData) => void): void;
    getSamlResponse(options: Options, user: unknown, done: (error: Error | null, xml: string) => void): void;
  };
  export default samlp;
}
