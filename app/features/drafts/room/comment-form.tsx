import { type ReactNode, useRef, useState } from 'react';
import { lengthOf, MAX_MESSAGE_LENGTH } from '#lib/data/limits.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextAreaField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { useRetryId } from '#ui/form/use-retry-id.ts';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';

export const notSent = 'It was not sent. Your text is still here: please try again.';

interface CommentFormProps {
  label: string;
  hint?: string;
  sent: string;
  size?: 'admin';
  variant?: 'secondary';
  children?: ReactNode;
  send: (body: string, id: string) => Promise<unknown>;
}

export function CommentForm({ label, hint, sent, size, variant, children = 'Send', send }: CommentFormProps) {
  const [text, setText] = useState('');
  useOpenWork(text.trim() !== '');
  const idOf = useRetryId();
  const sentSoFar = useRef(0);
  const { busy, done, failure, wrong, say, submit } = useSubmit(notSent);
  function post() {
    requireFields({ body: lengthOf(text) > MAX_MESSAGE_LENGTH && 'Please shorten it.' });
    return send(text, idOf([sentSoFar.current, text]));
  }
  function onPosted() {
    sentSoFar.current++;
    setText((typed) => (typed === text ? '' : typed));
    say(sent);
  }
  return (
    <form className="form-stack" method="post" onSubmit={submit(post, onPosted)}>
      <TextAreaField
        label={label}
        hint={hint}
        required
        error={wrong['body']}
        limit={MAX_MESSAGE_LENGTH}
        name="body"
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {failure && <Banner kind="error">{failure}</Banner>}
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      <SubmitButton className="self-start" size={size} variant={variant} busy={busy} busyLabel="Sending...">
        {children}
      </SubmitButton>
    </form>
  );
}
