import type { PortalTheme } from '@wp/contracts'
import { accentTokens } from './accent.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** Applies the theme of a portal link to the document, now and whenever the scheme of the device changes. */
export function applyPortalTheme({ accent, mode }: PortalTheme): void {
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
