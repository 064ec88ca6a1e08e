export type TableName = 'users' | 'identities' | 'mfa_factors';

export type Row = Record<string, unknown>;

interface AccountTable {
  name: TableName;
  columns: readonly string[];
  json: readonly string[];
  /** Columns that a hosted project requires and that mean nothing here: pending codes become invalid. */
  blank: readonly string[];
}

/** In order of their foreign keys. */
export const TABLES: readonly AccountTable[] = [
  {
    name: 'users',
    columns: `instance_id id aud role email encrypted_password email_confirmed_at invited_at confirmation_sent_at
      recovery_sent_at last_sign_in_at raw_app_meta_data raw_user_meta_data created_at updated_at phone phone_confirmed_at
      banned_until is_sso_user deleted_at is_anonymous`.split(/\s+/),
    json: ['raw_app_meta_data', 'raw_user_meta_data'],
    blank: ['confirmation_token', 'recovery_token', 'email_change_token_new', 'email_change'],
  },
  {
    name: 'identities',
    columns: 'id provider_id user_id identity_data provider last_sign_in_at created_at updated_at'.split(' '),
    json: ['identity_data'],
    blank: [],
  },
  {
    name: 'mfa_factors',
    columns: 'id user_id friendly_name factor_type status created_at updated_at secret phone last_challenged_at'.split(
      ' ',
    ),
    json: [],
    blank: [],
  },
];

export const tableNamed = (name: TableName): AccountTable => TABLES.find((table) => table.name === name)!;
