import type { Client } from '@wp/client/browser'

/** The platform's reading of a file. */
export type Preview = Awaited<ReturnType<Client['data']['preview']>>

/** Files that a person chose together. The first one is previewed, the others are read as it is. */
export interface ChosenFiles {
  id: string
  files: readonly [File, ...File[]]
  /** True for documents, of which there is no preview. */
  isDocument: boolean
}
