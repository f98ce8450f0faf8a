import { english, type Phrases } from './english.ts'
import { german } from './german.ts'
import type { Language } from './words.ts'

export type { Bucket, Phrases } from './english.ts'

/** The sentences of answers, by the language of the question. */
export const phrases: Record<Language, Phrases> = { en: english, de: german }
