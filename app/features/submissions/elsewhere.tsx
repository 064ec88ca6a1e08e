import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import type { SubmissionForm } from './form/form.ts';
import type { FormState } from './form/form-state.ts';
import { deviceWords as words } from './words/device.ts';

export const Elsewhere = ({ state: { tab, arrival }, form }: { state: FormState; form: SubmissionForm | null }) => (
  // Always rendered, so that changes are announced.
  <div className="submit-tabs" role="status">
    {tab === 'elsewhere' && (
      <Banner kind="warning" quiet>
        <p>
          <strong>{words.elsewhere}</strong> {words.elsewhereHint}
        </p>
        <p className="button-row gap-above">
          <Button size="admin" onClick={() => void form?.device.writeHere()}>
            {words.writeHere}
          </Button>
        </p>
      </Banner>
    )}
    {tab !== 'elsewhere' && arrival && (
      <Banner kind="info" quiet>
        {words[arrival]}
      </Banner>
    )}
  </div>
);
