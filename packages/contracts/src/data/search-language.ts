import { z } from 'zod'

/** Languages of the full-text index. The language determines stemming and stop words. */
export const searchLanguages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const
export type SearchLanguage = (typeof searchLanguages)[number]
export const SearchLanguage = z.enum(searchLanguages).meta({
  id: 'SearchLanguage',
  description: '`simple` indexes words unchanged, for any language',
})
export const defaultSearchLanguage: SearchLanguage = 'english'
