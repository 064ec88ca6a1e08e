import { type Agency, mailLink } from '#lib/words/agency.ts';

export type KeptFor = { messages: string; addresses: string };

const mailTo = (agency: Agency) => `<a href="${mailLink(agency)}">${agency.email}</a>`;

const privacy = (agency: Agency, kept: KeptFor) => `
<p>This is what this website keeps about you, where, for how long, and how to have it removed. It describes what the software does, and nothing it does not do.</p>
<h2>Who is responsible</h2>
<p>${agency.organisation}, ${agency.address.join(', ')}. Write to ${mailTo(agency)} or call ${agency.phone} about anything on this page.</p>
<h2>Reading the site</h2>
<p>You can read every public page without an account, without cookies and without JavaScript. There is no advertising and no tracking. How far you scroll is written to your own browser’s console.</p>
<p>While counting is switched on, and not otherwise, a page that you leave adds one to a few numbers on our own server: how often this page was opened that day, how far it was scrolled, and which of its sections were seen. No address, no cookie and no identifier is stored with them, so no one can tell who read what, or that two visits were the same person’s. The numbers are kept for 400 days. If your browser says that you do not want to be tracked (Do Not Track, Global Privacy Control), you are not counted.</p>
<p>Fonts, scripts and styles come from our own server. Three things may come from somewhere else: a picture that was added to an experiment by its web address is loaded from that address, a video is loaded from YouTube or Vimeo when you start it or, if it is part of a text, when you scroll to it, and a check against robots, where we use one, is loaded from hCaptcha or Cloudflare when you sign in, sign up or ask for an email. Those hosts then see your network address, as they would if you visited them.</p>
<h2>What is kept in your browser</h2>
<ul>
<li><strong>Your session</strong>, in local storage, when you sign in. It ends when you sign out.</li>
<li><strong>An unfinished submission</strong> and its pictures, in the browser’s database on your device, until it has been sent or 30 days have passed. It is not sent to us before you submit, except for pictures: their upload begins when you choose them.</li>
<li><strong>One cookie</strong>, named <code>drafts</code> or <code>__Host-drafts</code>, when you open the private link of a draft. It holds the keys of at most five drafts, no script can read it, and it lasts seven days.</li>
<li><strong>Whether you are an admin</strong>, in session storage for five minutes, so that pages need not check again.</li>
</ul>
<h2>Submitting an experiment</h2>
<p>We keep what you write and choose: title, client, category, tags, texts, pictures, captions and links. You do not have to sign in or give your name. If you are signed in, the experiment is filed under your account.</p>
<p>Uploaded pictures are decoded and re-encoded on our server. The place, the time, the camera and everything else stored inside the file are removed, except its credit line and its AI label. Pictures that no experiment uses are deleted after a day. No one can open a deleted picture any more. It remains in our backups for as long as we keep those.</p>
<p>A submission is a draft. It can be read by our team, by your account if you have one, and by anyone who has its private link. It becomes public only when our team publishes it. Pictures have addresses that cannot be guessed, but anyone who is given such an address can open the picture, also before the experiment is published.</p>
<p>If you leave an email address with a submission, or send it in with an account, we may write to you about it. Only our team can read that address; the one you left is deleted ${kept.addresses} after our answer. What our team notes about a submission stays within the team. Each private link of a draft says when it was last opened, by the hour, and nothing about who opened it.</p>
<h2>Writing to us</h2>
<p>What you write on the contact card, your name, your email address and your message, is kept in our database so that we can answer, and is sent by email to our own mailbox. In the database only our team can read it, and it is deleted after ${kept.messages}, or earlier when you ask. The network address that a message came from is written down apart from it, only to stop flooding, and deleted within two hours.</p>
<h2>Accounts and email</h2>
<p>An account consists of your email address, a name (the part before the @ if you give none), and a password of which we keep only a salted hash. We keep the address and the browser of each sign-in for as long as that session lasts.</p>
<p>We send email only to do what you asked for: to confirm your address, to let you set a new password, to sign you in by link, to invite you, or to confirm a change. There is no newsletter. Links in these messages stop working after an hour or as soon as they are used.</p>
<h2>Logs</h2>
<p>To protect accounts and other people’s work we record sign-ins, refusals, changes of roles and deletions: who, what, when, and from which network address. Only admins can read these records. Technical logs hold errors, never passwords, keys or what you wrote. To stop guessing and flooding, the server counts requests for each network address, in memory, for minutes to an hour.</p>
<h2>Where your data is stored</h2>
<p>In our own database and file store, on the server that runs this website. We do not sell data, and we pass it on only where the law obliges us, or to those who run the server and deliver our email for us. Application forms, the calendar, the chat app and the social networks we link to are run by others under their own policies; nothing is sent to them until you follow the link.</p>
<h2>How long we keep it</h2>
<p>Published experiments stay until they are deleted. A deleted experiment can be restored for a limited time, together with its pictures. An account stays until you delete it on your account page, or ask us to; what you submitted is then no longer filed under your name. Records of security events are kept as long as they are needed to protect the site.</p>
<h2>Your rights</h2>
<p>You may ask to see what we hold about you, to have it corrected, handed over or deleted, and you may object to its use or withdraw a consent. If you created an experiment while signed in, you can delete it yourself. For everything else write to ${mailTo(agency)}; we answer within 30 days. If our answer does not satisfy you, you may complain to the data protection authority where you live; in India, the Data Protection Board.</p>
<h2>Changes</h2>
<p>When this text changes, the date at its top changes with it.</p>`;

