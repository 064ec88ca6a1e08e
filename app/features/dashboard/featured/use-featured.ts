import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Featured, feature, listFeatured } from '#features/portfolio/model/featured.ts';
import { clients } from '#session/browser.ts';

const FEATURED = ['projects', 'featured'];

export const useFeatured = () => useQuery({ queryKey: FEATURED, queryFn: () => listFeatured(clients().data()) });

export function useFeature() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (chosen: readonly Featured[]) =>
      feature(
        clients().data(),
        chosen.map(({ id }) => id),
      ),
    async onMutate(chosen) {
      await cache.cancelQueries({ queryKey: FEATURED });
      const before = cache.getQueryData<Featured[]>(FEATURED);
      cache.setQueryData<readonly Featured[]>(FEATURED, chosen);
      return before;
    },
    onError: (_error, _chosen, before) => cache.setQueryData(FEATURED, before),
    onSettled: () => cache.invalidateQueries({ queryKey: FEATURED }),
  });
}
