import { href } from 'react-router';
import { COLOUR_RULES } from '#lib/brand/colours.ts';
import { MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { MAX_DAYS } from '#lib/data/limits.ts';
import type { FieldSpec } from '#lib/fields/field.ts';
import type { TextFormat } from '#lib/fields/text-formats.ts';
import type { Masterclass } from './facts.ts';
import { projectFacts } from './project-facts.ts';

type Setting = FieldSpec & {
  /** Name of the fact, when it differs from the setting's name in camel case. */
  fact?: string;
};

export type SettingGroup = { title: string; about?: string; see?: { to: string; label?: string } };

const text = (limit: number, label: string, help?: string, format?: TextFormat) =>
  ({ kind: 'text', limit, label, help, format }) as const;
const webAddress = (label: string, help?: string) => text(500, label, help, 'web');
const number = (least: number, most: number, label: string, help?: string) =>
  ({ kind: 'number', least, most, label, help }) as const;
const fee = (label: string, help: string) => ({ kind: 'amount', least: 0, most: 10_000_000, label, help }) as const;

const colour = (label: string, help: string) => text(7, label, help, 'colour');

const portrait = { ...text(500, 'Portrait (optional)', undefined, 'picture'), optional: true } as const;
const PORTRAITS =
  'A portrait is a square picture: an address with https://, or a path on this site such as /storage/v1/object/public/….';
const CONTACT = 'On the home page, in the footer and in the legal pages';

/** Every setting, by group: how it is labelled and limited. All of them are public. */
export const settingGroups = {
  brand: {
    title: 'Brand',
    see: { to: href('/') },
    settings: {
      site_name: { fact: 'name', ...text(40, 'Site name', 'In the brand mark and at the end of page titles.') },
      organisation: text(120, 'Organisation', 'Full name for the legal pages and search engines.'),
      portfolio_name: text(40, 'Portfolio name', 'In the feed, in search results and over the list of experiments.'),
      sender_name: {
        ...text(80, 'Sender of emails (optional)', 'The name beside the address. Without it, the site name.'),
        optional: true,
      },
      logo: {
        kind: 'logo',
        label: 'Logo',
        help: 'An SVG or a PNG, up to 700 KB. It takes the place of the drawn mark, and the icons are made from it.',
      },
      logo_dark: {
        kind: 'logo',
        label: 'Logo for the dark theme (optional)',
        help: 'For a logo with dark lines. Without it, the same logo is shown in both themes.',
      },
      // A single setting, because a contrast depends on two of them.
      brand_colours: {
        fact: 'colours',
        kind: 'record',
        label: 'Colours',
        rules: COLOUR_RULES,
        fields: {
          hand: colour('Ink of the hand', 'What people make.'),
          machine: colour('Ink of the machine', 'What machines make, and links.'),
          paper: colour('Paper', 'The background of the light theme.'),
        },
      },
    },
  },
  agency: {
    title: 'Agency',
    see: { to: `${href('/')}#contact` },
    settings: {
      email: text(MAX_EMAIL_LENGTH, 'Email', `${CONTACT}, as a link that writes to you.`, 'email'),
      phone: text(40, 'Phone', `${CONTACT}, as a link that calls you.`, 'phone'),
      chat_number: {
        ...text(15, 'Chat number', undefined, 'chat'),
        help: 'WhatsApp number for the masterclass buttons: country code first, digits only.',
      },
      address: {
        ...{ kind: 'lines', rows: 4, limit: 120, most: 6, noun: 'lines' },
        label: 'Office address',
        help: `${CONTACT}. One line each.`,
      },
      city: text(80, 'City', 'City for legal jurisdiction (used in the terms).'),
      country: text(2, 'Country', 'Two letters, such as IN. For search engines.', 'country'),
    },
  },
  links: {
    title: 'Links',
    see: { to: `${href('/')}#contact` },
    settings: {
      book_meeting: webAddress('Book a Mad Meet', 'Calendar opened from the bottom of the home page.'),
      book_strategy_call: webAddress('Strategy call', 'Calendar opened from the services on the home page.'),
      application_form: webAddress('Application form', 'Both buttons of Join The Collective.'),
      social: {
        ...{ kind: 'list', distinct: true, most: 12, noun: ['link', 'links'], see: href('/about') },
        label: 'Social links',
        help: 'In the footer of every page, in this order.',
        fields: { name: text(40, 'Name'), href: webAddress('Address') },
      },
    },
  },
  people: {
    title: 'People',
    settings: {
      people: {
        ...{ kind: 'list', distinct: true, most: 24, noun: ['person', 'people'], see: `${href('/about')}#people` },
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
        ...{ kind: 'list', distinct: true, most: 4, noun: ['teacher', 'teachers'] },
        see: `${href('/ai-jewelry-masterclass')}#instructor`,
        label: 'Teachers of the masterclass',
        help: `On the masterclass page. Without any, it describes the teachers without names. ${PORTRAITS}`,
        fields: {
          name: text(80, 'Name'),
          portrait,
          record: { ...text(400, 'Record', 'Up to three facts, one to a line.'), rows: 3, mostLines: 3 },
        },
      },
    },
  },
  defaults: {
    title: 'Page defaults',
    see: { to: href('/') },
    settings: {
      default_title: {
        ...text(80, 'Default title'),
        help: 'For pages without a title of their own, in the browser’s tab and in search results.',
      },
      default_description: {
        ...text(300, 'Default description'),
        rows: 3,
        help: 'Under the title in search results and link previews, on the home page and on pages without a description. 160 characters show.',
      },
      default_cover: {
        ...text(500, 'Default cover', undefined, 'picture'),
        help: 'For experiments without a picture: an address with https://, or a path on this site such as /house-cover.svg.',
      },
      picture_hosts: {
        ...{ kind: 'lines', rows: 3, limit: 253, most: 10, noun: 'hosts', optional: true, format: 'host' },
        label: 'Picture hosts',
        help: 'Sites whose addresses count as pictures even without an ending such as .jpg. One host to a line.',
      },
    },
  },
  masterclass: {
    title: 'Masterclass',
    about: 'Everything on the masterclass page, for search engines too.',
    see: { to: href('/ai-jewelry-masterclass') },
    settings: {
      // A single setting, so that the page never mixes two masterclasses.
      masterclass: {
        kind: 'record',
        label: 'Masterclass',
        rules: [[({ from, to }: Masterclass) => from < to, ['to'], 'The end comes after the beginning']],
        fields: {
          days: {
            kind: 'record',
            label: 'Days',
            rules: [
              [([first, second]: Masterclass['days']) => first! < second!, [1], 'The second day comes after the first'],
            ],
            isArray: true,
            fields: { 0: { kind: 'day', label: 'First day' }, 1: { kind: 'day', label: 'Second day' } },
          },
          from: { kind: 'time', label: 'From' },
          to: { kind: 'time', label: 'To' },
          city: text(80, 'City', 'Where it takes place.'),
          utcOffset: text(6, 'Time zone', 'Hours from UTC, such as +05:30.', 'offset'),
          seats: number(1, 40, 'Seats'),
          perQuarter: number(1, 90, 'Masterclasses per quarter'),
          standardFee: fee('Standard fee', 'In rupees, per seat, both days.'),
          memberFee: fee('Member rate', 'In rupees, for members of the collective.'),
          saving: number(1, 100, 'Saves up to this much time and cost, in percent'),
        },
      },
      masterclass_seats_taken: {
        ...number(0, 40, 'Seats taken'),
        help: 'The home page and the masterclass page show how many of the seats are left.',
      },
    },
  },
  counting: {
    title: 'Page views',
    see: { to: href('/privacy') },
    settings: {
      analytics: {
        fact: 'countReading',
        kind: 'switch',
        label: 'Count page views',
        help: 'Counts on our own server which pages are read and how far, without cookies and without identifying readers. While it is off, the browser sends nothing. The built-in privacy policy explains this; if you have written your own, explain it there too.',
      },
    },
  },
  messages: {
    title: 'Messages',
    about: 'The built-in privacy policy states these times; if you have written your own, state them there too.',
    see: { to: href('/privacy') },
    settings: {
      contact_message_days: {
        ...number(1, MAX_DAYS, 'Keep messages for'),
        help: 'In days. Messages from the contact card that are older are deleted for good.',
      },
      submitter_address_days: {
        ...number(1, MAX_DAYS, 'Keep submitters’ addresses for'),
        help: 'In days after your answer. Email addresses that people left with a submission are deleted then; those of accounts stay with the account.',
      },
    },
  },
  split: {
    title: 'Profit split',
    see: { to: href('/join') },
    settings: {
      unallocated_share_to: {
        ...text(120, 'The unallocated 10% goes to'),
        optional: true,
        help: 'The collective’s terms allocate 90% of a project’s profit. Enter who receives the rest, such as “the company pool” or a name. Until then split sheets can be prepared but not issued. Like all settings, this is public.',
      },
    },
  },
  security: {
    title: 'Security',
    see: { to: href('/account'), label: 'Set up your second factor' },
    settings: {
      admins_need_second_factor: {
        kind: 'switch',
        label: 'Admins need a second factor',
        help: 'Besides their password, admins and editors show a code from their phone when they sign in. Those without one set it up in their account; until then the admin area is closed to them. Switch this on while you are signed in with your own second factor, so that you cannot lock yourself out.',
      },
    },
  },
  projects: { title: 'Projects', see: { to: href('/case-studies') }, settings: { project_facts: projectFacts } },
  publishing: {
    title: 'Publishing',
    settings: {
      publishing_needs_checks: {
        kind: 'switch',
        label: 'Publish only what is in order',
        help: 'A submission cannot be published while Review lists improvements: a picture without a description, a skipped heading, a link without text. Status menus also refuse to publish pictures without a description; pictures that are added later are not checked.',
      },
    },
  },
} satisfies Record<string, SettingGroup & { settings: Record<string, Setting> }>;

type Groups = typeof settingGroups;
export type SettingName = { [Group in keyof Groups]: keyof Groups[Group]['settings'] }[keyof Groups];

export const settings: Readonly<Record<SettingName, Setting>> = Object.assign(
  {},
  ...Object.values(settingGroups).map((group) => group.settings),
);

export const labelsOf = (names: readonly SettingName[]): string => names.map((name) => settings[name].label).join(', ');

export const SETTING_NAMES = Object.keys(settings) as SettingName[];

/** Settings whose built-in value is an example, such as a phone number that reaches no one. */
export const EXAMPLES = 'email phone chat_number address book_meeting book_strategy_call application_form social'.split(
  ' ',
) as SettingName[];

export const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);
