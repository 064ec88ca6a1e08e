import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import samlp, { type Options, type Request, type Response } from '../../../../../../tests/packages/saml.ts';
import { startHttpServer } from '../../../../../../tests/programs/http-server.ts';

export interface Employee {
  nameId: string;
  nameIdFormat?: string;
  attributes: Record<string, unknown>;
}

export interface Form {
  action: string;
  response: string;
  relayState: string;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** A company's identity provider on loopback. @param name selects the test key and certificate */
export async function startIdentityProvider(name: 'acme' | 'rival', first: Employee) {
  const [key, cert] = await Promise.all(
    ['key', 'crt'].map((kind) => readFile(join(import.meta.dirname, `${name}.${kind}.pem`), 'utf8')),
  );
  const { url, close } = await startHttpServer((req, res) => handle(req as Request, res as Response));
  const entityId = `urn:${name}.example`;
  const common = {
    issuer: entityId,
    key: key!,
    cert: cert!,
    lifetimeInSeconds: 120,
    profileMapper: (user: unknown) => {
      const { nameId, nameIdFormat = PERSISTENT, attributes } = user as Employee;
      return {
        getClaims: () => attributes,
        getNameIdentifier: () => ({ nameIdentifier: nameId, nameIdentifierFormat: nameIdFormat }),
      };
    },
  };

  function handle(req: Request, res: Response) {
    expressLike(req, res);
    if (req.url!.startsWith('/metadata')) {
      const paths = { redirectEndpointPath: '/sign-in', postEndpointPath: '/sign-in' };
      samlp.metadata({ issuer: entityId, cert: cert!, ...paths })(req, res);
      return;
    }
    samlp.parseRequest(req, (error, authnRequest) => {
      if (error || !authnRequest) return void res.writeHead(400).end(String(error));
      const recipient = authnRequest.assertionConsumerServiceURL;
      const signIn = samlp.auth({
        ...common,
        recipient,
        destination: recipient,
        getUserFromRequest: () => provider.employee,
        getPostURL: (_audience, _request, _req, done) => done(null, recipient),
      });
      signIn(req, res, (problem) => res.writeHead(500).end(String(problem)));
    });
  }

  const metadataUrl = `${url}/metadata`;
  const provider = {
    entityId,
    metadataUrl,
    metadata: await (await fetch(metadataUrl)).text(),
    employee: first,
    /** Opens the sign-in URL of the service. @returns the self-submitting form of the provider */
    async visit(address: string): Promise<Form> {
      const page = await (await fetch(address)).text();
      const field = (pattern: RegExp) => decodeEntities(pattern.exec(page)?.[1] ?? '');
      return {
        action: field(/action="([^"]*)"/),
        response: field(/name="SAMLResponse"\s+value="([^"]*)"/),
        relayState: field(/name="RelayState" value="([^"]*)"/),
      };
    },
    /** Writes a response with given options. @returns XML */
    write: (options: Partial<Options>): Promise<string> =>
      promisify(samlp.getSamlResponse)(
        { ...common, signatureAlgorithm: 'rsa-sha256', digestAlgorithm: 'sha256', ...options },
        provider.employee,
      ),
    close,
  };
  return provider;
}

function expressLike(req: IncomingMessage, res: ServerResponse) {
  const query = Object.fromEntries(new URL(req.url!, 'http://localhost').searchParams);
  Object.assign(req, { query, originalUrl: req.url, protocol: 'http' });
  Object.assign(res, {
    set: (name: string, value: string) => res.setHeader(name, value),
    send: (body: string) => res.end(body),
  });
}

const decodeEntities = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');
