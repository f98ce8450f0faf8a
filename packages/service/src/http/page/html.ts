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
