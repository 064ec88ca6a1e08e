import { href } from 'react-router';
import type { Agency } from '../../copy/agency.ts';
import { LONGEST_EMAIL } from '../data/email.ts';
import { MOST_DAYS } from '../data/limits.ts';
import type { Facts, Masterclass } from './facts.ts';
import type { SettingField, TextFormat } from './field.ts';

type FactPath = Exclude<keyof Facts, 'agency'> | `agency.${keyof Agency}`;

type Setting = SettingField & {
  group: string;
  fact: FactPath;
  /** The built-in value is an example that leads nowhere. */
  example?: true;
};

const text = (limit: number, label: string, format?: TextFormat) => ({ kind: 'text' as const, limit, label, format });
const days = { kind: 'number', least: 1, most: MOST_DAYS } as const;
const fee = { kind: 'amount', least: 0, most: 10_000_000 } as const;

const portrait = { ...text(500, 'Portrait (optional)', 'picture'), optional: true as const };
const PORTRAITS =
  'A portrait is a square picture: an address with https://, or a path on this site such as /storage/v1/object/public/….';

const table = {
  site_name: {
    group: 'agency',
    fact: 'agency.name',
    ...text(40, 'Site name'),
    help: 'In the brand mark, and at the end of every page title.',
  },
  organisation: {
    group: 'agency',
    fact: 'agency.organisation',
    ...text(120, 'Organisation'),
    help: 'The full name, in the legal pages and for search engines.',
  },
  email: {
    group: 'agency',
    fact: 'agency.email',
    example: true,
    ...text(LONGEST_EMAIL, 'Email', 'email'),
    help: 'On the home page, in the footer and in the legal pages, as a link that writes to you.',
  },
  phone: {
    group: 'agency',
    fact: 'agency.phone',
    example: true,
    ...text(40, 'Phone', 'phone'),
    help: 'On the home page, in the footer and in the legal pages, as a link that calls you.',
  },
  chat_number: {
    group: 'agency',
    fact: 'agency.chatNumber',
    example: true,
    ...text(15, 'Chat number', 'chat'),
    help: 'WhatsApp number for the masterclass buttons: country code first, digits only.',
  },
  address: {
    group: 'agency',
    fact: 'agency.address',
    example: true,
    kind: 'lines',
    rows: 4,
    limit: 120,
    most: 6,
    noun: 'lines',
    label: 'Office address',
    help: 'On the home page, in the footer and in the legal pages. One line each.',
  },
  city: {
    group: 'agency',
    fact: 'agency.city',
    ...text(80, 'City'),
    help: 'City for legal jurisdiction (used in the terms).',
  },
  country: {
    group: 'agency',
    fact: 'agency.country',
    ...text(2, 'Country', 'country'),
    help: 'Two letters, such as IN. For search engines.',
  },
  book_meeting: {
    group: 'links',
    fact: 'agency.bookMeeting',
    example: true,
    ...text(500, 'Book a Mad Meet', 'web'),
    help: 'The calendar that opens from the foot of the home page.',
  },
  book_strategy_call: {
    group: 'links',
    fact: 'agency.bookStrategyCall',
    example: true,
    ...text(500, 'Strategy call', 'web'),
    help: 'The calendar that opens from the services on the home page.',
  },
  application_form: {
    group: 'links',
    fact: 'agency.applicationForm',
    example: true,
    ...text(500, 'Application form', 'web'),
    help: 'Both buttons of Join The Collective.',
  },
  social: {
    group: 'links',
    fact: 'agency.social',
    example: true,
    kind: 'list',
    most: 12,
    noun: ['link', 'links'],
    see: href('/about'),
    label: 'Social links',
    help: 'In the footer of every page, in this order.',
    fields: {
      name: text(40, 'Name'),
      href: text(500, 'Address', 'web'),
    },
  },
  people: {
    group: 'people',
    fact: 'people',
    kind: 'list',
    most: 24,
    noun: ['person', 'people'],
    see: `${href('/about')}#people`,
    label: 'People of the collective',
    help: `On About, in this order. Credits with the same name link to them there. ${PORTRAITS}`,
    fields: {
      name: text(80, 'Name'),
      craft: text(80, 'Craft'),
      city: { ...text(80, 'City (optional)'), optional: true },
      portrait,
    },
  },
  teachers: {
    group: 'people',
    fact: 'teachers',
    kind: 'list',
    most: 4,
    noun: ['teacher', 'teachers'],
    see: `${href('/ai-jewelry-masterclass')}#instructor`,
    label: 'Teachers of the masterclass',
    help: `On the masterclass page. Without any, it describes the teachers without names. ${PORTRAITS}`,
    fields: {
      name: text(80, 'Name'),
      portrait,
      record: {
        ...text(400, 'Record'),
        rows: 3,
        mostLines: 3,
        help: 'Up to three facts, one to a line.',
      },
    },
  },
  default_title: {
    group: 'defaults',
    fact: 'agency.defaultTitle',
    ...text(80, 'Default title'),
    help: 'For pages without a title of their own, in the browser’s tab and in search results.',
  },
  default_description: {
    group: 'defaults',
    fact: 'agency.defaultDescription',
    ...text(300, 'Default description'),
    rows: 3,
    help: 'Under the title in search results and link previews, on the home page and on pages without a description. 160 characters show.',
  },
  default_cover: {
    group: 'defaults',
    fact: 'agency.defaultCover',
    ...text(500, 'Default cover', 'picture'),
    help: 'For experiments without a picture: an address with https://, or a path on this site such as /house-cover.svg.',
  },
  picture_hosts: {
    group: 'defaults',
    fact: 'agency.pictureHosts',
    kind: 'lines',
    rows: 3,
    limit: 253,
    most: 10,
    noun: 'hosts',
    optional: true,
    format: 'host',
    label: 'Picture hosts',
    help: 'Sites whose addresses count as pictures even without an ending such as .jpg. One host to a line.',
  },
  /** One setting, so that the page never mixes two masterclasses. */
  masterclass: {
    group: 'masterclass',
    fact: 'masterclass',
    kind: 'record',
    label: 'Masterclass',
    rule: {
      fits: ({ from, to }: Masterclass) => from < to,
      path: ['to'],
      message: 'The end comes after the beginning',
    },
    fields: {
      days: {
        kind: 'record',
        label: 'Days',
        rule: {
          fits: ([first, second]: Masterclass['days']) => first! < second!,
          path: [1],
          message: 'The second day comes after the first',
        },
        fields: [
          { kind: 'day', label: 'First day' },
          { kind: 'day', label: 'Second day' },
        ],
      },
      from: { kind: 'time', label: 'From' },
      to: { kind: 'time', label: 'To' },
      city: { ...text(80, 'City'), help: 'Where it takes place.' },
      utcOffset: { ...text(6, 'Time zone', 'offset'), help: 'Hours from UTC, such as +05:30.' },
      seats: { kind: 'number', least: 1, most: 40, label: 'Seats' },
      perQuarter: { kind: 'number', least: 1, most: 90, label: 'Masterclasses per quarter' },
      standardFee: { ...fee, label: 'Standard fee', help: 'In rupees, per seat, both days.' },
      memberFee: { ...fee, label: 'Member rate', help: 'In rupees, for members of the collective.' },
      saving: { kind: 'number', least: 1, most: 100, label: 'Saves up to this much time and cost, in percent' },
    },
  },
  analytics: {
    group: 'counting',
    fact: 'countReading',
    kind: 'switch',
    label: 'Count page views',
    help: 'Counts on our own server which pages are read and how far, without cookies and without telling readers apart; while it is off, nothing about reading leaves the reader’s browser. The built-in privacy policy says so; if you have written your own, say so there too.',
  },
  contact_message_days: {
    group: 'messages',
    fact: 'contactMessageDays',
    ...days,
    label: 'Keep messages for',
    help: 'In days. Messages from the contact card that are older are deleted for good.',
  },
  submitter_address_days: {
    group: 'messages',
    fact: 'submitterAddressDays',
    ...days,
    label: 'Keep submitters’ addresses for',
    help: 'In days after your answer. Email addresses that people left with a submission are deleted then; those of accounts stay with the account.',
  },
  unallocated_share_to: {
    group: 'split',
    fact: 'unallocatedShareTo',
    ...text(120, 'The unallocated 10% goes to'),
    optional: true,
    help: 'The collective’s terms name who gets 90% of a project’s profit and say nothing about the rest. Write down what the collective has decided, such as “the company pool” or a name. Until then split sheets can be prepared and not issued. Everybody can read it, like all settings.',
  },
  admins_need_second_factor: {
    group: 'security',
    fact: 'adminsNeedSecondFactor',
    kind: 'switch',
    label: 'Admins need a second factor',
    help: 'Besides their password, admins show a code from their phone when they sign in. Admins without one set it up in their account; until then the admin area is closed to them. Switch this on while you are signed in with your own second factor, so that you cannot lock yourself out.',
  },
  publishing_needs_checks: {
    group: 'publishing',
    fact: 'publishingNeedsChecks',
    kind: 'switch',
    label: 'Publish only what is in order',
    help: 'A submission cannot be published while the list in Review names something that could be better: a picture without a description, a skipped heading, a link without text. The database refuses pictures without a description from everywhere, also from the status menus.',
  },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof table;

/** Every setting: how it is labelled, limited and stored. All of them are public. */
export const settings: Readonly<Record<SettingName, Setting>> = table;

export const SETTING_NAMES = Object.keys(table) as SettingName[];

export const isSetting = (name: string): name is SettingName => Object.hasOwn(table, name);
