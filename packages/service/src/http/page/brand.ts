import { html } from './html.ts'

/** Name of the product where the operator has set no other. */
export const defaultProductName = 'Workspace platform'

/** The mark of the product, as in the console. */
const logo = `<svg width="40" height="40" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f55d4"/><path d="M8 10.5l4.2 11 3.8-9 3.8 9 4.2-11" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Adds logo and name of the product to a rendered page: above its content, and to its title. */
export function addBrand(page: string, productName: string): string {
  const header = html`<header><a class="brand" href="/console/">${{ markup: logo }}<span>${productName}</span></a></header>`
  const ending = html` · ${productName}</title>`
  // Functions, because a replacement text gives `$` a meaning.
  return page.replace('</title>', () => ending.markup).replace('<body>', () => `<body>\n${header.markup}`)
}
