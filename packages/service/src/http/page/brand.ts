import { html } from './html.ts'

/** Name of the product where the operator has set no other. */
export const defaultProductName = 'Workspace platform'

/** Returns the letter of the mark of a product: the first of its name. */
export const initialOf = (productName: string): string => Array.from(productName.trim())[0]?.toUpperCase() ?? ''

/** The mark of the product, as in the console. */
const logoOf = (productName: string) =>
  html`<svg width="40" height="40" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f55d4"/><text x="16" y="22.5" text-anchor="middle" font-size="18" font-weight="700" fill="#fff">${initialOf(productName)}</text></svg>`

/** Adds logo and name of the product to a rendered page: above its content, and to its title. */
export function addBrand(page: string, productName: string): string {
  const header = html`<header><a class="brand" href="/console/">${logoOf(productName)}<span>${productName}</span></a></header>`
  const ending = html` · ${productName}</title>`
  // Functions, because a replacement text gives `$` a meaning.
  return page.replace('</title>', () => ending.markup).replace('<body>', () => `<body>\n${header.markup}`)
}
