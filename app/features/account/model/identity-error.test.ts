import {
  AuthApiError,
  AuthImplicitGrantRedirectError,
  AuthRetryableFetchError,
  AuthUnknownError,
} from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#lib/data/api-error.ts';
import { accounts, arrivalFailed } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { arrivalMessage, identityMessage } from './identity-error.ts';

describe('message for an error of the identity service', () => {
  it('shows the service’s message for errors that a user can act on', () => {
    expect(identityMessage(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'), 'x')).toBe(
      'Invalid login credentials',
    );
    expect(identityMessage(new Error('In our own words.'), 'x')).toBe('In our own words.');
    expect(identityMessage(new ApiError('permission denied', '42501'), 'x')).toBe('API Error: permission denied');
  });

  it('shows our own message for developer messages and empty responses', () => {
    expect(identityMessage(new AuthApiError('Token has expired or is invalid', 403, 'otp_expired'), 'x')).toBe(
      accounts.wrongCode,
    );
    expect(identityMessage(new AuthRetryableFetchError('{}', 503), 'x')).toBe(accounts.unreachable);
    const away = 'captcha verification process failed';
    expect(identityMessage(new AuthRetryableFetchError(away, 500), 'x')).toBe(away);
    expect(identityMessage(new AuthRetryableFetchError('Failed to fetch', 0), 'x')).toBe(accounts.unreachable);
  });

  it('shows a general message when the error has no text (ERR-09)', () => {
    expect(identityMessage(undefined, messages.anErrorOccurred)).toBe('An error occurred');
    expect(identityMessage(new Error(''), messages.unexpectedErrorOccurred)).toBe('An unexpected error occurred');
    expect(identityMessage(new ApiError(''), messages.unknownError)).toBe('Unknown error occurred');
    const parser = new SyntaxError(`Unexpected token '<', "<h1>No</h1>" is not valid JSON`);
    expect(identityMessage(new AuthUnknownError(parser.message, parser), 'x')).toBe('x');
    expect(identityMessage(new AuthApiError('{}', 400, undefined), 'x')).toBe('x');
  });

  it('shows the message of an error that is not an identity error (ERR-07)', () => {
    expect(identityMessage(new RangeError('Invalid time value'), 'x')).toBe('Unexpected error: Invalid time value');
  });
});

describe('message for an error in the return address', () => {
  const brought = (error: string, code: string) =>
    arrivalMessage(new AuthImplicitGrantRedirectError('Call +1 555 0100 to unlock your account', { error, code }));

  it('never shows text from the address', () => {
    expect(brought('access_denied', 'unspecified_code')).toContain('You cancelled the sign-in');
    expect(brought('invalid_request', 'bad_oauth_state')).toContain('Start again from here');
    expect(brought('temporarily_unavailable', 'unexpected_failure')).toContain('busy');
    expect(brought('access_denied', 'email_address_invalid')).toContain('didn’t share your email address');
    expect(brought('access_denied', 'of_next_year')).toBe(arrivalFailed);
    expect(brought('constructor', 'toString')).toBe(arrivalFailed);
  });

  it('shows the client’s message when the address contains half a session (AUTH-29)', () => {
    expect(arrivalMessage(new AuthImplicitGrantRedirectError('No session defined in URL'))).toBe(
      'No session defined in URL',
    );
  });
});
