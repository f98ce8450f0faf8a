import type { Client } from '@wp/client/browser'
import type { PortalLink } from '@wp/contracts'
import { createContext } from 'react'
import type { z } from 'zod'
import type { PageSettings } from './page-settings.ts'

/** The portal link of the page, as its customer may see it. */
export type LinkView = z.infer<typeof PortalLink>

/** The link, the client that sends its secret, and the settings of its page. Set before any page is shown. */
export const LinkContext = createContext<{ api: Client; link: LinkView; settings: PageSettings }>(
  undefined as never, // the pages are rendered inside of it only
)