const terms = (agency: Agency) => `
<p>These terms apply to this website and to what you submit to it. Work we do for clients, and work members do in the collective, is agreed separately and in writing.</p>
<h2>Who we are</h2>
<p>${agency.organisation}, ${agency.address.join(', ')}; ${mailTo(agency)}, ${agency.phone}.</p>
<h2>Using the site</h2>
<p>You may read, link to and share every public page. You may not try to break in, to access what is not meant for you, to overload the site, or to collect its content automatically in a way that burdens it.</p>
<h2>Accounts</h2>
<p>Give an email address that is yours, keep your password to yourself, and tell us if someone else may know it. You are responsible for what is done with your account until you have told us. We may suspend an account that is used against these terms, and you may have yours deleted at any time.</p>
<h2>What you submit</h2>
<p>Submit only what you may show: your own work, or work whose owners agreed. Name a client only if the client agreed; leave the field empty otherwise. Nothing unlawful, hateful or intimate, no personal data of others without their consent, and nothing generated to look like a real person without that person’s consent.</p>
<p>Your work stays yours. By submitting it you allow us, without a fee and without exclusivity, to store it, to change its size and format, and to show it on this website and in link previews. This permission ends when the experiment is deleted.</p>
<p>Every submission is a draft until our team has reviewed it. We may decline, shorten or remove a submission, and no one has a right to be published.</p>
<h2>Complaints about content</h2>
<p>If something here is yours and should not be, or is wrong about you, write to ${mailTo(agency)} with the page’s address and the reason. We look into every such message, and take down what should not be shown.</p>
<h2>Our own content</h2>
<p>The texts, drawings, code and marks of this site belong to ${agency.organisation} or are used under licence. Work shown in the portfolio belongs to those who made or commissioned it.</p>
<h2>The collective</h2>
<p>What the <a href="/join">page of the collective</a> says about shares and payment describes how the collective works. It becomes binding for a project through that project’s written agreement, not through this website.</p>
<h2>The masterclass</h2>
<p>The <a href="/ai-jewelry-masterclass">masterclass page</a> describes dates, seats and fees. It is an invitation to ask, not an offer: a seat is booked only when we have confirmed it to you. Statements about time or cost saved describe what is possible and are not a guarantee.</p>
<h2>Links and services of others</h2>
<p>Forms, calendars, chats, social networks and videos that we link to are run by others under their own terms. We are not responsible for what they do.</p>
<h2>Liability</h2>
<p>The site is provided as it is. We take care of it, but do not promise that it is always available or free of errors. We are liable without limit where the law says so, in particular for intent and gross negligence; otherwise we are liable only for damage that was foreseeable when these terms were accepted.</p>
<h2>Law</h2>
<p>The law of India applies, and the courts of ${agency.city} decide, unless the law of the country where you live as a consumer protects you better.</p>
<h2>Changes</h2>
<p>When these terms change, the date at their top changes with them. What you submitted before stays under the terms of its day unless you agree to the new ones.</p>`;

export type LegalSlug = keyof typeof legal;

export const legal = {
  privacy: {
    title: 'Privacy Policy',
    description: 'What this website keeps about you, where, for how long, and how to have it removed.',
    changed: '2026-11-30',
    body: privacy,
  },
  terms: {
    title: 'Terms of Service',
    description: 'The terms of this website, and of what you submit to it.',
    changed: '2026-11-21',
    body: terms,
  },
};
