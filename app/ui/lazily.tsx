import { type ComponentType, lazy, Suspense } from 'react';

/** A lazy component that renders nothing when its script fails to load. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const nothing: ComponentType<Props> = () => null;
  const Loaded = lazy(async () => ({ default: await load().catch(() => nothing) }));
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
