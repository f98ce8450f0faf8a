import { defaultSearchLanguage, type SearchLanguage } from '@wp/contracts'

/**
 * Returns the name of the PostgreSQL text search configuration by which the words of a language are indexed, stop words
 * included; the migrations create one each.
 */
export const textSearchConfiguration = (language: SearchLanguage | null | undefined): string =>
  `public.search_${language ?? defaultSearchLanguage}_all`

/** Returns the name of the dictionary that knows the stop words of a configuration. */
export function stopWordDictionary(configuration: string): string {
  const language = configuration.slice('public.search_'.length, -'_all'.length)
  return language === 'simple' ? 'pg_catalog.simple' : `pg_catalog.${language}_stem`
}

/** Returns an SQL expression for the configuration of the same language without stop words. */
export const withoutStopWords = (configuration: string): string => `left(${configuration}, -4)`
