import { defaultSearchLanguage, type SearchLanguage } from '@wp/contracts'

/**
 * Returns the name of the PostgreSQL text search configuration by which the words of a language are indexed, stop words
 * included; the migrations create one each.
 */
export const textSearchConfiguration = (language: SearchLanguage | null | undefined): string =>
  `public.search_${language ?? defaultSearchLanguage}_all`

/** Returns an SQL expression for the configuration of the same language without stop words. */
export const withoutStopWords = (configuration: string): string => `left(${configuration}, -4)`
