import type { ReactNode } from 'react';
import { useContent } from '#context/use-content.ts';
import { useFacts } from '#context/use-facts.ts';
import { mailLink, phoneLink } from '#lib/words/agency.ts';
import { Icon } from '#ui/icon.tsx';
import { contactPage } from '../words/contact.ts';
import { Postcard, type PostcardState } from './postcard.tsx';
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

const MeetingLinks = () => {
  const { agency } = useFacts();
  return (
    <a
      className="contact-meet anywhere tap above-6 inked inherit"
      href={agency.bookMeeting}
      target="_blank"
      rel="noopener noreferrer"
    >
      <span>{useContent(contactPage).meet}</span>
      <Icon name="arrow-out" />
    </a>
  );
};

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
  <div className="stack split-640 baseline">
    <dt className="slip">{name}</dt>
    <dd>{children}</dd>
  </div>
);
