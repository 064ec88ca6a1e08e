/** Formats of texts; the rules are in `settings.ts`. */
export type TextFormat = 'colour' | 'email' | 'phone' | 'chat' | 'web' | 'picture' | 'host' | 'country' | 'offset';

interface Words {
  label: string;
  help?: string | undefined;
}

export interface TextLimits {
  limit: number;
  optional?: true | undefined;
  format?: TextFormat | undefined;
}

export type TextSetting = Words & TextLimits & { kind: 'text'; rows?: number; mostLines?: number };
type Lines = Words & TextLimits & { kind: 'lines'; rows: number; most: number; noun: string };
export type ListField = Words & {
  kind: 'list';
  fields: Record<string, SettingField>;
  most: number;
  noun: readonly [string, string];
  see: string;
};
type RecordField = Words & {
  kind: 'record';
  /** Fields by name, or in order when the value is an array. */
  fields: Record<string, SettingField> | readonly SettingField[];
  /** Fields that contradict each other, with the error at one of them. */
  rules: readonly (readonly [fits: (value: never) => boolean, path: readonly (string | number)[], message: string])[];
};

export type SettingField =
  | TextSetting
  | Lines
  | ListField
  | RecordField
  | (Words & { kind: 'number' | 'amount'; least: number; most: number })
  | (Words & { kind: 'switch' | 'day' | 'time' | 'logo' });
