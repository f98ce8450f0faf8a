import { createContext, use } from 'react'
import { browserLocale } from './number-signs.ts'

/** The manner in which the reader writes dates. */
export interface Reader {
  /** BCP 47 tag of the profile; undefined for the language of the browser. */
  locale?: string | undefined
  /** IANA name of the time zone of the profile; undefined for the zone of the browser. */
  timeZone?: string | undefined
}

/** The reader of the page, from the profile of the session. */
export const ReaderContext = createContext<Reader>({})

/** Returns the locale and the time zone in which dates are written. */
export const useReader = (): Reader => use(ReaderContext)

/** Returns the query that makes a file one for the reader. */
export const useLocaleQuery = (): string => `locale=${encodeURIComponent(useReader().locale ?? browserLocale())}`
