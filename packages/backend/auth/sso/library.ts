const LIBRARY = '@node-saml/node-saml@5.1.0';

export function requireLibrary(): void {
  try {
    import.meta.resolve('@node-saml/node-saml');
  } catch {
    throw new Error(
      `[auth.saml] is enabled, but its library is not installed. Run "npm install --no-save ${LIBRARY}" in this folder, or set enabled = false.`,
    );
  }
}

export async function loadLibrary() {
  const [saml, xml] = await Promise.all([import('@node-saml/node-saml'), import('@node-saml/node-saml/lib/xml.js')]);
  return {
    SAML: saml.SAML,
    always: saml.ValidateInResponseTo.always,
    parseXml: xml.parseDomFromString,
    xpath: xml.xpath,
  };
}
