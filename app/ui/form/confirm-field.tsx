export const verbatim = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

export const confirmField = (text: string) => ({
  label: (
    <>
      Type <code className="mono one-line">{text}</code> to confirm
    </>
  ),
  ...verbatim,
  exact: true,
  autoFocus: true,
});
