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
