import type { Source } from '../shared/queries.ts'

/** The platform counts at most this many facets in a request. */
const maxFacets = 10

/** Names of fields that identify or describe a record instead of grouping it. */
const ungrouped = /^(id|key|uuid|title|name|text|body|content|description|summary|url|link|email)$/i

/** Chooses the fields to count: texts and flags that may group records, those of most sources first. */
export function facetFields(sources: readonly Pick<Source, 'schema'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { schema } of sources)
    for (const { name, type } of schema)
      if ((type === 'string' || type === 'boolean') && !ungrouped.test(name))
        counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([name]) => name)
    .slice(0, maxFacets)
}
