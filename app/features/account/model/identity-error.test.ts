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

const refused = (message: string, status: number, code?: string) => new AuthApiError(message, status, code);
const failed = 'captcha verification process failed';

it.each<[thrown: unknown, message: string]>([
  [refused('Invalid login credentials', 400, 'invalid_credentials'), 'Invalid login credentials'],
  [new Error('In our own words.'), 'In our own words.'],
  [new ApiError('permission denied', '42501'), 'API Error: permission denied'],
  [refused('Token has expired or is invalid', 403, 'otp_expired'), accounts.wrongCode],
  [new AuthRetryableFetchError('{}', 503), accounts.unreachable],
  [new AuthRetryableFetchError('Failed to fetch', 0), accounts.unreachable],
  [new AuthRetryableFetchError(failed, 500), failed],
  [new RangeError('Invalid time value'), 'Unexpected error: Invalid time value'],
  [new AuthUnknownError('<h1>No</h1> is not valid JSON', new SyntaxError()), 'An error occurred'],
  [refused('{}', 400), 'An error occurred'],
  [new ApiError(''), 'An error occurred'],
  [undefined, 'An error occurred'],
])('shows what a user can act on, and a general message without a text: %s (ERR-07, ERR-09)', (thrown, message) => {
  expect(identityMessage(thrown, messages.anErrorOccurred)).toBe(message);
});

describe('message for an error in the return address', () => {
  it.each([
    ['access_denied', 'unspecified_code', 'You cancelled the sign-in'],
    ['invalid_request', 'bad_oauth_state', 'Start again from here'],
    ['temporarily_unavailable', 'unexpected_failure', 'busy'],
    ['access_denied', 'email_address_invalid', 'didn’t share your email address'],
    ['access_denied', 'of_next_year', arrivalFailed],
    ['constructor', 'toString', arrivalFailed],
  ])('never shows text from the address: %s, %s', (error, code, message) => {
    const brought = new AuthImplicitGrantRedirectError('Call +1 555 0100 to unlock your account', { error, code });
    expect(arrivalMessage(brought)).toContain(message);
  });

  it('shows the client’s message when the address contains half a session (AUTH-29)', () => {
    const message = 'No session defined in URL';
    expect(arrivalMessage(new AuthImplicitGrantRedirectError(message))).toBe(message);
  });
});
