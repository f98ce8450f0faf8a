import type { Html } from './html.ts'

/** A page of the site, before the frame is put around it. */
export interface SitePage {
  /** Absolute, below `/docs`. */
  path: string
  title: string
  /** One sentence, for search engines and result lists. */
  description: string
  /** Shown above the title. */
  section: string
  body: Html
  /** The second column of a reference page. */
  aside?: Html
  /** The contents of the page; default none. */
  headings?: readonly Heading[]
  /** The text that the search finds on the page. */
  entries: readonly SearchEntry[]
  /** False if neither sitemap nor previous and next page have it. Default true. */
  isListed?: boolean
}

export interface Heading {
  id: string
  text: string
  level: 2 | 3
}

/** A part of a page that the search finds on its own. */
export interface SearchEntry {
  /** Path and fragment. */
  address: string
  title: string
  /** Title of the page, if the entry is a part of it. */
  page: string
  section: string
  text: string
}
