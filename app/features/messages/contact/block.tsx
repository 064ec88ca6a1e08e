import type { ReactNode } from 'react';
import { href } from 'react-router';
import { useContent, useFacts } from '#context/use-facts.ts';
import { MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { mailLink, phoneLink } from '#lib/words/agency.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextAreaField, TextField } from '#ui/form/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { type ContactErrors, type ContactMessage, emptyMessage } from '../model/contact-form.ts';
import { contactPage } from '../words/contact.ts';
import './contact.css';

export const ContactBlock = ({ page = false, state }: { page?: boolean; state?: PostcardState }) => {
  const Title = page ? 'h1' : 'h2';
  const { start, end, text } = useContent(contactPage);
  return (
    <section className={`contact on-ink ${page ? 'contact-page' : ''}`} id="contact" aria-labelledby="contact-title">
      <div className="contact-inner sheet">
        <Title id="contact-title" className={page ? undefined : 'slip'}>
          {start} <span className={page ? 'wide' : undefined}>{end}</span>
        </Title>
        <p className="measure-44 lead gap-above">{text}</p>
        {!page && <MeetingLinks />}
        <div className="contact-desk split-1200 stack top above-7">
          <Postcard state={state} level={page ? 'h2' : 'h3'} />
          <div className="contact-rail">
            {page && <MeetingLinks />}
            <Details />
          </div>
        </div>
      </div>
    </section>
  );
};

const MeetingLinks = () => (
  <a
    className="contact-meet anywhere tap above-6 inked inherit"
    href={useFacts().agency.bookMeeting}
    target="_blank"
    rel="noopener noreferrer"
  >
    <span>{useContent(contactPage).meet}</span>
    <Icon name="arrow-out" />
  </a>
);

const Details = () => {
  const { agency } = useFacts();
  const { write, call, comeBy } = useContent(contactPage);
  return (
    <dl className="contact-details stack gap-0">
      <Detail name={write}>
        <a className="inherit" href={mailLink(agency)}>
          {agency.email}
        </a>
      </Detail>
      <Detail name={call}>
        <a className="inherit" href={phoneLink(agency)}>
          {agency.phone}
        </a>
      </Detail>
      <Detail name={comeBy}>
        <address className="stack gap-0">
          {agency.address.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      </Detail>
    </dl>
  );
};

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="stack split-640 baseline pad-y-4">
    <dt className="slip">{name}</dt>
    <dd>{children}</dd>
  </div>
);

export interface PostcardState {
  sent?: boolean;
  values?: ContactMessage;
  errors?: ContactErrors;
  notice?: ReactNode;
  /** In ms since 1970; on cached pages the script sets it. */
  opened?: string;
}

const Postcard = ({ state = {}, level: Title }: { state?: PostcardState | undefined; level: 'h2' | 'h3' }) => {
  const words = useContent(contactPage).card;
  return (
    <div className="edged postcard paper ink" id="postcard">
      {state.sent ? (
        <div className="postcard-sent">
          <span className="drawing postcard-stamp plates" aria-hidden="true" />
          <Title className="size-2">{words.sentTitle}</Title>
          <p role="status">{words.sent}</p>
          <p className="gap-above">
            <a href={href('/contact')}>{words.another}</a>
          </p>
        </div>
      ) : (
        <>
          <Title className="size-2">{words.title}</Title>
          <Form {...state} />
        </>
      )}
    </div>
  );
};

const Form = ({ values = emptyMessage, errors = {}, notice, opened = '' }: PostcardState) => {
  const words = useContent(contactPage).card;
  const first = Object.keys(errors)[0] ?? (notice && 'message');
  const field = (name: keyof ContactMessage) => ({
    label: words[name],
    error: errors[name],
    id: `postcard-${name}`,
    name,
    defaultValue: values[name],
    autoFocus: first === name,
    required: true,
  });
  return (
    <form className="postcard-form split-640 stack" method="post" action={href('/contact')}>
      {notice && <Banner kind="error">{notice}</Banner>}
      <input type="hidden" name="opened" value={opened} />
      {/* Honeypot. */}
      <p className="hidden-text" aria-hidden="true">
        <label>
          Leave this empty
          <input type="text" name="subject" tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      {/* Longer text is returned with an error rather than cut. */}
      <TextAreaField {...field('message')} rows={6} />
      <div className="postcard-sender stack gap-5 relative">
        <span className="drawing postcard-stamp plates" aria-hidden="true" />
        <TextField {...field('name')} autoComplete="name" maxLength={MAX_LINE_LENGTH} />
        <TextField
          {...field('email')}
          type="email"
          autoComplete="email"
          maxLength={MAX_EMAIL_LENGTH}
          hint={words.emailHint}
        />
      </div>
      <div className="cluster apart across gap-4 gap-x-5">
        <button className="button button-primary" type="submit">
          <span className="spinner-plates plates" aria-hidden="true" />
          {words.send}
        </button>
        <a href={`${href('/privacy')}#writing-to-us`}>{words.privacy}</a>
      </div>
    </form>
  );
};

export const WithAddress = ({ words }: { words: string }) => {
  const { agency } = useFacts();
  return (
    <>
      {words} <a href={mailLink(agency)}>{agency.email}</a>.
    </>
  );
};
