// The page of a portal link: the pages of webhooks for a customer of the workspace, who has no account.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import '../theme/tokens.css'
import '../theme/base.css'
import '../theme/classes.css'
import type { PortalTheme } from '@wp/contracts'
import { watchConnection } from '../api/connection.ts'
import { configureZod } from '../configure-zod.ts'
import { findRoot } from '../routing/find-root.ts'
import { handleMissingCode } from '../routing/missing-code.ts'
import { PortalContext } from '../session/portal-context.ts'
import { accentTokens } from './accent.ts'
import { takeLinkSecret } from './link-secret.ts'
import { readPagePath, readPageSettings } from './page-settings.ts'
import { PortalApp } from './portal-app.tsx'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** Applies the theme of a portal link to the document, now and whenever the scheme of the device changes. */
function applyPortalTheme({ accent, mode }: PortalTheme): void {
  const apply = () => {
    const isDark = mode === 'dark' || (mode === 'system' && prefersDark.matches)
    const { dataset, style } = document.documentElement
    const scheme = isDark ? 'dark' : 'light'
    dataset.theme = scheme
    // By the object model, which the content security policy allows, unlike a `style` attribute in HTML.
    for (const [name, value] of Object.entries(accent === null ? {} : accentTokens(accent, scheme)))
      style.setProperty(name, value)
  }
  apply()
  prefersDark.addEventListener('change', apply)
}

const { base, linkId } = readPagePath()
const secret = takeLinkSecret(linkId)
const settings = readPageSettings()
if (settings !== undefined) applyPortalTheme(settings.theme)
handleMissingCode()
configureZod()
watchConnection()

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, refetchOnWindowFocus: 'always', retry: 1 },
    mutations: { networkMode: 'always' },
  },
})

createRoot(findRoot()).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <PortalContext value={{ productName: settings?.theme.name ?? null }}>
          <PortalApp base={base} linkId={linkId} secret={secret} settings={settings} />
        </PortalContext>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
