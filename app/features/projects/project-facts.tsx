import { Fragment, type ReactNode } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { factText } from '#ui/data/fact-text.ts';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { DayTime } from '#ui/time.tsx';
import type { FieldsOfKind, StoredFields } from './model/fields.ts';
import { fieldsOfKind, kindOf, PROJECT_FIELDS, SUBTITLES } from './model/fields.ts';
import { valueText } from './model/value-text.ts';
import '#ui/admin/facts.css';

const FACTS = [...fieldsOfKind('status'), ...SUBTITLES, ...fieldsOfKind('money', 'day', 'category', 'tags')];

type Fact = (typeof FACTS)[number];

type FieldFactsProps = { values: Pick<StoredFields, Fact | 'show_budget' | 'facts'>; children?: ReactNode };

export const FieldFacts = ({ values, children }: FieldFactsProps) => (
  <dl className="facts hairline">
    {FACTS.map((field) => (
      <Fragment key={field}>
        <dt>{PROJECT_FIELDS[field].label}</dt>
        <dd className={kindOf(field) === 'money' && values[field] !== null ? 'amount' : undefined}>
          <FieldValue values={values} field={field} />
        </dd>
      </Fragment>
    ))}
    {useFacts().projectFacts.map((fact) => {
      const value = values.facts[fact.id];
      return (
        <Fragment key={fact.id}>
          <dt>{fact.name}</dt>
          <dd className="anywhere">{value === undefined ? 'Not given' : factText(fact, value)}</dd>
        </Fragment>
      );
    })}
    {children}
  </dl>
);

function FieldValue({ values, field }: { values: Pick<StoredFields, Fact | 'show_budget'>; field: Fact }) {
  const text = valueText(field, values[field]);
  if (text === null) return 'Not given';
  const kind = kindOf(field);
  if (kind === 'money') return values.show_budget ? text : `${text} (not shown publicly)`;
  if (kind === 'day') return <DayTime at={text} />;
  return kind === 'status' ? <StatusBadge status={text} /> : text;
}

export const FieldTexts = ({ values }: { values: Pick<StoredFields, FieldsOfKind<'html'>> }) =>
  fieldsOfKind('html').map(
    (field) =>
      values[field] && (
        <section key={field}>
          <h2 className="screen-section">{PROJECT_FIELDS[field].label}</h2>
          <RichText html={values[field]} />
        </section>
      ),
  );
