import type { FieldWords, LinesField, TextSetting } from '#lib/fields/text-field.ts';

export type ListField = FieldWords & {
  kind: 'list';
  fields: Record<string, SettingField>;
  most: number;
  noun: readonly [string, string];
  see: string;
};
type RecordField = FieldWords & {
  kind: 'record';
  /** Fields by name, or in order when the value is an array. */
  fields: Record<string, SettingField> | readonly SettingField[];
  /** Fields that contradict each other, with the error at one of them. */
  rules: readonly (readonly [fits: (value: never) => boolean, path: readonly (string | number)[], message: string])[];
};

export type SettingField =
  | TextSetting
  | LinesField
  | ListField
  | RecordField
  | (FieldWords & { kind: 'number' | 'amount'; least: number; most: number })
  | (FieldWords & { kind: 'switch' | 'day' | 'time' | 'logo' });
