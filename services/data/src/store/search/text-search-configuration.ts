import { defaultSearchLanguage, type SearchLanguage } from '@wp/contracts'

/** Returns the name of the PostgreSQL text search configuration of a language; the migrations create one each. */
export const textSearchConfiguration = (language: SearchLanguage | null | undefined): string =>
  `public.search_${language ?? defaultSearchLanguage}`
