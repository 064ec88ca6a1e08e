export type AccountTableName = 'users' | 'identities' | 'mfa_factors';

export type AccountRow = Record<string, unknown>;

interface AccountTable {
  name: AccountTableName;
  columns: readonly string[];
  jsonColumns: readonly string[];
  /** Columns that a hosted project requires and that are not exported: pending codes become invalid. */
  emptyColumns: readonly string[];
}

/** In order of their foreign keys. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  {
    name: 'users',
    columns: `instance_id id aud role email encrypted_password email_confirmed_at invited_at confirmation_sent_at
      recovery_sent_at last_sign_in_at raw_app_meta_data raw_user_meta_data created_at updated_at phone phone_confirmed_at
      banned_until is_sso_user deleted_at is_anonymous`.split(/\s+/),
    jsonColumns: ['raw_app_meta_data', 'raw_user_meta_data'],
    emptyColumns: ['confirmation_token', 'recovery_token', 'email_change_token_new', 'email_change'],
  },
  {
    name: 'identities',
    columns: 'id provider_id user_id identity_data provider last_sign_in_at created_at updated_at'.split(' '),
    jsonColumns: ['identity_data'],
    emptyColumns: [],
  },
  {
    name: 'mfa_factors',
    columns: 'id user_id friendly_name factor_type status created_at updated_at secret phone last_challenged_at'.split(
      ' ',
    ),
    jsonColumns: [],
    emptyColumns: [],
  },
];

export const findAccountTable = (name: AccountTableName): AccountTable =>
  ACCOUNT_TABLES.find((table) => table.name === name)!;
