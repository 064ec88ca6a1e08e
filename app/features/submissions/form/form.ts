import type { Draft } from '#features/drafts/model/draft.ts';
import { newSecret } from '#lib/data/ids.ts';
import { isSame, revived } from '../model/merge-drafts.ts';
import { isComplete, type Outcome } from '../model/outcome.ts';
import type { Submission } from '../model/submission.ts';
import { deviceWords } from '../words/device.ts';
import { type Arrival, DeviceCopy } from './device-copy.ts';
import { FormMedia } from './form-media.ts';
import { FormSending } from './form-sending.ts';
import type { FormServices, Stored } from './form-services.ts';
import { type FormState, untouched } from './form-state.ts';
import { FormStore } from './form-store.ts';

export class SubmissionForm extends FormStore {
  readonly media: FormMedia;
  readonly sending: FormSending;
  readonly device: DeviceCopy;
  readonly #services: FormServices;
  readonly #isStored: boolean;
  /** Email address of the signed-in user; null when signed out, undefined until known. */
  #user: string | null | undefined;

  constructor(services: FormServices, stored: Stored | null = null) {
    super({ ...untouched, ...(stored && { submission: stored.submission }), secret: newSecret() });
    this.#services = services;
    this.#isStored = stored !== null;
    this.device = new DeviceCopy(
      this,
      {
        bring: (draft, files, how) => this.#bring(draft, files, how),
        part: (parted) => {
          this.show({ parted });
          this.sending.stop();
          if (this.state.phase !== 'submitted') this.show({ phase: 'editing', line: null, returned: null, kept: [] });
        },
      },
      stored?.name,
    );
    this.media = new FormMedia(this, this.device, services, () => this.sending.lineLost());
    this.sending = new FormSending(this, services, {
      write: () => this.device.write(),
      attempt: (signal, without) => this.#attempt(signal, without),
      done: (outcome) => this.#done(outcome),
      lineBack: () => this.media.lineBack(),
      lineAway: () => this.media.lineAway(),
    });
  }

  prepare = () => this.#services.prepare();

  async start(): Promise<void> {
    await this.device.open();
    if (!isSame(this.state.submission, this.first.submission)) this.device.changed();
  }

  #bring({ secret, submission, sending, wanted, account }: Draft, files: Map<string, File>, how: Arrival) {
    const { parted } = this.state;
    const wrote = !isSame(this.state.submission, parted ?? this.first.submission);
    const ended = parted !== null && isSame(submission, this.first.submission);
    const back = revived(submission, files);
    const gone = submission.media.filter(({ id }) => !back.media.some((item) => item.id === id));
    this.media.turnTo(back.media, files);
    this.show({
      secret,
      parted: null,
      sentBefore: sending || wanted,
      submission: back,
      notices: gone.map(({ file }) => deviceWords.notKept(file!.name)),
      failure: null,
      later: false,
      arrival: ended ? 'sentElsewhere' : wrote ? 'joined' : how === 'opened' ? null : how,
      // A submission waiting for the network continues with its own message.
      returned: wanted ? null : sending ? 'sending' : how === 'opened' && !wrote ? 'written' : null,
      ...this.#accountOf(account ?? this.state.account),
    });
    this.media.goOn();
    if (wanted) void this.sending.resume();
  }

  async goOn(): Promise<void> {
    const { returned } = this.state;
    this.show({ returned: null });
    if (returned === 'sending') await this.sending.submit();
  }

  async startOver(): Promise<void> {
    this.sending.stop();
    this.media.release();
    this.show({ secret: newSecret(), sentBefore: false });
    await this.device.clear();
    const { secret, parted, saved, tab, kept } = this.state;
    this.show({ ...this.first, secret, parted, saved, tab, kept, ...this.#accountOf(null) });
    this.device.again();
  }

  override change(part: Partial<Submission>) {
    super.change(part);
    if (this.state.phase !== 'submitted') this.device.changed();
  }

  async #attempt(signal: AbortSignal, without: boolean): Promise<Outcome> {
    try {
      const outcome = await this.#send(signal, without);
      if (!outcome.closed || !this.state.sentBefore) return outcome;
      // The earlier draft accepts no more changes: a second draft is better than lost text.
      this.show({ secret: newSecret() });
      this.media.renew();
      await this.device.write();
      return await this.#send(signal, without);
    } finally {
      this.show({ sentBefore: true });
    }
  }

  #send(signal: AbortSignal, without: boolean): Promise<Outcome> {
    const { secret, account, asGuest } = this.state;
    return this.#services.send({
      submission: () => this.state.submission,
      secret,
      finishUploads: () => this.media.finishUploads(without),
      needsSession: account !== null && !asGuest,
      signal,
      onStep: (step) => this.show({ step }),
    });
  }

  async #done(outcome: Outcome): Promise<void> {
    // Missing parts of a new submission exist only on this device.
    if (this.#isStored || isComplete(outcome)) await this.device.sent();
    this.show({ phase: 'submitted', outcome: { ...outcome, secret: this.state.secret }, step: null });
  }

  /** Retries missing parts from the success screen, or reopens the form where a retry would not help. */
  async sendRest(): Promise<void> {
    const { phase, outcome } = this.state;
    if (phase !== 'submitted') return;
    this.show({ phase: 'editing', outcome: null });
    if (outcome?.unfinished || outcome?.closed) await this.sending.submit();
  }

  userIs(user: string | null) {
    this.#user = user;
    const { account: known, signedOut } = this.state;
    this.show({ ...this.#accountOf(known), ...(user !== null && signedOut && { failure: null }) });
    if (this.state.account !== known && !isSame(this.state.submission, this.first.submission)) this.device.changed();
  }

  #accountOf(written: string | null): Pick<FormState, 'account' | 'signedOut' | 'asGuest'> {
    const signedOut = this.#user === null && written !== null;
    return { account: this.#user ?? written, signedOut, asGuest: signedOut && this.state.asGuest };
  }

  async sendAsGuest(): Promise<void> {
    this.show({ asGuest: true });
    await this.sending.submit();
  }

  turn = () => {
    if (document.visibilityState === 'hidden') this.device.flush();
    else void this.device.look();
  };

  release() {
    this.device.flush();
    this.sending.stop();
    this.media.release();
    this.device.close();
  }
}
