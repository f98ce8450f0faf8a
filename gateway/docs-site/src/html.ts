/** A piece of HTML. Text becomes one only through `html`, which escapes it, or `trusted`. */
export interface Html {
  readonly markup: string
}

type Value = Html | string | number | undefined | false | null | readonly Value[]

/** Builds HTML from a template. Values are escaped unless they are HTML; undefined, null and false are left out. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts.reduce((built, part, index) => built + render(values[index - 1]) + part),
})

/** Declares that a string is HTML already. */
export const trusted = (markup: string): Html => ({ markup })

/** Joins pieces of HTML without a separator. */
export const join = (pieces: readonly Html[]): Html => trusted(pieces.map(({ markup }) => markup).join(''))

function render(value: Value): string {
  if (value === undefined || value === null || value === false) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  if (typeof value === 'object' && 'markup' in value) return value.markup
  return escapeText(String(value))
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for an element or a quoted attribute. */
export const escapeText = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

/** Returns the text of HTML, without tags. */
export const textOf = ({ markup }: Html): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
