import { defaultSearchLanguage, type SearchLanguage } from '@wp/contracts'

/** The text search configuration of a language, as the migrations made it. */
export const textSearchConfiguration = (language: SearchLanguage | null | undefined): string =>
  `public.search_${language ?? defaultSearchLanguage}`
