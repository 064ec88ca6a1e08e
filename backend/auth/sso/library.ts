/** The SAML library and its XML reader. Loaded by the first request that needs it, so a house without SAML never pays. */
export async function loadLibrary() {
  const [saml, xml] = await Promise.all([import('@node-saml/node-saml'), import('@node-saml/node-saml/lib/xml.js')]);
  return {
    SAML: saml.SAML,
    always: saml.ValidateInResponseTo.always,
    parseXml: xml.parseDomFromString,
    xpath: xml.xpath,
  };
}
