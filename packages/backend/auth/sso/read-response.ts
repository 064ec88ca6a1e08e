import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import type { AuthContext } from '../context.ts';
import { loadLibrary } from './library.ts';
import { CLOCK_SKEW_MS, consumerUrl, createSamlClient } from './service-provider.ts';
import type { SsoProvider } from './sso-provider.ts';

export class BadResponse extends Error {
  override readonly name = 'BadResponse';
}

export type Assertion = Awaited<ReturnType<typeof readResponse>>;

const ALGORITHMS = [
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
];
const ALGORITHM_PATTERN = ALGORITHMS.map((name) => RegExp.escape(name)).join('|');
const ALLOWED_ALGORITHM = new RegExp(`Algorithm\\s*=\\s*(["'])(?:${ALGORITHM_PATTERN})\\1`, 'g');
const ASSERTION = /<(?:[^\s<>/:]+:)?(?:Encrypted)?Assertion[\s/>]/g;
/** XML libraries take quadratic time in these; a user in 500 groups stays below the limits. */
const MAX_OCCURRENCES = [
  { of: /</g, times: 3_000 },
  { of: /=/g, times: 3_000 },
  { of: /xmlns/g, times: 1_000 },
];
const MAX_LENGTH = 256 * 1024;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Rejects XML that parsers could interpret differently, and weak signature algorithms. @throws BadResponse */
export function decodeResponse(encoded: string): string {
  if (!/^[A-Za-z0-9+/\s]+(?:=\s*){0,2}$/.test(encoded)) throw new BadResponse('not base64');
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw new BadResponse('not UTF-8');
  }
  if (xml.length > MAX_LENGTH || MAX_OCCURRENCES.some(({ of, times }) => (xml.match(of)?.length ?? 0) > times))
    throw new BadResponse('too much of it');
  if (/<[!?]/.test(xml.replace(/^<\?xml\s[^<>?]*\?>/, ''))) throw new BadResponse('markup beyond elements');
  if (/Algorithm\s*=/.test(xml.replace(ALLOWED_ALGORITHM, '')))
    throw new BadResponse('an algorithm that is not accepted');
  // A second assertion would only serve signature wrapping.
  if (xml.match(ASSERTION)?.length !== 1) throw new BadResponse('not exactly one assertion');
  return xml;
}

/** Unverified envelope data: must not be trusted. */
export async function envelopeOf(xml: string) {
  const { parseXml, xpath } = await loadLibrary();
  try {
    const document = await parseXml(xml);
    const [response] = xpath.selectElements(document, "/*[local-name()='Response']");
    const [issuer] = xpath.selectElements(document, "//*[local-name()='Issuer']");
    if (!response) throw new BadResponse('no response');
    return {
      issuer: issuer?.textContent?.trim() ?? null,
      inResponseTo: response.getAttribute('InResponseTo') || null,
      destination: response.getAttribute('Destination') || null,
    };
  } catch (error) {
    throw error instanceof BadResponse ? error : new BadResponse('not XML');
  }
}

/** The library checks signature, audience and times; all is read from the signed bytes. @throws BadResponse */
export async function readResponse(identity: AuthContext, provider: SsoProvider, requestId: string, encoded: string) {
  const { destination } = await envelopeOf(decodeResponse(encoded));
  const consumer = consumerUrl(identity);
  if (destination !== null && destination !== consumer) throw new BadResponse('sent to another place');
  const client = await createSamlClient(identity, provider, requestId);
  const signed = await client.validatePostResponseAsync({ SAMLResponse: encoded }).then(
    ({ profile }) => Signed.safeParse(profile?.getAssertion?.()),
    (error: Error) => {
      throw new BadResponse(error.message.slice(0, 300));
    },
  );
  if (!signed.success) throw new BadResponse(`the assertion lacks ${signed.error.issues[0]!.path.join('.')}`);
  const assertion = signed.data.Assertion;
  const [subject] = assertion.Subject;
  if (textOf(assertion.Issuer[0]) !== provider.entity_id) throw new BadResponse('another issuer');
  const confirmation = subject.SubjectConfirmation.find((candidate) => confirms(candidate, consumer, requestId));
  if (!confirmation) throw new BadResponse('no confirmation for us, this request and now');
  const ends = [confirmation.SubjectConfirmationData[0].$.NotOnOrAfter, assertion.Conditions[0].$?.NotOnOrAfter];
  const [nameId] = subject.NameID ?? [];
  return {
    id: assertion.$.ID,
    expiresAt: new Date(Math.max(...ends.map((end) => (end ? Date.parse(end) : 0))) + CLOCK_SKEW_MS),
    nameId: nameId ? textOf(nameId) || null : null,
    nameIdFormat: (typeof nameId === 'object' ? nameId.$?.Format : undefined) ?? null,
    attributes: (assertion.AttributeStatement ?? []).flatMap((statement) =>
      typeof statement === 'string' ? [] : (statement.Attribute ?? []).map(attributeOf),
    ),
  };
}

type Confirmation = z.infer<typeof SubjectConfirmation>;

function confirms({ $, SubjectConfirmationData }: Confirmation, consumer: string, requestId: string): boolean {
  const [{ $: data }] = SubjectConfirmationData;
  const now = databaseTime();
  return (
    $.Method === BEARER &&
    data.Recipient === consumer &&
    data.InResponseTo === requestId &&
    Date.parse(data.NotOnOrAfter) > now - CLOCK_SKEW_MS &&
    !(data.NotBefore && Date.parse(data.NotBefore) > now + CLOCK_SKEW_MS)
  );
}

// The library's XML representation: attributes in `$`, text in `_`, an empty element is ''.
const Text = z.union([
  z.string(),
  z.looseObject({ _: z.string().optional(), $: z.record(z.string(), z.string()).optional() }),
]);
const ConfirmationData = z.looseObject({
  Recipient: z.string(),
  InResponseTo: z.string(),
  NotOnOrAfter: z.string(),
  NotBefore: z.string().optional(),
});
const SubjectConfirmation = z.looseObject({
  $: z.looseObject({ Method: z.string() }),
  SubjectConfirmationData: z.tuple([z.looseObject({ $: ConfirmationData })]),
});
const AttributeElement = z.looseObject({
  $: z.looseObject({ Name: z.string(), FriendlyName: z.string().optional() }),
  AttributeValue: z.array(Text).optional(),
});
const Statement = z.union([z.string(), z.looseObject({ Attribute: z.array(AttributeElement).optional() })]);
const Signed = z.looseObject({
  Assertion: z.looseObject({
    $: z.looseObject({ ID: z.string().min(1).max(512) }),
    Issuer: z.tuple([Text]),
    Subject: z.tuple([
      z.looseObject({ NameID: z.array(Text).max(1).optional(), SubjectConfirmation: z.array(SubjectConfirmation) }),
    ]),
    Conditions: z.tuple([z.looseObject({ $: z.looseObject({ NotOnOrAfter: z.string().optional() }).optional() })]),
    AttributeStatement: z.array(Statement).optional(),
  }),
});

const textOf = (element: z.infer<typeof Text>) => (typeof element === 'string' ? element : (element._ ?? '')).trim();

const attributeOf = ({ $, AttributeValue = [] }: z.infer<typeof AttributeElement>) => ({
  name: $.Name,
  friendlyName: $.FriendlyName ?? null,
  values: AttributeValue.map(textOf).filter((text) => text !== ''),
});
