import { createContext, use } from 'react'

/** The portal in which a customer of the workspace sees the pages of webhooks. */
export interface PortalView {
  /** Name of the product of the workspace; null if it has given none. */
  productName: string | null
}

export const PortalContext = createContext<PortalView | undefined>(undefined)

/** Returns the portal; undefined in the console. */
export const usePortal = (): PortalView | undefined => use(PortalContext)
