import { Button } from '../../../ui/button.tsx';
import type { FormState } from './form.ts';

/** Says that an earlier visit's draft is back in the form, and lets it go on or go. */
export const Returned = ({
  kind,
  onGoOn,
  onStartOver,
}: {
  kind: NonNullable<FormState['returned']>;
  onGoOn: () => void;
  onStartOver: () => void;
}) => (
  <section className="submit-returned" aria-labelledby="submit-returned">
    <div>
      <h2 id="submit-returned">{kind === 'sending' ? 'Finish sending your draft?' : 'Continue your draft?'}</h2>
      <p>
        {kind === 'sending'
          ? 'Sending it was interrupted. All of it is still here; going on makes nothing twice.'
          : 'It was kept on this device and is back in the form below.'}
      </p>
    </div>
    <div className="submit-row">
      <Button onClick={onGoOn}>Continue</Button>
      <Button variant="secondary" onClick={onStartOver}>
        Start over
      </Button>
    </div>
  </section>
);
