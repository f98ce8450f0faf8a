import { markEnd, markStart } from '../../../store/search/text/highlight-marks.ts'
import { textFields } from '../index/index-definition.ts'
import type { WordQuery } from './word-query.ts'
import type { EngineHit, EngineResponse } from './workspace-search.ts'

/** Snippets of the text, and the whole title, with marks around matching words. */
export function highlightOptions(
  languages: readonly Parameters<typeof textFields>[0][],
  { matches }: Pick<WordQuery, 'matches'>,
): Record<string, unknown> {
  const fields = [...new Set(languages)].map(textFields)
  return {
    type: 'plain',
    fragmenter: 'simple',
    pre_tags: [markStart],
    post_tags: [markEnd],
    require_field_match: false,
    highlight_query: matches,
    fields: {
      ...Object.fromEntries(fields.map(({ title }) => [title, { number_of_fragments: 0 }])),
      ...Object.fromEntries(
        fields.map(({ text }) => [text, { number_of_fragments: 1, fragment_size: 200, no_match_size: 200 }]),
      ),
    },
  }
}

/** Returns the highlighted title and snippet of a hit. */
export function highlightsOf({ highlight = {} }: EngineHit): {
  title: string | undefined
  snippet: string | undefined
} {
  const find = (prefix: string) => Object.entries(highlight).find(([field]) => field.startsWith(prefix))?.[1][0]
  return { title: find('title_'), snippet: find('text_') }
}

const markedPattern = new RegExp(`${markStart}([^${markEnd}]*)${markEnd}`, 'g')

/** Returns the words that were found on a page, as they are written. */
export const markedWords = ({ hits }: EngineResponse): string[] => [
  ...new Set(
    hits.hits
      .flatMap(({ highlight = {} }) => Object.values(highlight).flat())
      .flatMap((text) => [...text.matchAll(markedPattern)].map(([, word = '']) => word.toLowerCase())),
  ),
]
