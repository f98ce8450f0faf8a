/** Name of the product where the operator has set no other. */
export const defaultProductName = 'Workspace platform'

/** Markup in which every value is escaped. Create it with `html`. */
export interface Html {
  markup: string
}

type HtmlValue = string | Html | readonly Html[]

/** Builds markup from a template. Strings are escaped, markup is not. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  markup: parts.map((part, index) => part + markupOf(values[index] ?? '')).join(''),
})

function markupOf(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
}

/**
 * Returns one line of user text for a sentence. Text with right-to-left letters is isolated, so that it does not change
 * the order of the words around it (Unicode Annex 9); other text stays as it is.
 */
export const isolateDirection = (text: string): string =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(text)
    ? `\u2068${text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`
    : text

/** Builds hidden fields of a form. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for use in HTML element content and in quoted attribute values. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

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
