/** Packages of `tests/package.json`, for tests outside of `tests`. */
export { ExifTool } from 'exiftool-vendored';
export {
  Events,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
  type TokenRequestIncomingMessage,
} from 'oauth2-mock-server';
export { TOTP, URI } from 'otpauth';
export { Webhook } from 'standardwebhooks';
