import { SettingsSection } from '#features/settings/group.tsx';
import { EntryList, SettingInput } from '#features/settings/setting-input.tsx';
import type { PageField, PageFields, PagePicture } from '#lib/fields/page-field.ts';
import { RichTextEditor } from '#ui/editor/rich-text-editor.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { emptyContent, type PageValues, sectionFields, textOf } from './model/content.ts';
import { PictureInput } from './picture-input.tsx';

interface InputProps<Value> {
  name: string;
  value: Value;
  errors: Record<string, string>;
  onChange: (value: Value) => void;
}

export const PageInputs = ({
  fields,
  name,
  value,
  onChange,
  errors,
}: InputProps<PageValues> & { fields: PageFields }) =>
  Object.entries(fields).map(([key, field]) => (
    <PageInput
      key={key}
      field={field}
      name={name ? `${name}.${key}` : key}
      value={value[key]}
      errors={errors}
      onChange={(next) => onChange({ ...value, [key]: next })}
    />
  ));

function PageInput({ field, name, value, errors, onChange }: InputProps<unknown> & { field: PageField }) {
  const { label, help } = field;
  switch (field.kind) {
    case 'text':
      return <SettingInput field={field} name={name} draft={value as string} errors={errors} onChange={onChange} />;
    case 'lines': {
      const inLine = Object.entries(errors).find(([place, error]) => error && place.startsWith(`${name}.`))?.[1];
      return (
        <SettingInput
          field={field}
          name={name}
          draft={(value as string[]).join('\n')}
          errors={inLine ? { [name]: inLine } : errors}
          onChange={(text) => onChange((text as string).split('\n'))}
        />
      );
    }
    case 'html':
      return (
        <RichTextEditor
          name={name}
          label={label}
          hint={help}
          value={value as string}
          error={errors[name]}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <SelectField
          label={label}
          hint={help}
          name={name}
          value={value as string}
          error={errors[name]}
          onChange={({ target }) => onChange(target.value)}
        >
          {Object.entries(field.options).map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </SelectField>
      );
    case 'picture':
      return (
        <PictureInput field={field} name={name} value={value as PagePicture} errors={errors} onChange={onChange} />
      );
    case 'record':
      return (
        <SettingsSection title={label} about={help} role="group">
          <div className="grid top setting-fields">
            <PageInputs
              fields={field.fields}
              name={name}
              value={value as PageValues}
              errors={errors}
              onChange={onChange}
            />
          </div>
        </SettingsSection>
      );
    case 'list': {
      const [one] = field.noun;
      const [first] = Object.entries(field.fields);
      return (
        <EntryList
          title={label}
          about={help}
          noun={one}
          most={field.most}
          name={name}
          error={errors[name]}
          entries={value as PageValues[]}
          additions={[{ label: `Add ${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`, entry: emptyContent(field.fields) }]}
          nameOf={(entry) => (first ? textOf(first[1], entry[first[0]]).slice(0, 60) : '')}
          onChange={onChange}
        >
          {({ entry, ...input }) => <PageInputs fields={field.fields} value={entry} errors={errors} {...input} />}
        </EntryList>
      );
    }
    case 'sections':
      return (
        <EntryList
          title={label}
          about={help}
          noun="section"
          most={field.most}
          name={name}
          error={errors[name]}
          entries={value as PageValues[]}
          additions={Object.entries(field.kinds).map(([kind, { label, fields }]) => ({
            label: `Add ${label.toLowerCase()}`,
            entry: { kind, ...emptyContent(fields) },
          }))}
          nameOf={({ kind, title }) =>
            [field.kinds[String(kind)]?.label, title && `“${title}”`].filter(Boolean).join(' ')
          }
          onChange={onChange}
        >
          {({ entry, ...input }) => (
            <>
              <p className="bold across">{field.kinds[String(entry['kind'])]?.label}</p>
              <PageInputs fields={sectionFields(field, entry)} value={entry} errors={errors} {...input} />
            </>
          )}
        </EntryList>
      );
  }
}
