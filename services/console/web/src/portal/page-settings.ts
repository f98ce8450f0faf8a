import type { Client } from '@wp/client/browser'
import type { PortalLink, PortalTheme } from '@wp/contracts'
import { createContext } from 'react'
import type { z } from 'zod'

/** Settings of a portal link that the backend of the console has written into its page. */
export interface PageSettings {
  frame_origins: readonly string[]
  return_url: string | null
  theme: PortalTheme
  /** True if the link is expired or revoked. */
  is_ended: boolean
}

/** Reads the settings of the page; undefined for a link that does not exist. */
export function readPageSettings(): PageSettings | undefined {
  const text = document.querySelector('meta[name="portal-page"]')?.getAttribute('content') ?? ''
  return text === '' ? undefined : (JSON.parse(text) as PageSettings) // the backend of the console declares the shape
}

/** Returns the path of the page of this link, and the id of the link in it. */
export function readPagePath(): { base: string; linkId: string } {
  const [, portal = '', name = ''] = location.pathname.split('/')
  return { base: `/${portal}/${name}`, linkId: name.slice(name.indexOf('.') + 1) }
}

/** The portal link of the page, as its customer may see it. */
export type LinkView = z.infer<typeof PortalLink>

/** The link, the client that sends its secret, and the settings of its page. Set before any page is shown. */
export const LinkContext = createContext<{ api: Client; link: LinkView; settings: PageSettings }>(
  undefined as never, // the pages are rendered inside of it only
)
